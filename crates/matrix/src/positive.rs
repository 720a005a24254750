//! A game in which a constant was added to all entries, so that they are positive integers. The
//! optimal strategies do not change, and the value becomes positive.

use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, ToPrimitive as _};

use crate::lift::System;
use crate::matrix::{Matrix, Numerators};
use crate::simplex::Basis;
use crate::wide::WideFloat;

/// A game as a matrix of positive integers. Each entry is a numerator of the game plus a constant.
pub(crate) struct PositiveGame<'a> {
    game: &'a Matrix,
    /// The constant that is added to each numerator.
    offset: BigInt,
    /// The greatest entry after the addition.
    max_entry: BigUint,
}

impl<'a> PositiveGame<'a> {
    /// Creates the matrix whose least entry is 1.
    pub(crate) fn minimal(game: &'a Matrix) -> Self {
        Self::with_min_entry(game, |_| BigUint::one())
    }

    /// Creates the matrix whose least entry is an eighth of the spread of the entries. Tiny entries
    /// would be poor pivots in floating point. The greatest entry has at most one bit more than the
    /// spread.
    pub(crate) fn balanced(game: &'a Matrix) -> Self {
        Self::with_min_entry(game, |spread| (spread >> 3_u32).max(BigUint::one()))
    }

    fn with_min_entry(game: &'a Matrix, min_entry: impl Fn(&BigUint) -> BigUint) -> Self {
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
        let min_entry = min_entry(&spread);
        Self {
            game,
            offset: BigInt::from(min_entry.clone()) - least,
            max_entry: spread + min_entry,
        }
    }

    /// Returns the constant that is added to each numerator.
    pub(crate) fn offset(&self) -> &BigInt {
        &self.offset
    }

    /// Returns all entries as floating-point numbers, divided by the greatest entry.
    pub(crate) fn cells(&self) -> Vec<f64> {
        // The sum cannot overflow: numerators are below 2^61, and `offset` is below 2^61 plus an
        // eighth of the spread.
        if let (Some((words, offset)), Some(most)) = (self.words(), self.max_entry.to_u64()) {
            let scale = 1.0 / most as f64;
            return words.iter().map(|&x| (x + offset) as f64 * scale).collect();
        }
        // The first 64 bits are more than the precision of `f64`.
        let drop = self.max_entry.bits().saturating_sub(64);
        let leading = |x: &BigInt| (x >> drop).to_f64().unwrap_or(0.0);
        let scale = 1.0 / leading(&self.max_entry.clone().into());
        let (m, n) = (self.game.rows(), self.game.columns());
        (0..m)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| leading(&self.entry(i, j)) * scale)
            .collect()
    }

    /// Returns all entries with a precision of 1024 bits, divided by a power of two near the
    /// greatest entry.
    pub(crate) fn wide_cells(&self) -> Vec<WideFloat> {
        // A power of two near the greatest entry suffices as divisor, since the tolerance only
        // requires entries of about 1.
        let down = -(self.max_entry.bits() as i64);
        let (m, n) = (self.game.rows(), self.game.columns());
        (0..m)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| WideFloat::new(self.entry(i, j), down))
            .collect()
    }

    /// Returns the numerators and the added constant, if all of them fit in machine words.
    fn words(&self) -> Option<(&'a [i64], i64)> {
        match self.game.numerators() {
            Numerators::Words(words) => Some((words, self.offset.to_i64()?)),
            Numerators::Long(_) => None,
        }
    }

    /// Returns the entry in row `i` and column `j`.
    pub(crate) fn entry(&self, i: usize, j: usize) -> BigInt {
        self.game.numerator(i, j) + &self.offset
    }

    /// Returns the entry in row `i` and column `j` modulo p.
    pub(crate) fn residue(&self, i: usize, j: usize, p: u64) -> u32 {
        let rest = match self.words() {
            Some((words, offset)) => (words[i * self.game.columns() + j] + offset) as u64 % p,
            None => (self.entry(i, j) % p)
                .to_u64()
                .expect("positive and below p"),
        };
        rest as u32
    }

    /// Returns the system of linear equations whose matrix is the submatrix with the rows and
    /// columns of a basis.
    pub(crate) fn system(&self, basis: &Basis) -> System {
        let (k, n) = (basis.rows.len(), self.game.columns());
        let bits = self.max_entry.bits();
        let cells = basis
            .rows
            .iter()
            .flat_map(|&i| basis.columns.iter().map(move |&j| (i, j)));
        let Some((words, offset)) = self.words() else {
            let entries = cells.map(|(i, j)| {
                let entry = self.entry(i, j);
                entry.magnitude().to_u32_digits().into_iter()
            });
            return System::new(k, bits, entries);
        };
        let entries = cells.map(|(i, j)| {
            let entry = (words[i * n + j] + offset) as u64;
            [entry as u32, (entry >> 32) as u32].into_iter()
        });
        System::new(k, bits, entries)
    }

    /// Returns an upper estimate of the number of bits of the determinant of the submatrix with the
    /// rows and columns of a basis.
    pub(crate) fn determinant_bits(&self, basis: &Basis) -> u64 {
        let scale = self.max_entry.bits() as f64 * basis.rows.len() as f64;
        // By Hadamard's inequality it is at most k times the bits of the greatest entry plus half
        // the bits of k. The estimate from the pivots is closer. A margin of 64 bits is added to it
        // for rounding errors.
        let size = basis.rows.len() as f64;
        let most = scale + size * (size.log2() / 2.0 + 1.0);
        (basis.determinant_bits + scale).clamp(0.0, most) as u64 + 64
    }
}
