//! Certificates of matrix games, and a verifier that shares no code with the solver.
//!
//! A certificate contains the matrix, the value v and two strategies p and q. Suppose that against
//! p every column pays at least v, and that against q no row wins more than v. Then v is the value
//! of the game, and both strategies are optimal. The verifier checks these inequalities in exact
//! arithmetic.

use std::fmt;

use grundy_base::{Message, message};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed, Zero as _};

/// The claims of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixCertificate {
    /// The payoffs to the row player, row by row.
    pub matrix: Vec<Vec<BigRational>>,
    /// The value of the game.
    pub value: BigRational,
    /// An optimal strategy of the row player: one probability for each row.
    pub row_strategy: Vec<BigRational>,
    /// An optimal strategy of the column player: one probability for each column.
    pub col_strategy: Vec<BigRational>,
}

/// The number of inequalities that the verifier checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedMatrix {
    /// Number of rows compared with the value.
    pub rows: usize,
    /// Number of columns compared with the value.
    pub columns: usize,
}

/// The reason why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForgedMatrix {
    /// The matrix is empty or its rows differ in length.
    Shape,
    /// The common denominator of some of the numbers is too long.
    Size,
    /// A strategy has too few or too many probabilities.
    Length(Side),
    /// A probability is negative.
    Negative(Side, usize),
    /// The probabilities do not add up to 1.
    NotOne(Side),
    /// Against the row strategy, this column pays less than the value.
    PaysLess(usize),
    /// Against the column strategy, this row wins more than the value.
    WinsMore(usize),
}

/// The player to whom a strategy belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The row player.
    Row,
    /// The column player.
    Column,
}

impl ForgedMatrix {
    /// Returns a description of the error.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Shape => message!("the matrix is empty or not rectangular"),
            Self::Size => message!("the common denominator of the numbers is too long"),
            Self::Length(Side::Row) => {
                message!("the row strategy does not have one probability for each row")
            }
            Self::Length(Side::Column) => {
                message!("the column strategy does not have one probability for each column")
            }
            Self::Negative(Side::Row, k) => {
                message!("the row strategy is negative at row {k}", k)
            }
            Self::Negative(Side::Column, k) => {
                message!("the column strategy is negative at column {k}", k)
            }
            Self::NotOne(Side::Row) => {
                message!("the probabilities of the row strategy do not add up to 1")
            }
            Self::NotOne(Side::Column) => {
                message!("the probabilities of the column strategy do not add up to 1")
            }
            Self::PaysLess(j) => {
                message!(
                    "column {j} pays less than the value against the row strategy",
                    j
                )
            }
            Self::WinsMore(i) => {
                message!(
                    "row {i} wins more than the value against the column strategy",
                    i
                )
            }
        }
    }
}

impl fmt::Display for ForgedMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ForgedMatrix {}

/// Verifies a certificate.
///
/// # Errors
/// The first error found.
///
/// # Complexity
/// O(m n) multiplications of an entry by a weight, for m rows and n columns.
///
/// # Examples
/// ```
/// use grundy_matrix::certificate::{ForgedMatrix, MatrixCertificate, verify};
/// use grundy_matrix::BigRational;
/// let third = |n: i32| BigRational::new(n.into(), 3.into());
/// let mut certificate = MatrixCertificate {
///     matrix: vec![vec![third(3), third(0)], vec![third(0), third(6)]],
///     value: third(2),
///     row_strategy: vec![third(2), third(1)],
///     col_strategy: vec![third(2), third(1)],
/// };
/// assert!(verify(&certificate).is_ok());
/// certificate.value = third(3);
/// assert_eq!(verify(&certificate), Err(ForgedMatrix::PaysLess(0)));
/// ```
pub fn verify(certificate: &MatrixCertificate) -> Result<CheckedMatrix, ForgedMatrix> {
    let MatrixCertificate {
        matrix,
        value,
        row_strategy,
        col_strategy,
    } = certificate;
    let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    if columns == 0 || matrix.iter().any(|row| row.len() != columns) {
        return Err(ForgedMatrix::Shape);
    }
    // All numbers are converted to integers once. So the inner loop does not reduce fractions,
    // which would require a gcd each.
    let (p, p_total) = whole(row_strategy, rows, Side::Row)?;
    let (q, q_total) = whole(col_strategy, columns, Side::Column)?;
    // Multiplied by `scale`, all entries are integers.
    let scale = common_denominator(matrix.iter().flatten(), rows * columns)?;
    let mut paid = vec![BigInt::zero(); columns];
    let wanted = |total: &BigInt| value.numer() * &scale * total;
    let most = wanted(&q_total);
    for (i, row) in matrix.iter().enumerate() {
        let mut won = BigInt::zero();
        for (j, entry) in row.iter().enumerate() {
            // An entry whose row and column both have probability 0 contributes nothing.
            if p[i].is_zero() && q[j].is_zero() {
                continue;
            }
            let entry = entry.numer() * (&scale / entry.denom());
            won += &entry * &q[j];
            paid[j] += &entry * &p[i];
        }
        if won * value.denom() > most {
            return Err(ForgedMatrix::WinsMore(i));
        }
    }
    let least = wanted(&p_total);
    match paid.iter().position(|paid| paid * value.denom() < least) {
        Some(j) => Err(ForgedMatrix::PaysLess(j)),
        None => Ok(CheckedMatrix { rows, columns }),
    }
}

/// Returns the probabilities as integers over a common total. Returns an error if they do not form
/// a strategy.
fn whole(
    strategy: &[BigRational],
    count: usize,
    side: Side,
) -> Result<(Vec<BigInt>, BigInt), ForgedMatrix> {
    if strategy.len() != count {
        return Err(ForgedMatrix::Length(side));
    }
    if let Some(k) = strategy.iter().position(Signed::is_negative) {
        return Err(ForgedMatrix::Negative(side, k));
    }
    let total = common_denominator(strategy.iter(), count)?;
    let parts: Vec<BigInt> = strategy
        .iter()
        .map(|probability| probability.numer() * (&total / probability.denom()))
        .collect();
    if parts.iter().sum::<BigInt>() != total {
        return Err(ForgedMatrix::NotOne(side));
    }
    Ok((parts, total))
}

/// Largest number of bits of all numerators together, over a common denominator.
const MOST_BITS: u64 = 1 << 31;
/// Largest number of bits of a common denominator.
const MOST_LENGTH: u64 = 1 << 20;

fn common_denominator<'a>(
    numbers: impl Iterator<Item = &'a BigRational>,
    count: usize,
) -> Result<BigInt, ForgedMatrix> {
    let mut common = BigInt::one();
    for number in numbers {
        if !(&common % number.denom()).is_zero() {
            // The gcd of the library takes time quadratic in the length of the longer number. One
            // division first makes that number as short as the other one.
            let shared = (&common % number.denom()).gcd(number.denom());
            common = common / shared * number.denom();
            if common.bits() > MOST_LENGTH || common.bits().saturating_mul(count as u64) > MOST_BITS
            {
                return Err(ForgedMatrix::Size);
            }
        }
    }
    Ok(common)
}
