//! The payoffs that mixed strategies guarantee, in exact arithmetic, and the best replies to them.
//!
//! Every solution of the solver is verified with this module. Let p be a mixed strategy of the row
//! player, and q one of the column player. Then p guarantees the row player at least min pᵀA, and q
//! limits the row player to at most max Aq. If these two numbers are equal, both strategies are
//! optimal, and the number is the value of the game.

use std::ops::Mul;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use crate::matrix::{Matrix, Numerators};
use crate::mixed::Mixed;

/// The average payoff for each choice of one player against a mixed strategy of the other. The
/// payoffs are numerators over a common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payoffs {
    numerators: Vec<BigInt>,
    denominator: BigInt,
}

impl Payoffs {
    /// Returns the average payoff to the row player if the player who replies to the mixed strategy
    /// makes choice `k`.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, Mixed, guarantee};
    /// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
    /// let payoffs = guarantee::of_columns(&game, &Mixed::pure(2, 1));
    /// assert_eq!([0, 1].map(|k| payoffs.payoff(k).to_string()), ["0", "2"]);
    /// ```
    #[must_use]
    pub fn payoff(&self, k: usize) -> BigRational {
        BigRational::new(self.numerators[k].clone(), self.denominator.clone())
    }

    /// Returns the number of choices of the player who replies to the mixed strategy.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, Mixed, guarantee};
    /// let game = Matrix::from_integers(3, &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(guarantee::of_columns(&game, &Mixed::pure(2, 0)).choices(), 3);
    /// assert_eq!(guarantee::of_rows(&game, &Mixed::pure(3, 0)).choices(), 2);
    /// ```
    #[must_use]
    pub fn choices(&self) -> usize {
        self.numerators.len()
    }

    /// Returns the least payoff, and all choices with this payoff. If the column player is the one
    /// who replies to a mixed strategy, these choices are the best replies.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, Mixed, guarantee};
    /// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
    /// let halves = Mixed::from_weights([1_u32, 1].map(Into::into).to_vec()).unwrap();
    /// let (floor, replies) = guarantee::of_columns(&game, &halves).least();
    /// assert_eq!((floor.to_string(), replies), ("1/2".to_owned(), vec![0]));
    /// ```
    #[must_use]
    pub fn least(&self) -> (BigRational, Vec<usize>) {
        self.extreme(self.numerators.iter().min())
    }

    /// Returns the greatest payoff, and all choices with this payoff. If the row player is the one
    /// who replies to a mixed strategy, these choices are the best replies.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, Mixed, guarantee};
    /// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
    /// let halves = Mixed::from_weights([1_u32, 1].map(Into::into).to_vec()).unwrap();
    /// let (ceiling, replies) = guarantee::of_rows(&game, &halves).greatest();
    /// assert_eq!((ceiling.to_string(), replies), ("1".to_owned(), vec![1]));
    /// ```
    #[must_use]
    pub fn greatest(&self) -> (BigRational, Vec<usize>) {
        self.extreme(self.numerators.iter().max())
    }

    fn extreme(&self, numerator: Option<&BigInt>) -> (BigRational, Vec<usize>) {
        let numerator = numerator.expect("a player has choices");
        let choices = (0..self.numerators.len())
            .filter(|&k| &self.numerators[k] == numerator)
            .collect();
        (
            BigRational::new(numerator.clone(), self.denominator.clone()),
            choices,
        )
    }
}

/// Computes, for each column, the average payoff against the mixed strategy p of the row player:
/// pᵀA.
///
/// # Panics
/// If `p` is not a strategy of the row player.
///
/// # Complexity
/// O(s n) multiplications of an entry by a weight of `p`, if the support of `p` has s rows and the
/// game has n columns.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, Mixed, guarantee};
/// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
/// let p = Mixed::from_weights([2_u32, 1].map(Into::into).to_vec()).unwrap();
/// let (floor, answers) = guarantee::of_columns(&game, &p).least();
/// assert_eq!((floor.to_string(), answers), ("2/3".to_owned(), vec![0, 1]));
/// ```
#[must_use]
pub fn of_columns(game: &Matrix, p: &Mixed) -> Payoffs {
    assert_eq!(p.choices(), game.rows(), "one probability for each row");
    let (n, support) = (game.columns(), p.support());
    let numerators = match game.numerators() {
        Numerators::Words(words) => WeightDigits::new(words, p, &support).map_or_else(
            || column_sums(words, n, p, &support),
            |digits| digits.columns(words, n),
        ),
        Numerators::Long(long) => column_sums(long, n, p, &support),
    };
    Payoffs {
        numerators,
        denominator: game.denominator() * BigInt::from(p.total().clone()),
    }
}

