//! The matrix of a game, with rational entries over a common denominator.

use std::cmp::Ordering;

use grundy_base::Stop;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::divisor::lcm;

/// Largest number of rows of a game. The number of columns has the same limit.
pub const MAX_STRATEGIES: usize = 20_000;
/// Largest number of entries of a game.
pub const MAX_ENTRIES: usize = 4_000_000;
/// Largest number of bits of all numerators together.
const MAX_BITS: u64 = 1 << 28;
/// Largest number of bits of the common denominator.
pub(crate) const MAX_DENOMINATOR_BITS: u64 = 1 << 14;
/// Exclusive upper bound on the absolute value of numerators in machine words. The sum of two such
/// numerators cannot overflow.
const WORD_BOUND: i64 = 1 << 61;

/// An exact number after parsing. Small integers, which are the usual case, need no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer that fits in a machine word.
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

impl From<i32> for Number {
    fn from(small: i32) -> Self {
        Self::Small(small.into())
    }
}

/// A matrix game. The row player has `rows` strategies, and the column player has `columns`. The
/// entries are the payoffs to the row player.
///
/// Entries are numerators over a common denominator, so they can be compared as integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    denominator: BigInt,
    numerators: Numerators,
}

/// The numerators of all entries in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Numerators {
    /// Numerators whose absolute values are all below 2^61.
    Words(Vec<i64>),
    /// Numerators of arbitrary size.
    Long(Vec<BigInt>),
}

