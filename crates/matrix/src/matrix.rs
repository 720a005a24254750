//! The matrix of a game: rational entries over one common denominator.

use std::cmp::Ordering;

use grundy_base::Stop;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::divisor::lcm;

/// Most rows, and most columns, of a game.
pub const MOST_STRATEGIES: usize = 20_000;
/// Most entries of a game.
pub const MOST_ENTRIES: usize = 4_000_000;
/// Most bits all numerators together may take.
const MOST_BITS: u64 = 1 << 28;
/// Most bits of the common denominator.
pub(crate) const MOST_DENOMINATOR_BITS: u64 = 1 << 14;
/// Numerators below this bound, in absolute value, are kept in machine words: sums of two of them
/// fit.
const WORD: i64 = 1 << 61;

/// An exact number as read: most are small integers, and a million of them should not be a million
/// boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer that fits a machine word.
    Small(i64),
    /// Any other rational number.
    Ratio(Box<BigRational>),
}

impl From<BigRational> for Number {
    fn from(ratio: BigRational) -> Self {
        match ratio.is_integer().then(|| ratio.numer().to_i64()).flatten() {
            Some(small) => Self::Small(small),
            None => Self::Ratio(Box::new(ratio)),
        }
    }
}

impl From<i64> for Number {
    fn from(small: i64) -> Self {
        Self::Small(small)
    }
}

/// A matrix game: `rows` strategies of the row player, `columns` of the column player, and what the
/// row player wins.
///
/// Entries are numerators over one common denominator, so that comparing two entries is comparing
/// two integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    denominator: BigInt,
    numerators: Numerators,
}

/// The numerators, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Numerators {
    /// All of them smaller than 2^61 in absolute value.
    Words(Vec<i64>),
    /// At least one of them is larger.
    Long(Vec<BigInt>),
}

impl Matrix {
    /// Returns the game with these entries, row after row, `columns` to a row.
    ///
    /// # Errors
    /// [`Stop::Memory`] where a common denominator would make the numbers too long to hold.
    ///
    /// # Panics
    /// When there are no entries or the last row is not full; readers check that with a place to
    /// point at.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{BigRational, Matrix};
    /// let half = BigRational::new(1.into(), 2.into());
    /// let game = Matrix::new(2, &[3.into(), half.clone().into()]).unwrap();
    /// assert_eq!(game.entry(0, 1), half);
    /// ```
    pub fn new(columns: usize, entries: &[Number]) -> Result<Self, Stop> {
        assert!(
            columns > 0 && !entries.is_empty() && entries.len().is_multiple_of(columns),
            "a matrix is a rectangle with at least one entry"
        );
        let rows = entries.len() / columns;
        let mut denominator = BigInt::one();
        for entry in entries {
            if let Number::Ratio(ratio) = entry
                && !ratio.denom().is_one()
                && !(&denominator % ratio.denom()).is_zero()
            {
                denominator = lcm(&denominator, ratio.denom(), MOST_DENOMINATOR_BITS)
                    .ok_or(Stop::Memory(MOST_BITS / 8))?;
            }
        }
        let numerators = scale(entries, &denominator)?;
        Ok(Self {
            rows,
            columns,
            denominator,
            numerators,
        })
    }

    /// Returns the same game built from integers; for tests and examples.
    ///
    /// # Panics
    /// As [`Matrix::new`].
    #[must_use]
    pub fn from_integers(columns: usize, entries: &[i64]) -> Self {
        let entries: Vec<Number> = entries.iter().map(|&entry| entry.into()).collect();
        Self::new(columns, &entries).expect("integers need no common denominator")
    }

    /// Returns the number of strategies of the row player.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of strategies of the column player.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What the column player pays when row `i` meets column `j`, both from 0.
    #[must_use]
    pub fn entry(&self, i: usize, j: usize) -> BigRational {
        BigRational::new(self.numerator(i, j), self.denominator.clone())
    }

    /// Returns the entry times [`Matrix::denominator`].
    #[must_use]
    pub fn numerator(&self, i: usize, j: usize) -> BigInt {
        match &self.numerators {
            Numerators::Words(words) => words[i * self.columns + j].into(),
            Numerators::Long(long) => long[i * self.columns + j].clone(),
        }
    }

    /// Returns the common denominator, positive; not always the least one.
    #[must_use]
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    pub(crate) fn numerators(&self) -> &Numerators {
        &self.numerators
    }

    /// How the entry at one place compares with the entry at another.
    #[must_use]
    pub fn compare(&self, a: (usize, usize), b: (usize, usize)) -> Ordering {
        let (a, b) = (a.0 * self.columns + a.1, b.0 * self.columns + b.1);
        match &self.numerators {
            Numerators::Words(words) => words[a].cmp(&words[b]),
            Numerators::Long(long) => long[a].cmp(&long[b]),
        }
    }

