//! One more piece: what follows if sums without it need not be told apart further.
//!
//! Let a finite monoid B be a picture of the sums so far, and let n be the new piece. Whether a sum
//! of state b and k copies of n is losing is worked out from the shortest sum in state b: its
//! options are shorter, or have fewer copies of n. With k the answer for all states depends on that
//! for k - 1 alone, so it comes round. B times the powers of n is the guess. It is right if sums in
//! the same state stay alike beside n; the transition algebra proves it or refutes it.

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};

use super::action::{Action, Letter};

/// Extends a base by a piece with these options, each a state, and this longest play. States of the
/// base keep their numbers; the last column is the new piece's.
pub(super) fn extend(
    base: &Action,
    options: &[u32],
    length: u64,
    limits: &Limits<'_>,
) -> Result<Action, Stop> {
    let copies = Copies::new(base, options, limits)?;
    let mut losing: Vec<FixedBitSet> = Vec::new();
    let back = loop {
        limits.poll()?;
        limits.check(((losing.len() + 1) * base.size) as u64, 1)?;
        let now = copies.beside_one_more(losing.last());
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

/// Which states are losing beside copies of a new piece, by the shortest sum in each.
pub(super) struct Copies<'a> {
    /// The states of the options of the new piece.
    new: &'a [u32],
    /// The states, shorter sums first.
    order: Vec<u32>,
    /// The states of the options of each.
    options: Vec<FixedBitSet>,
    /// Where each option of the new piece takes every state.
    beside: Vec<Vec<u32>>,
}

impl<'a> Copies<'a> {
    pub(super) fn new(base: &Action, new: &'a [u32], limits: &Limits<'_>) -> Result<Self, Stop> {
        let shortest = base.shortest();
        let beside = new.iter().map(|&option| base.acted(option, &shortest));
        Ok(Self {
            new,
            options: base.options(&shortest, limits)?,
            beside: beside.collect(),
            order: shortest.order,
        })
    }

    /// Returns the states that are losing beside one copy more than where these are, or beside
    /// none.
    pub(super) fn beside_one_more(&self, fewer: Option<&FixedBitSet>) -> FixedBitSet {
        let mut now = FixedBitSet::with_capacity(self.options.len());
        for &state in &self.order {
            let state = state as usize;
            let stays = self.options[state].is_disjoint(&now);
            let moves = !self.options[state].is_clear();
            let lost = stays
                && match fewer {
                    Some(fewer) => {
                        let mut beside = self.beside.iter();
                        (moves || !self.new.is_empty())
                            && beside.all(|to| !fewer.contains(to[state] as usize))
                    }
                    None => moves,
                };
            now.set(state, lost);
        }
        now
    }
}