impl Matrix {
    /// Creates a game from its entries in row-major order. Each row has `columns` entries.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the numerators or the common denominator become too long.
    ///
    /// # Panics
    /// If there are no entries, or the last row is incomplete. The parsers check this before, and
    /// report the place of the error.
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
        // The least common multiple may grow with every entry. `lcm` limits its length here, before
        // all numerators are multiplied by it.
        let mut denominator = BigInt::one();
        for entry in entries {
            if let Number::Ratio(ratio) = entry
                && !ratio.denom().is_one()
                && !(&denominator % ratio.denom()).is_zero()
            {
                denominator = lcm(&denominator, ratio.denom(), MAX_DENOMINATOR_BITS)
                    .ok_or(Stop::Memory(MAX_BITS / 8))?;
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

    /// Creates a game from integers, for tests and examples.
    ///
    /// # Panics
    /// As [`Matrix::new`].
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Matrix;
    /// let game = Matrix::from_integers(3, &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!((game.rows(), game.columns()), (2, 3));
    /// assert_eq!(game.entry(1, 0).to_string(), "4");
    /// ```
    #[must_use]
    pub fn from_integers(columns: usize, entries: &[i64]) -> Self {
        let entries: Vec<Number> = entries.iter().map(|&entry| entry.into()).collect();
        Self::new(columns, &entries).expect("integers need no common denominator")
    }

    /// Returns the number of strategies of the row player.
    ///
    /// # Examples
    /// ```
    /// let game = grundy_matrix::read::read(b"4 1 -3\n3 2 5\n").unwrap();
    /// assert_eq!(game.rows(), 2);
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of strategies of the column player.
    ///
    /// # Examples
    /// ```
    /// let game = grundy_matrix::read::read(b"4 1 -3\n3 2 5\n").unwrap();
    /// assert_eq!(game.columns(), 3);
    /// ```
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the amount that the column player pays if row `i` meets column `j`, both counted
    /// from 0.
    ///
    /// # Examples
    /// ```
    /// let game = grundy_matrix::read::read(b"1/2 0\n1/3 2\n").unwrap();
    /// assert_eq!(game.entry(1, 0).to_string(), "1/3");
    /// ```
    #[must_use]
    pub fn entry(&self, i: usize, j: usize) -> BigRational {
        BigRational::new(self.numerator(i, j), self.denominator.clone())
    }

    /// Returns the entry in row `i` and column `j`, multiplied by [`Matrix::denominator`].
    ///
    /// # Examples
    /// ```
    /// let game = grundy_matrix::read::read(b"1/2 0\n1/3 2\n").unwrap();
    /// assert_eq!(game.denominator(), &6.into());
    /// assert_eq!([game.numerator(0, 0), game.numerator(1, 0)], [3.into(), 2.into()]);
    /// ```
    #[must_use]
    pub fn numerator(&self, i: usize, j: usize) -> BigInt {
        match &self.numerators {
            Numerators::Words(words) => words[i * self.columns + j].into(),
            Numerators::Long(long) => long[i * self.columns + j].clone(),
        }
    }

    /// Returns the common denominator. It is positive, but need not be the least one.
    ///
    /// # Examples
    /// ```
    /// let game = grundy_matrix::read::read(b"1/4 1/6\n").unwrap();
    /// assert_eq!(game.denominator(), &12.into());
    /// ```
    #[must_use]
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    pub(crate) fn numerators(&self) -> &Numerators {
        &self.numerators
    }

    /// Compares two entries, each given as (row, column).
    ///
    /// # Examples
    /// ```
    /// use std::cmp::Ordering;
    /// let game = grundy_matrix::read::read(b"1/2 0.5\n1/3 2\n").unwrap();
    /// assert_eq!(game.compare((0, 0), (0, 1)), Ordering::Equal);
    /// assert_eq!(game.compare((1, 0), (0, 0)), Ordering::Less);
    /// ```
    #[must_use]
    pub fn compare(&self, a: (usize, usize), b: (usize, usize)) -> Ordering {
        let (a, b) = (a.0 * self.columns + a.1, b.0 * self.columns + b.1);
        match &self.numerators {
            Numerators::Words(words) => words[a].cmp(&words[b]),
            Numerators::Long(long) => long[a].cmp(&long[b]),
        }
    }

    /// Returns the game with only the given rows and columns, after row `base` is subtracted from
    /// each of the rows.
    ///
    /// # Panics
    /// If a list is empty or an index is out of range.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Matrix;
    /// let game = Matrix::from_integers(3, &[1, 0, 5, 0, 2, 7]);
    /// let gain = game.differences(0, &[1], &[0, 1]);
    /// assert_eq!(gain, Matrix::from_integers(2, &[-1, 2]));
    /// ```
    #[must_use]
    pub fn differences(&self, base: usize, rows: &[usize], columns: &[usize]) -> Self {
        let mut game = self.restricted(rows, columns);
        let base = base * self.columns;
        let row = columns.iter().map(|&j| base + j).cycle();
        match (&mut game.numerators, &self.numerators) {
            (Numerators::Words(words), Numerators::Words(all)) => {
                words.iter_mut().zip(row).for_each(|(x, c)| *x -= all[c]);
                // The difference of two words can have one more bit.
                if words.iter().any(|x| x.abs() >= WORD_BOUND) {
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

    /// Returns the game in which the players are exchanged: the transposed matrix with all entries
    /// negated.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Matrix;
    /// let game = Matrix::from_integers(3, &[1, 2, 3, 4, 5, 6]);
    /// let exchanged = game.negated_transpose();
    /// assert_eq!(exchanged, Matrix::from_integers(2, &[-1, -4, -2, -5, -3, -6]));
    /// assert_eq!(exchanged.negated_transpose(), game);
    /// ```
    #[must_use]
    pub fn negated_transpose(&self) -> Self {
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

    /// Returns the game with only the given rows and columns, in the given order.
    ///
    /// # Panics
    /// If a list is empty or an index is out of range.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Matrix;
    /// let game = Matrix::from_integers(3, &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(game.restricted(&[1], &[2, 0]), Matrix::from_integers(2, &[6, 4]));
    /// ```
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

/// Multiplies the entries by the common denominator. If all numerators fit in machine words, it
/// stores them as words.
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
        (-WORD_BOUND < scaled && scaled < WORD_BOUND).then_some(scaled)
    };
    // Games with small entries, which are the usual case, use machine words throughout. If one
    // numerator is long, all of them are stored as long numbers.
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
        if bits > MAX_BITS {
            return Err(Stop::Memory(MAX_BITS / 8));
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
            assert_eq!(game.negated_transpose().entry(c % 3, c / 3), -ratio);
        }
        assert_eq!(game.restricted(&[1], &[2, 0]).entry(0, 0), ratios[5]);
        assert!(matches!(game.numerators(), Numerators::Words(_)));
    }

    #[test]
    fn entries_of_distant_magnitude_use_long_numerators() {
        let tiny = BigRational::new(1.into(), BigInt::from(10).pow(30));
        let game = Matrix::new(2, &[tiny.clone().into(), 7.into()]).unwrap();
        assert_eq!(game.entry(0, 0), tiny);
        assert_eq!(game.entry(0, 1), BigRational::from_integer(7.into()));
        assert!(matches!(game.numerators(), Numerators::Long(_)));
    }

    #[test]
    fn unrelated_denominators_reach_the_memory_limit() {
        // The least common multiple of the primes among these denominators alone has more than
        // 500,000 bits.
        let entries: Vec<Number> = (0..200_000_u64)
            .map(|i| BigRational::new(1.into(), (1_000_003 + 2 * i).into()).into())
            .collect();
        assert!(matches!(Matrix::new(1000, &entries), Err(Stop::Memory(_))));
    }
}
