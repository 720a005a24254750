//! Retrograde analysis: from the ends of the game backwards, stage by stage.

use super::frontier::{self, Counters, Sorter};
use super::label::{Labels, Score};
use super::{Digraph, Transposed};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;

/// The stages alternate: those who move to a vertex lost in r moves have won in r + 1, and those all of whose moves
/// lead to won vertices, the last of them won in r moves, have lost in r + 1.
pub(super) fn labels(
    graph: &Digraph,
    transposed: &Transposed,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Labels, Stop> {
    let mut left = Counters::new(graph);
    let mut scores = vec![Score::DRAW.0; graph.vertices()];
    let mut stage = left.ends();
    let mut next = Vec::new();
    let mut sorter = Sorter::new(graph.vertices());
    let mut lost = play == Play::Normal;
    let mut remoteness = 0;
    while !stage.is_empty() {
        limits.poll()?;
        let score = if lost {
            Score::lost(remoteness)
        } else {
            Score::won(remoteness)
        };
        for &v in &stage {
            scores[v as usize] = score.0;
        }
        next.clear();
        frontier::predecessors(transposed, &stage, |sources| {
            if lost {
                left.decide(sources, &mut next);
            } else {
                left.count_down(sources, &mut next);
            }
        });
        std::mem::swap(&mut stage, &mut next);
        sorter.sort(&mut stage);
        lost = !lost;
        remoteness += 1;
    }
    Ok(Labels { scores })
}
