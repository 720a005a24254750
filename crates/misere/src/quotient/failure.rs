//! The search for a shortest sum for which the outcome in a monoid is wrong.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::monoid::Monoid;
use super::representatives::Representative;

/// A sum, given as a list of pieces, for which the outcome in the monoid is wrong. The length of a
/// sum is the number of moves in its longest play. The monoid is right about all shorter sums.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) word: Word,
    pub(super) length: u64,
}

/// Returns a shortest sum whose outcome in the monoid does not agree with the outcomes of its
/// options.
///
/// The monoid is right about the options, since they are shorter, so it is wrong about the sum.
/// Returns `None` if the monoid is right about all sums.
pub(super) fn first_failure(
    monoid: &Monoid,
    representatives: &[Representative],
    limits: &Limits<'_>,
) -> Result<Option<Failure>, Stop> {
    // Dijkstra's algorithm finds a shortest sum for each transition. All sums with the same
    // transition fail or hold together, so one sum is enough.
    let mut transitions = vec![(0u32, FixedBitSet::with_capacity(monoid.order()))];
    let mut numbers = FxHashMap::from_iter([(transitions[0].clone(), 0u32)]);
    // For each transition, the last step of a shortest path to it: the transition before, and the
    // piece that is added.
    let mut predecessors = vec![(0u32, 0u32)];
    let mut best = vec![0u64];
    let mut settled = FixedBitSet::new();
    let mut pending = BinaryHeap::from([Reverse((0u64, 0u32))]);
    while let Some(Reverse((length, at))) = pending.pop() {
        settled.grow(transitions.len());
        if settled.put(at as usize) {
            continue;
        }
        limits.poll()?;
        limits.check(transitions.len() as u64, monoid.order() as u64 / 4 + 64)?;
        let (element, set) = transitions[at as usize].clone();
        let lost = !set.is_clear() && set.is_disjoint(monoid.p_portion());
        if lost != monoid.is_p(element) {
            let mut word = Word::new();
            let mut at = at;
            while at != 0 {
                let (before, representative) = predecessors[at as usize];
                word.push(representatives[representative as usize].piece);
                at = before;
            }
            word.sort_unstable();
            return Ok(Some(Failure { word, length }));
        }
        let element_row = monoid.row(element);
        for (number, representative) in (0u32..).zip(representatives) {
            let row = monoid.row(representative.letter.element);
            let mut options: FixedBitSet = (set.ones().map(|x| row[x] as usize))
                .chain(
                    representative
                        .letter
                        .options
                        .ones()
                        .map(|x| element_row[x] as usize),
                )
                .collect();
            options.grow(monoid.order());
            let count = transitions.len() as u32;
            let transition = (row[element as usize], options);
            let next = *numbers.entry(transition.clone()).or_insert(count);
            if next == count {
                transitions.push(transition);
                predecessors.push((0, 0));
                best.push(u64::MAX);
            }
            let length = length + representative.length;
            if length < best[next as usize] {
                best[next as usize] = length;
                predecessors[next as usize] = (at, number);
                pending.push(Reverse((length, next)));
            }
        }
    }
    Ok(None)
}
