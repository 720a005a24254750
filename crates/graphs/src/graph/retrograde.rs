//! Retrograde analysis: from the ends of the game backwards, stage by stage.

use super::frontier::{self, Counters, Sorter};
use super::label::{Labels, Score};
use super::{Digraph, Transposed};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Outcome;

/// Returns the moves to a vertex lost in r moves win in r + 1, and a vertex all of whose moves lead
/// to won vertices, the last of them won in r moves, is lost in r + 1.
///
/// `ends` says what a vertex without moves is worth to the player to move.
pub(super) fn labels(
    graph: &Digraph,
    transposed: &Transposed,
    ends: impl Fn(u32) -> Outcome,
    limits: &Limits<'_>,
) -> Result<Labels, Stop> {
    let mut left = Counters::new(graph);
    let mut scores = vec![Score::DRAW.0; graph.vertices()];
    let (mut lost, mut won) = (Vec::new(), Vec::new());
    for v in left.ends() {
        match ends(v) {
            Outcome::P => lost.push(v),
            Outcome::N => won.push(v),
            Outcome::D => {}
        }
    }
    let (mut next_lost, mut next_won) = (Vec::new(), Vec::new());
    let mut sorter = Sorter::new(graph.vertices());
    let mut remoteness = 0;
    // Where all ends are worth the same, one of the two stages is empty in every round.
    while !(lost.is_empty() && won.is_empty()) {
        limits.poll()?;
        for &v in &lost {
            scores[v as usize] = Score::lost(remoteness).0;
        }
        for &v in &won {
            scores[v as usize] = Score::won(remoteness).0;
        }
        next_won.clear();
        frontier::predecessors(transposed, &lost, |sources| {
            left.decide(sources, &mut next_won);
        });
        next_lost.clear();
        frontier::predecessors(transposed, &won, |sources| {
            left.count_down(sources, &mut next_lost);
        });
        std::mem::swap(&mut lost, &mut next_lost);
        std::mem::swap(&mut won, &mut next_won);
        sorter.sort(&mut lost);
        sorter.sort(&mut won);
        remoteness += 1;
    }
    Ok(Labels { scores })
}