/// Computes, for each row, the average payoff against the mixed strategy q of the column player:
/// Aq.
///
/// # Panics
/// If `q` is not a strategy of the column player.
///
/// # Complexity
/// O(m s) multiplications of an entry by a weight of `q`, if the game has m rows and the support of
/// `q` has s columns.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, Mixed, guarantee};
/// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
/// let q = Mixed::from_weights([2_u32, 1].map(Into::into).to_vec()).unwrap();
/// let (ceiling, replies) = guarantee::of_rows(&game, &q).greatest();
/// assert_eq!((ceiling.to_string(), replies), ("2/3".to_owned(), vec![0, 1]));
/// ```
#[must_use]
pub fn of_rows(game: &Matrix, q: &Mixed) -> Payoffs {
    assert_eq!(
        q.choices(),
        game.columns(),
        "one probability for each column"
    );
    let (n, support) = (game.columns(), q.support());
    let numerators = match game.numerators() {
        Numerators::Words(words) => WeightDigits::new(words, q, &support).map_or_else(
            || row_sums(words, n, q, &support),
            |digits| digits.rows(words, n),
        ),
        Numerators::Long(long) => row_sums(long, n, q, &support),
    };
    Payoffs {
        numerators,
        denominator: game.denominator() * BigInt::from(q.total().clone()),
    }
}

/// Returns the average payoff to the row player if both players use mixed strategies: pᵀAq.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, Mixed, guarantee};
/// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
/// let halves = Mixed::from_weights([1_u32, 1].map(Into::into).to_vec()).unwrap();
/// assert_eq!(guarantee::expected(&game, &halves, &halves).to_string(), "3/4");
/// assert_eq!(guarantee::expected(&game, &halves, &Mixed::pure(2, 1)).to_string(), "1");
/// ```
#[must_use]
pub fn expected(game: &Matrix, p: &Mixed, q: &Mixed) -> BigRational {
    let rows = of_rows(game, q);
    let sum: BigInt = p
        .support()
        .into_iter()
        .map(|i| BigInt::from(p.weight(i).clone()) * &rows.numerators[i])
        .sum();
    BigRational::new(sum, rows.denominator * BigInt::from(p.total().clone()))
}

/// Returns, for each column, the sum of its entries weighted by `p`.
fn column_sums<T>(entries: &[T], n: usize, p: &Mixed, support: &[usize]) -> Vec<BigInt>
where
    for<'a> &'a BigInt: Mul<&'a T, Output = BigInt>,
{
    let mut sums = vec![BigInt::ZERO; n];
    for &i in support {
        let weight = BigInt::from(p.weight(i).clone());
        for (sum, entry) in sums.iter_mut().zip(&entries[i * n..][..n]) {
            *sum += &weight * entry;
        }
    }
    sums
}

/// Returns, for each row, the sum of its entries weighted by `q`.
fn row_sums<T>(entries: &[T], n: usize, q: &Mixed, support: &[usize]) -> Vec<BigInt>
where
    for<'a> &'a BigInt: Mul<&'a T, Output = BigInt>,
{
    let weights: Vec<BigInt> = support
        .iter()
        .map(|&j| q.weight(j).clone().into())
        .collect();
    let row = |row: &[T]| {
        let terms = support.iter().zip(&weights);
        terms.map(|(&j, weight)| weight * &row[j]).sum()
    };
    entries.chunks(n).map(row).collect()
}

/// Weights that are split into digits, so that a sum of products of entries and digits fits in a
/// machine word.
///
/// The least entry of the game is subtracted from all entries, so that they are nonnegative and
/// below 2^32. At the end, `offset` is added to each weighted sum to correct for this.
struct WeightDigits<'a> {
    support: &'a [usize],
    least: i64,
    /// The least entry times the sum of the weights.
    offset: BigInt,
    /// Number of bits of a digit: 32, 16 or 8. It is the largest of these numbers for which a sum
    /// of products of entries and digits fits in 64 bits.
    bits: u32,
    /// The digits of the weights. There is one vector for each digit, the least significant first,
    /// with an element for each choice in the support.
    digits: Vec<Vec<u32>>,
}

