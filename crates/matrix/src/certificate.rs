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
pub struct VerifiedMatrix {
    /// Number of rows compared with the value.
    pub rows: usize,
    /// Number of columns compared with the value.
    pub columns: usize,
}

/// The reason why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CertificateError {
    /// The matrix is empty or its rows differ in length.
    Shape,
    /// The common denominator of the matrix entries, or of the probabilities of a strategy, is too
    /// long.
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

impl CertificateError {
    /// Returns a description of the error.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::certificate::{CertificateError, Side};
    /// let error = CertificateError::Negative(Side::Row, 2);
    /// assert_eq!(error.message(), "the row strategy is negative at row 2");
    /// ```
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Shape => message!("the matrix is empty or not rectangular"),
            Self::Size => message!("the common denominator of the numbers has too many digits"),
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
                    "against the row strategy, column {j} pays the row player less than the value",
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

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for CertificateError {}

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
/// use grundy_matrix::certificate::{CertificateError, MatrixCertificate, verify};
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
/// assert_eq!(verify(&certificate), Err(CertificateError::PaysLess(0)));
/// ```
pub fn verify(certificate: &MatrixCertificate) -> Result<VerifiedMatrix, CertificateError> {
    let MatrixCertificate {
        matrix,
        value,
        row_strategy,
        col_strategy,
    } = certificate;
    let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    if columns == 0 || matrix.iter().any(|row| row.len() != columns) {
        return Err(CertificateError::Shape);
    }
    // All numbers are converted to integers once. So the inner loop does not reduce fractions,
    // which would require a gcd each.
    let (p, p_total) = integer_weights(row_strategy, rows, Side::Row)?;
    let (q, q_total) = integer_weights(col_strategy, columns, Side::Column)?;
    // Multiplied by `scale`, all entries are integers.
    let scale = common_denominator(matrix.iter().flatten(), rows * columns)?;
    let mut column_payoffs = vec![BigInt::zero(); columns];
    let scaled_value = |total: &BigInt| value.numer() * &scale * total;
    let max = scaled_value(&q_total);
    for (i, row) in matrix.iter().enumerate() {
        let mut row_payoff = BigInt::zero();
        for (j, entry) in row.iter().enumerate() {
            // An entry whose row and column both have probability 0 contributes nothing.
            if p[i].is_zero() && q[j].is_zero() {
                continue;
            }
            let entry = entry.numer() * (&scale / entry.denom());
            row_payoff += &entry * &q[j];
            column_payoffs[j] += &entry * &p[i];
        }
        if row_payoff * value.denom() > max {
            return Err(CertificateError::WinsMore(i));
        }
    }
    let min = scaled_value(&p_total);
    match column_payoffs
        .iter()
        .position(|payoff| payoff * value.denom() < min)
    {
        Some(j) => Err(CertificateError::PaysLess(j)),
        None => Ok(VerifiedMatrix { rows, columns }),
    }
}

/// Returns the probabilities as integers over a common total. Returns an error if they do not form
/// a strategy.
fn integer_weights(
    strategy: &[BigRational],
    count: usize,
    side: Side,
) -> Result<(Vec<BigInt>, BigInt), CertificateError> {
    if strategy.len() != count {
        return Err(CertificateError::Length(side));
    }
    if let Some(k) = strategy.iter().position(Signed::is_negative) {
        return Err(CertificateError::Negative(side, k));
    }
    let total = common_denominator(strategy.iter(), count)?;
    let parts: Vec<BigInt> = strategy
        .iter()
        .map(|probability| probability.numer() * (&total / probability.denom()))
        .collect();
    if parts.iter().sum::<BigInt>() != total {
        return Err(CertificateError::NotOne(side));
    }
    Ok((parts, total))
}

/// Largest number of bits of all numerators together, after conversion to a common denominator.
const MAX_BITS: u64 = 1 << 31;
/// Largest number of bits of a common denominator.
const MAX_COMMON_DENOMINATOR_BITS: u64 = 1 << 20;

fn common_denominator<'a>(
    numbers: impl Iterator<Item = &'a BigRational>,
    count: usize,
) -> Result<BigInt, CertificateError> {
    let mut common = BigInt::one();
    for number in numbers {
        if !(&common % number.denom()).is_zero() {
            // The gcd of the library takes time quadratic in the length of the longer number. One
            // division first makes that number as short as the other one.
            let shared = (&common % number.denom()).gcd(number.denom());
            common = common / shared * number.denom();
            if common.bits() > MAX_COMMON_DENOMINATOR_BITS
                || common.bits().saturating_mul(count as u64) > MAX_BITS
            {
                return Err(CertificateError::Size);
            }
        }
    }
    Ok(common)
}
