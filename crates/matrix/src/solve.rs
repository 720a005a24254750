//! Solves a game: its value, and an optimal strategy of each player.
//!
//! The solver first searches for a saddle point. If there is none, the simplex method in floating
//! point proposes a basis. The linear systems of the basis are solved exactly, and the two
//! strategies are verified by the inequalities pᵀA >= v >= Aq. If this fails, the solver tries
//! again with a perturbation, and then with numbers of 1024 bits. The last resort is the simplex
//! method in integers, which always succeeds.
//!
//! The idea to repair a floating-point solution exactly is described by D. Applegate, W. Cook, S.
//! Dash, D. Espinoza, Exact solutions to linear programming problems, Oper. Res. Letters 35 (2007),
//! 693-699.

use grundy_base::{Limits, Stop};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero as _;

use crate::guarantee;
use crate::lift::{Lift, SystemForm};
use crate::matrix::Matrix;
use crate::mixed::Mixed;
use crate::positive::PositiveGame;
use crate::saddle::{self, PureGuarantees};
use crate::simplex::{self, Basis};
use crate::tableau;

/// The method that found a solution. With every method, the solution is verified exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolvedBy {
    /// The search for a saddle point.
    SaddlePoint,
    /// The simplex method in floating point. The system of its last basis was solved exactly.
    Simplex,
    /// The simplex method in integers.
    IntegerPivoting,
}

impl SolvedBy {
    /// Returns the name of the method in JSON.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, solve};
    /// let limits = grundy_base::Limits::default();
    /// let method = |entries| solve(&Matrix::from_integers(2, entries), &limits).unwrap().method;
    /// assert_eq!(method(&[3, 1, 2, 0]).name(), "saddle_point");
    /// assert_eq!(method(&[1, 0, 0, 2]).name(), "simplex");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SaddlePoint => "saddle_point",
            Self::Simplex => "simplex",
            Self::IntegerPivoting => "integer_pivoting",
        }
    }
}

/// The value of a game, and an optimal strategy of each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixSolution {
    /// The value of the game: the row player can guarantee this amount on average, and the column
    /// player can limit the row player to it.
    pub value: BigRational,
    /// An optimal strategy of the row player. It is an extreme point of the set of optimal
    /// strategies.
    pub row_strategy: Mixed,
    /// An optimal strategy of the column player. It is an extreme point of the set of optimal
    /// strategies.
    pub column_strategy: Mixed,
    /// The guarantees of pure strategies.
    pub pure: PureGuarantees,
    /// The method that found the solution.
    pub method: SolvedBy,
}

/// Size of the perturbation of the right-hand sides in the second attempt.
const RETRY_PERTURBATION: f64 = 1e-5;

/// Memory in bytes for each entry of the game. It covers the entry in the tableau, the numerator,
/// and the digits in the linear system.
const ENTRY_BYTES: u64 = 32;

/// Solves a game.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// O((m + n) m n) machine operations on average for m rows and n columns. In addition, O(k^3)
/// operations on long numbers for a support of k choices. Integer pivoting, if it is needed, has no
/// polynomial bound.
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
    limits.check(game.rows() as u64 * game.columns() as u64, ENTRY_BYTES)?;
    // The search for a saddle point takes one pass over the entries. It also solves the games in
    // which all entries are equal.
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
    let solution = |(value, row_strategy, column_strategy), pure, method| MatrixSolution {
        value,
        row_strategy,
        column_strategy,
        pure,
        method,
    };
    let positive = PositiveGame::balanced(game);
    let (m, n) = (game.rows(), game.columns());
    // The attempts are ordered from fast to slow. The perturbation in the second one resolves ties
    // that the first cannot break.
    for attempt in 0..3 {
        let basis = match attempt {
            0 => simplex::basis(m, n, positive.cells(), 0.0, limits)?,
            1 => simplex::basis(m, n, positive.cells(), RETRY_PERTURBATION, limits)?,
            // The third attempt is for games whose entries differ too much in size for `f64`.
            _ => simplex::basis(m, n, positive.wide_cells(), 0.0, limits)?,
        };
        if let Some(basis) = basis
            && let Some(answer) = solve_basis(game, &positive, &basis, limits)?
        {
            return Ok(solution(answer, pure, SolvedBy::Simplex));
        }
    }
    let (p, q) = tableau::optimum(&PositiveGame::minimal(game), m, n, limits)?;
    let answer = verify_pair(game, p, q).expect("a tableau without a positive cost is optimal");
    Ok(solution(answer, pure, SolvedBy::IntegerPivoting))
}

/// Returns the value and the strategies of a basis, if the strategies are optimal.
fn solve_basis(
    game: &Matrix,
    positive: &PositiveGame<'_>,
    basis: &Basis,
    limits: &Limits<'_>,
) -> Result<Option<(BigRational, Mixed, Mixed)>, Stop> {
    let system = positive.system(basis);
    let Some(lift) = Lift::new(&system) else {
        return Ok(None);
    };
    // The column weights y solve B y = 1 on the basis, and the row weights x solve Bᵀ x = 1. Both
    // use the same factors.
    let bits = positive.determinant_bits(basis);
    let Some(q) = lift.weights(SystemForm::Straight, bits, limits)? else {
        return Ok(None);
    };
    let Some(p) = lift.weights(SystemForm::Transposed, bits, limits)? else {
        return Ok(None);
    };
    limits.poll()?;
    let p = extend_weights(game.rows(), &basis.rows, p);
    let q = extend_weights(game.columns(), &basis.columns, q);
    Ok(verify_pair(game, p, q))
}

/// Extends weights of some choices to all `count` choices. The others get weight 0.
fn extend_weights(count: usize, choices: &[usize], weights: Vec<BigUint>) -> Vec<BigUint> {
    let mut all = vec![BigUint::zero(); count];
    for (&choice, weight) in choices.iter().zip(weights) {
        all[choice] = weight;
    }
    all
}

/// Returns the value and both strategies, if the guarantees of p and q are equal. This comparison
/// is exact, so it proves that p and q are optimal, however they were found.
fn verify_pair(
    game: &Matrix,
    p: Vec<BigUint>,
    q: Vec<BigUint>,
) -> Option<(BigRational, Mixed, Mixed)> {
    let (p, q) = (Mixed::from_weights(p)?, Mixed::from_weights(q)?);
    let (floor, _) = guarantee::of_columns(game, &p).least();
    let (ceiling, _) = guarantee::of_rows(game, &q).greatest();
    (floor == ceiling).then_some((floor, p, q))
}
