//! Extension of a monoid by a new piece, under the assumption that no equivalent sums become
//! inequivalent.
//!
//! Let B be a finite monoid of the sums of the earlier pieces, and let n be the new piece. Each
//! element b is represented by its shortest sum S. The outcome of b plus k copies of n is computed
//! as that of S plus k copies of n. A move in this sum either replaces S by an option of S, or
//! replaces one of the k copies by an option of n. The outcomes for k copies depend only on those
//! for k - 1 copies, so they repeat from some k upward. The guess for the new monoid is B times the
//! powers of n, with powers identified according to this repetition. The guess is right if sums
//! with the same element stay equivalent when copies of n are added. The transition algebra proves
//! or refutes this.

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};

use super::action::{Action, Letter};

/// Returns the action `base`, extended by a new piece. `options` has the states of the options of
/// this piece, and `length` is the number of moves in its longest play. States of the base keep
/// their indices. The last column of the result is the map of the states for the new piece.
pub(super) fn extend(
    base: &Action,
    options: &[u32],
    length: u64,
    limits: &Limits<'_>,
) -> Result<Action, Stop> {
    let copies = Copies::new(base, options, limits)?;
    let mut losing: Vec<FixedBitSet> = Vec::new();
    let repeated = loop {
        limits.poll()?;
        limits.check(((losing.len() + 1) * base.size) as u64, 1)?;
        let row = copies.losing_with_one_more_copy(losing.last());
        // Row k depends only on row k - 1. So the first row that occurs again determines the cycle
        // of the powers. There are finitely many rows, hence the loop ends.
        if let Some(repeated) = losing.iter().position(|before| *before == row) {
            break repeated;
        }
        losing.push(row);
    };
    let (size, powers) = (base.size, losing.len());
    // State s plus `power` copies of the new piece has the number power * size + s.
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
            repeated * size + at % size
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

/// Data for the question which states are losing after copies of a new piece are added. Each state
/// is represented by its shortest sum.
pub(super) struct Copies<'a> {
    /// The states of the options of the new piece.
    new: &'a [u32],
    /// The states in ascending order of the lengths of their shortest sums.
    order: Vec<u32>,
    /// For each state, the states of the options of its shortest sum.
    options: Vec<FixedBitSet>,
    /// For each option of the new piece, the state that each state becomes if this option is added.
    option_images: Vec<Vec<u32>>,
}

impl<'a> Copies<'a> {
    /// Creates the data for the states of the base and the options `new` of the new piece.
    pub(super) fn new(base: &Action, new: &'a [u32], limits: &Limits<'_>) -> Result<Self, Stop> {
        let shortest = base.shortest();
        let option_images = new.iter().map(|&option| base.action_of(option, &shortest));
        Ok(Self {
            new,
            options: base.options(&shortest, limits)?,
            option_images: option_images.collect(),
            order: shortest.order,
        })
    }

    /// Returns the states that are losing if k copies are added, given those that are losing if k -
    /// 1 copies are added. For k = 0, the argument is `None`.
    pub(super) fn losing_with_one_more_copy(&self, fewer: Option<&FixedBitSet>) -> FixedBitSet {
        let mut row = FixedBitSet::with_capacity(self.options.len());
        // An option of a sum is shorter than the sum, and the shortest sum of its state is at most
        // as long. Hence when a state is visited, all its options have been decided in `row`.
        for &state in &self.order {
            let state = state as usize;
            let stays = self.options[state].is_disjoint(&row);
            let moves = !self.options[state].is_clear();
            // In misère play the player to move wins a sum without moves. So a losing sum must have
            // a move.
            let lost = stays
                && match fewer {
                    Some(fewer) => {
                        let mut option_images = self.option_images.iter();
                        (moves || !self.new.is_empty())
                            && option_images.all(|to| !fewer.contains(to[state] as usize))
                    }
                    None => moves,
                };
            row.set(state, lost);
        }
        row
    }
}
