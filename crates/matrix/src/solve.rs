//! The value of a game and an optimal strategy of each player.
//!
//! Saddle points are looked for first. Otherwise the simplex method in floating point proposes a
//! basis, its linear systems are solved exactly, and the two strategies are put back into pᵀA >= v
//! >= Aq. If that fails, it is tried again with numbers of a thousand bits, and then the simplex
//! method is run in integers, where it cannot fail.
//!
//! Source: D. Applegate, W. Cook, S. Dash, D. Espinoza, Exact solutions to linear programming
//! problems, Oper. Res. Letters 35 (2007), 693-699, for the idea of exact repair after floats.

use grundy_base::{Limits, Stop};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero as _;

use crate::guarantee;
use crate::lift::{Lift, LiftedSide};
use crate::matrix::Matrix;
use crate::mixed::Mixed;
use crate::positive::Positive;
use crate::saddle::{self, Pure};
use crate::simplex::{self, Basis};
use crate::tableau;

/// How a solution was found. However it was found, it has been checked exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolvedBy {
    /// A saddle point.
    SaddlePoint,
    /// The simplex method, its last basis solved exactly.
    Simplex,
    /// The simplex method in integers from the beginning.
    IntegerPivoting,
}

impl SolvedBy {
    /// Returns the name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SaddlePoint => "saddle_point",
            Self::Simplex => "simplex",
            Self::IntegerPivoting => "integer_pivoting",
        }
    }
}

/// The value of a game with an optimal strategy of each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixSolution {
    /// What the row player can guarantee on average, and the column player can hold the row player
    /// to.
    pub value: BigRational,
    /// An optimal strategy of the row player, an extreme one.
    pub row_strategy: Mixed,
    /// An optimal strategy of the column player, an extreme one.
    pub column_strategy: Mixed,
    /// What pure strategies can do.
    pub pure: Pure,
    /// How it was found.
    pub method: SolvedBy,
}

/// How far right-hand sides are moved when a first attempt has failed.
const SHAKE: f64 = 1e-5;

/// Bytes held for each entry while solving: the tableau, the numerators, and digits of both.
const BYTES: u64 = 32;

/// Solves a game.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// Expected O((m + n) m n) machine operations for m rows and n columns, plus O(k^3) of multi-word
/// arithmetic for a support of k choices. Integer pivoting, if it is needed, has no polynomial
/// bound.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, solve};
/// // Ferguson, Game Theory, part II, 1.2: odd or even.
/// let game = Matrix::from_integers(2, &[-2, 3, 3, -4]);
/// let solution = solve(&game, &grundy_base::Limits::default()).unwrap();
/// assert_eq!(solution.value.to_string(), "1/12");
/// assert_eq!(solution.row_strategy.probability(0).to_string(), "7/12");
/// ```
pub fn solve(game: &Matrix, limits: &Limits<'_>) -> Result<MatrixSolution, Stop> {
    limits.check(game.rows() as u64 * game.columns() as u64, BYTES)?;
    let pure = saddle::pure(game);
    if pure.has_saddle() {
        return Ok(MatrixSolution {
            value: pure.maximin.clone(),
            row_strategy: Mixed::pure(game.rows(), pure.maximin_rows[0]),
            column_strategy: Mixed::pure(game.columns(), pure.minimax_columns[0]),
            pure,
            method: SolvedBy::SaddlePoint,
        });
    }
    let found = |(value, row_strategy, column_strategy), pure, method| MatrixSolution {
        value,
        row_strategy,
        column_strategy,
        pure,
        method,
    };
    let positive = Positive::balanced(game);
    let (m, n) = (game.rows(), game.columns());
    for attempt in 0..3 {
        let basis = match attempt {
            0 => simplex::basis(m, n, positive.cells(), 0.0, limits)?,
            1 => simplex::basis(m, n, positive.cells(), SHAKE, limits)?,
            // Entries lie too far apart for machine numbers.
            _ => simplex::basis(m, n, positive.wide_cells(), 0.0, limits)?,
        };
        if let Some(basis) = basis
            && let Some(answer) = exact(game, &positive, &basis, limits)?
        {
            return Ok(found(answer, pure, SolvedBy::Simplex));
        }
    }
    let (p, q) = tableau::optimum(&Positive::least(game), m, n, limits)?;
    let answer = optimal(game, p, q).expect("a tableau without a positive cost is optimal");
    Ok(found(answer, pure, SolvedBy::IntegerPivoting))
}

/// Returns the strategies of a basis, if they are optimal.
fn exact(
    game: &Matrix,
    positive: &Positive<'_>,
    basis: &Basis,
    limits: &Limits<'_>,
) -> Result<Option<(BigRational, Mixed, Mixed)>, Stop> {
    let system = positive.system(basis);
    let Some(lift) = Lift::new(&system) else {
        return Ok(None);
    };
    let bits = positive.determinant_bits(basis);
    let Some(q) = lift.weights(LiftedSide::Straight, bits, limits)? else {
        return Ok(None);
    };
    let Some(p) = lift.weights(LiftedSide::Transposed, bits, limits)? else {
        return Ok(None);
    };
    limits.poll()?;
    let p = spread(game.rows(), &basis.rows, p);
    let q = spread(game.columns(), &basis.columns, q);
    Ok(optimal(game, p, q))
}

/// Weights of some choices as weights of all.
fn spread(count: usize, choices: &[usize], weights: Vec<BigUint>) -> Vec<BigUint> {
    let mut all = vec![BigUint::zero(); count];
    for (&choice, weight) in choices.iter().zip(weights) {
        all[choice] = weight;
    }
    all
}

/// Returns the value with both strategies, if what p guarantees is what q holds the row player to.
fn optimal(game: &Matrix, p: Vec<BigUint>, q: Vec<BigUint>) -> Option<(BigRational, Mixed, Mixed)> {
    let (p, q) = (Mixed::from_weights(p)?, Mixed::from_weights(q)?);
    let (floor, _) = guarantee::of_columns(game, &p).least();
    let (ceiling, _) = guarantee::of_rows(game, &q).greatest();
    (floor == ceiling).then_some((floor, p, q))
}