    /// Returns the game in which these rows compete with row `base`: what each wins more than it,
    /// in these columns.
    ///
    /// # Panics
    /// When a list is empty or an index is none of the game.
    #[must_use]
    pub fn differences(&self, base: usize, rows: &[usize], columns: &[usize]) -> Self {
        let mut game = self.restricted(rows, columns);
        let base = base * self.columns;
        let row = columns.iter().map(|&j| base + j).cycle();
        match (&mut game.numerators, &self.numerators) {
            (Numerators::Words(words), Numerators::Words(all)) => {
                words.iter_mut().zip(row).for_each(|(x, c)| *x -= all[c]);
                // Differences of words can be one bit longer.
                if words.iter().any(|x| x.abs() >= WORD) {
                    let long = words.iter().map(|&x| x.into()).collect();
                    game.numerators = Numerators::Long(long);
                }
            }
            (Numerators::Long(long), Numerators::Long(all)) => {
                long.iter_mut().zip(row).for_each(|(x, c)| *x -= &all[c]);
            }
            _ => unreachable!("a restricted game keeps its kind of numbers"),
        }
        game
    }

    /// Returns the game with the chairs exchanged: the column player chooses rows, and what one
    /// wins the other loses.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let (m, n) = (self.rows, self.columns);
        let cells = || (0..n).flat_map(move |j| (0..m).map(move |i| i * n + j));
        let numerators = match &self.numerators {
            Numerators::Words(words) => Numerators::Words(cells().map(|c| -words[c]).collect()),
            Numerators::Long(long) => Numerators::Long(cells().map(|c| -&long[c]).collect()),
        };
        Self {
            rows: n,
            columns: m,
            denominator: self.denominator.clone(),
            numerators,
        }
    }

    /// Returns the game in which only these rows and columns may be chosen, in this order.
    ///
    /// # Panics
    /// When a list is empty or an index is none of the game.
    #[must_use]
    pub fn restricted(&self, rows: &[usize], columns: &[usize]) -> Self {
        assert!(!rows.is_empty() && !columns.is_empty(), "a choice is left");
        let n = self.columns;
        let cells = || {
            rows.iter()
                .flat_map(move |&i| columns.iter().map(move |&j| i * n + j))
        };
        let numerators = match &self.numerators {
            Numerators::Words(words) => Numerators::Words(cells().map(|c| words[c]).collect()),
            Numerators::Long(long) => Numerators::Long(cells().map(|c| long[c].clone()).collect()),
        };
        Self {
            rows: rows.len(),
            columns: columns.len(),
            denominator: self.denominator.clone(),
            numerators,
        }
    }
}

/// Entries times the common denominator, in machine words if all of them fit.
fn scale(entries: &[Number], denominator: &BigInt) -> Result<Numerators, Stop> {
    let word = denominator.to_i64();
    let small = |entry: &Number| {
        let scaled = match (entry, word) {
            (Number::Small(small), Some(word)) => small.checked_mul(word)?,
            (Number::Ratio(ratio), _) => {
                (ratio.numer() * (denominator / ratio.denom())).to_i64()?
            }
            (Number::Small(0), None) => 0,
            (Number::Small(_), None) => return None,
        };
        (-WORD < scaled && scaled < WORD).then_some(scaled)
    };
    if let Some(words) = entries.iter().map(small).collect() {
        return Ok(Numerators::Words(words));
    }
    let mut bits = 0_u64;
    let mut long = Vec::with_capacity(entries.len());
    for entry in entries {
        let scaled = match entry {
            Number::Small(small) => denominator * small,
            Number::Ratio(ratio) => ratio.numer() * (denominator / ratio.denom()),
        };
        bits += scaled.abs().bits();
        if bits > MOST_BITS {
            return Err(Stop::Memory(MOST_BITS / 8));
        }
        long.push(scaled);
    }
    Ok(Numerators::Long(long))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_the_common_denominator() {
        let ratios: Vec<BigRational> = [(1, 2), (-2, 3), (5, 1), (0, 1), (7, 12), (-1, 4)]
            .map(|(a, b): (i64, i64)| BigRational::new(a.into(), b.into()))
            .to_vec();
        let game = Matrix::new(
            3,
            &ratios.iter().cloned().map(Number::from).collect::<Vec<_>>(),
        )
        .unwrap();
        assert_eq!(game.denominator(), &BigInt::from(12));
        for (c, ratio) in ratios.iter().enumerate() {
            assert_eq!(&game.entry(c / 3, c % 3), ratio);
            assert_eq!(game.exchanged().entry(c % 3, c / 3), -ratio);
        }
        assert_eq!(game.restricted(&[1], &[2, 0]).entry(0, 0), ratios[5]);
        assert!(matches!(game.numerators(), Numerators::Words(_)));
    }

    #[test]
    fn far_apart_entries_are_long() {
        let tiny = BigRational::new(1.into(), BigInt::from(10).pow(30));
        let game = Matrix::new(2, &[tiny.clone().into(), 7.into()]).unwrap();
        assert_eq!(game.entry(0, 0), tiny);
        assert_eq!(game.entry(0, 1), BigRational::from_integer(7.into()));
        assert!(matches!(game.numerators(), Numerators::Long(_)));
    }

    #[test]
    fn unrelated_denominators_are_stopped_before_memory_is() {
        let entries: Vec<Number> = (0..200_000_u64)
            .map(|i| BigRational::new(1.into(), (1_000_003 + 2 * i).into()).into())
            .collect();
        assert!(matches!(Matrix::new(1000, &entries), Err(Stop::Memory(_))));
    }
}
