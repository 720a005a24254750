//! Retrograde analysis: labels are computed in stages, backwards from the ends of the game.

use super::frontier::{self, Counters, Sorter};
use super::label::{Labels, Score};
use super::{Digraph, Transposed};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Outcome;

/// Labels the vertices in stages of increasing remoteness.
///
/// If a vertex has an option that is lost in r moves, and none that is lost sooner, it is won in
/// `r + 1` moves. If all options of a vertex are won, and the slowest of them in r moves, it is
/// lost in `r + 1` moves.
///
/// `ends` returns the outcome, for the player to move, of a vertex without moves.
pub(super) fn labels(
    graph: &Digraph,
    transposed: &Transposed,
    ends: impl Fn(u32) -> Outcome,
    limits: &Limits<'_>,
) -> Result<Labels, Stop> {
    // The number of undecided moves is counted for each vertex. Otherwise, all its options would
    // have to be scanned whenever one of them is decided.
    let mut undecided = Counters::new(graph);
    let mut scores = vec![Score::DRAW.0; graph.vertices()];
    let (mut lost, mut won) = (Vec::new(), Vec::new());
    for v in undecided.ends() {
        match ends(v) {
            Outcome::P => lost.push(v),
            Outcome::N => won.push(v),
            Outcome::D => {}
        }
    }
    let (mut next_lost, mut next_won) = (Vec::new(), Vec::new());
    let mut sorter = Sorter::new(graph.vertices());
    let mut remoteness = 0;
    // If all ends of the game have the same outcome, stages of wins and of losses alternate. Then
    // one of the two lists is empty in every round.
    while !(lost.is_empty() && won.is_empty()) {
        limits.poll()?;
        for &v in &lost {
            scores[v as usize] = Score::lost(remoteness).0;
        }
        for &v in &won {
            scores[v as usize] = Score::won(remoteness).0;
        }
        // Wins are processed first: in the same round, a vertex may get a lost option and its last
        // won option. It is won then. `decide` marks it as decided, so `count_down` ignores it.
        next_won.clear();
        frontier::predecessors(transposed, &lost, |sources| {
            undecided.decide(sources, &mut next_won);
        });
        next_lost.clear();
        frontier::predecessors(transposed, &won, |sources| {
            undecided.count_down(sources, &mut next_lost);
        });
        std::mem::swap(&mut lost, &mut next_lost);
        std::mem::swap(&mut won, &mut next_won);
        // With sorted frontiers, the transposed rows are read in the order of memory.
        sorter.sort(&mut lost);
        sorter.sort(&mut won);
        remoteness += 1;
    }
    Ok(Labels { scores })
}