impl<'a> WeightDigits<'a> {
    fn new(words: &[i64], mixed: &Mixed, support: &'a [usize]) -> Option<Self> {
        let least = *words.iter().min()?;
        let most = *words.iter().max()?;
        let range = u32::try_from(most.checked_sub(least)?).ok()?;
        // A sum has at most as many bits as an entry, a digit, and the number of terms together.
        // This total must not exceed 64.
        let room = 64
            - (u32::BITS - range.leading_zeros())
            - (usize::BITS - support.len().leading_zeros());
        let bits = [32, 16, 8].into_iter().find(|&bits| bits <= room)?;
        let weights = support.iter().map(|&k| mixed.weight(k));
        let length = weights
            .clone()
            .map(BigUint::bits)
            .max()?
            .div_ceil(u64::from(bits)) as usize;
        let mut digits = vec![vec![0; support.len()]; length];
        for (k, weight) in weights.enumerate() {
            let parts = (32 / bits) as usize;
            for (at, digit) in weight.iter_u32_digits().enumerate() {
                for part in 0..parts {
                    if let Some(row) = digits.get_mut(at * parts + part) {
                        let cut = u64::from(digit) >> (bits as usize * part);
                        row[k] = (cut & ((1 << bits) - 1)) as u32;
                    }
                }
            }
        }
        Some(Self {
            support,
            least,
            offset: BigInt::from(mixed.total().clone()) * least,
            bits,
            digits,
        })
    }

    /// Returns the weighted sum of each column. Makes one pass over the rows of the support for
    /// each digit of the weights.
    fn columns(&self, words: &[i64], n: usize) -> Vec<BigInt> {
        // A block of columns stays in the cache until all digits are processed.
        const BLOCK: usize = 256;
        let mut sums = Vec::with_capacity(n);
        let mut entries = vec![0_u32; BLOCK * self.support.len()];
        let mut totals = vec![[0_u64; BLOCK]; self.digits.len()];
        for start in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - start);
            for (&i, row) in self.support.iter().zip(entries.chunks_mut(BLOCK)) {
                for (to, &entry) in row.iter_mut().zip(&words[i * n + start..][..width]) {
                    *to = (entry - self.least) as u32;
                }
            }
            for (digits, total) in self.digits.iter().zip(&mut totals) {
                *total = [0; BLOCK];
                for (&digit, row) in digits.iter().zip(entries.chunks(BLOCK)) {
                    for (sum, &entry) in total.iter_mut().zip(row) {
                        *sum += u64::from(digit) * u64::from(entry);
                    }
                }
            }
            sums.extend((0..width).map(|j| self.sum(totals.iter().map(|total| total[j]))));
        }
        sums
    }

    /// Returns the weighted sum of each row. Processes all digits of the weights while a row is in
    /// the cache.
    fn rows(&self, words: &[i64], n: usize) -> Vec<BigInt> {
        let mut entries = vec![0_u32; self.support.len()];
        words
            .chunks(n)
            .map(|row| {
                for (to, &j) in entries.iter_mut().zip(self.support) {
                    *to = (row[j] - self.least) as u32;
                }
                self.sum(self.digits.iter().map(|digits| {
                    let products = digits.iter().zip(&entries);
                    products.map(|(&d, &e)| u64::from(d) * u64::from(e)).sum()
                }))
            })
            .collect()
    }

    /// Returns the number with the given digits, plus the offset. A digit may have up to 64 bits,
    /// and its excess is carried to the next digit.
    fn sum(&self, digits: impl Iterator<Item = u64>) -> BigInt {
        let mask = (1_u128 << self.bits) - 1;
        let (mut carry, mut word, mut filled) = (0_u128, 0_u32, 0);
        let mut words = Vec::with_capacity(self.digits.len() + 3);
        let mut push = |digit: u32| {
            word |= digit << filled;
            filled += self.bits;
            if filled == 32 {
                words.push(word);
                (word, filled) = (0, 0);
            }
        };
        for digit in digits {
            carry += u128::from(digit);
            push((carry & mask) as u32);
            carry >>= self.bits;
        }
        // The last carry has at most 64 bits. The last word is padded with zeros.
        for _ in 0..(64 / self.bits + 32 / self.bits) {
            push((carry & mask).to_u32().unwrap_or(0));
            carry >>= self.bits;
        }
        BigInt::from(BigUint::new(words)) + &self.offset
    }
}
