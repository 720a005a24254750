//! The game with a constant added, so that all entries are positive integers: optimal strategies
//! stay the same, and the value becomes positive.

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, ToPrimitive as _};

use crate::lift::System;
use crate::matrix::{Matrix, Numerators};
use crate::simplex::Basis;
use crate::wide::Wide;

/// A game seen as a matrix of positive integers: numerators plus a constant.
pub(crate) struct Positive<'a> {
    game: &'a Matrix,
    /// What is added to each numerator.
    added: BigInt,
    /// The greatest entry after that.
    most: BigUint,
}

impl<'a> Positive<'a> {
    /// Adds just so much that the least entry is 1.
    pub(crate) fn least(game: &'a Matrix) -> Self {
        Self::raised(game, |_| BigUint::one())
    }

    /// Adds so much that the least entry is an eighth of the spread of the entries: floating point
    /// likes that better, and the spread gets no more bits.
    pub(crate) fn balanced(game: &'a Matrix) -> Self {
        Self::raised(game, |spread| (spread >> 3_u32).max(BigUint::one()))
    }

    fn raised(game: &'a Matrix, lowest: impl Fn(&BigUint) -> BigUint) -> Self {
        let (least, most) = match game.numerators() {
            Numerators::Words(words) => {
                let least = *words.iter().min().expect("a matrix has entries");
                let most = *words.iter().max().expect("a matrix has entries");
                (least.into(), most.into())
            }
            Numerators::Long(long) => {
                let least = long.iter().min().expect("a matrix has entries");
                let most = long.iter().max().expect("a matrix has entries");
                (least.clone(), most.clone())
            }
        };
        let spread = (&most - &least)
            .to_biguint()
            .expect("the greatest entry is not below the least");
        let lowest = lowest(&spread);
        Self {
            game,
            added: BigInt::from(lowest.clone()) - least,
            most: spread + lowest,
        }
    }

    /// What was added to each numerator.
    pub(crate) fn added(&self) -> &BigInt {
        &self.added
    }

    /// Returns the entries divided by the greatest one, rounded.
    pub(crate) fn cells(&self) -> Vec<f64> {
        if let (Some((words, added)), Some(most)) = (self.words(), self.most.to_u64()) {
            let scale = 1.0 / most as f64;
            return words.iter().map(|&x| (x + added) as f64 * scale).collect();
        }
        // The leading 64 bits carry more than a float keeps.
        let drop = self.most.bits().saturating_sub(64);
        let leading = |x: &BigInt| (x >> drop).to_f64().unwrap_or(0.0);
        let scale = 1.0 / leading(&self.most.clone().into());
        let (m, n) = (self.game.rows(), self.game.columns());
        (0..m)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| leading(&self.entry(i, j)) * scale)
            .collect()
    }

    /// Returns the same with a thousand bits.
    pub(crate) fn wide_cells(&self) -> Vec<Wide> {
        // A power of two near the greatest entry: 1 is aimed at, not needed.
        let down = -(self.most.bits() as i64);
        let (m, n) = (self.game.rows(), self.game.columns());
        (0..m)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| Wide::new(self.entry(i, j), down))
            .collect()
    }

    /// Returns the numerators and what is added to them, if both are machine words.
    fn words(&self) -> Option<(&'a [i64], i64)> {
        match self.game.numerators() {
            Numerators::Words(words) => Some((words, self.added.to_i64()?)),
            Numerators::Long(_) => None,
        }
    }

    /// Returns one entry.
    pub(crate) fn entry(&self, i: usize, j: usize) -> BigInt {
        self.game.numerator(i, j) + &self.added
    }

    /// Returns one entry modulo p.
    pub(crate) fn residue(&self, i: usize, j: usize, p: u64) -> u32 {
        let rest = match self.words() {
            Some((words, added)) => (words[i * self.game.columns() + j] + added) as u64 % p,
            None => (self.entry(i, j) % p)
                .to_u64()
                .expect("positive and below p"),
        };
        rest as u32
    }

    /// Returns the system of the basis.
    pub(crate) fn system(&self, basis: &Basis) -> System {
        let (k, n) = (basis.rows.len(), self.game.columns());
        let bits = self.most.bits();
        let cells = basis
            .rows
            .iter()
            .flat_map(|&i| basis.columns.iter().map(move |&j| (i, j)));
        let Some((words, added)) = self.words() else {
            let entries = cells.map(|(i, j)| {
                let entry = self.entry(i, j);
                entry.magnitude().to_u32_digits().into_iter()
            });
            return System::new(k, bits, entries);
        };
        let entries = cells.map(|(i, j)| {
            let entry = (words[i * n + j] + added) as u64;
            [entry as u32, (entry >> 32) as u32].into_iter()
        });
        System::new(k, bits, entries)
    }

    /// Returns an estimate from above of the bits of the determinant of the basis.
    pub(crate) fn determinant_bits(&self, basis: &Basis) -> u64 {
        let scale = self.most.bits() as f64 * basis.rows.len() as f64;
        // At most k times the bits of the greatest entry and of k, by Hadamard's inequality.
        let size = basis.rows.len() as f64;
        let most = scale + size * (size.log2() / 2.0 + 1.0);
        (basis.determinant_bits + scale).clamp(0.0, most) as u64 + 64
    }
}
