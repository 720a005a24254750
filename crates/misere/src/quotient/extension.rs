//! One more piece: what follows if sums without it need not be told apart further.
//!
//! Let a finite monoid B be a picture of the sums so far, and let n be the new piece. Whether a sum of state b and k copies of n is losing
//! is worked out from the shortest sum in state b: its options are shorter, or have fewer copies of n. With k the answer for all states
//! depends on that for k - 1 alone, so it comes round. B times the powers of n is the guess. It is right if sums in the same state stay
//! alike beside n; the transition algebra proves it or refutes it.

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};

use super::action::{Action, Letter};

/// Extends a base by a piece with these options, each a state, and this longest play. States of the base keep their numbers; the last
/// column is the new piece's.
pub(super) fn extend(
    base: &Action,
    options: &[u32],
    length: u64,
    limits: &Limits<'_>,
) -> Result<Action, Stop> {
    let shortest = base.shortest();
    let before = base.options(&shortest, limits)?;
    let beside: Vec<Vec<u32>> = options
        .iter()
        .map(|&option| base.acted(option, &shortest))
        .collect();
    // Which states are losing beside k copies.
    let mut losing: Vec<FixedBitSet> = Vec::new();
    let back = loop {
        limits.poll()?;
        limits.check(((losing.len() + 1) * base.size) as u64, 1)?;
        let mut now = FixedBitSet::with_capacity(base.size);
        for &state in &shortest.order {
            let state = state as usize;
            let stays = before[state].is_disjoint(&now);
            let moves = !before[state].is_clear();
            let lost = stays
                && match losing.last() {
                    Some(fewer) => {
                        (moves || !options.is_empty())
                            && beside.iter().all(|to| !fewer.contains(to[state] as usize))
                    }
                    None => moves,
                };
            now.set(state, lost);
        }
        if let Some(back) = losing.iter().position(|before| *before == now) {
            break back;
        }
        losing.push(now);
    };
    let (size, powers) = (base.size, losing.len());
    let shifted = |column: &Vec<u32>| -> Vec<u32> {
        let powers = 0..powers;
        powers
            .flat_map(|power| {
                column
                    .iter()
                    .map(move |&state| (power * size) as u32 + state)
            })
            .collect()
    };
    let mut columns: Vec<Vec<u32>> = base.columns.iter().map(shifted).collect();
    let next = |at: usize| {
        if at / size + 1 == powers {
            back * size + at % size
        } else {
            at + size
        }
    };
    columns.push((0..size * powers).map(|at| next(at) as u32).collect());
    let mut letters = base.letters.clone();
    letters.push(Letter {
        column: base.columns.len() as u32,
        options: options.to_vec(),
        length,
    });
    let p = losing
        .iter()
        .enumerate()
        .flat_map(|(power, losing)| losing.ones().map(move |state| power * size + state));
    Ok(Action {
        size: size * powers,
        columns,
        letters,
        p: p.collect(),
    })
}
