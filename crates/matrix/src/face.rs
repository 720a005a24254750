//! The optimal strategies of one player. They form a polytope, which is given by its extreme
//! points.
//!
//! Let q be any optimal strategy of the column player, and v the value. By complementary slackness,
//! an optimal strategy p of the row player uses only rows with (Aq)_i = v. Against p, every column
//! that q uses pays exactly v. These equations are solved first. What remains is a cone in the few
//! free coordinates, whose extreme rays are listed by the double description method.
//!
//! H. Weyl, Elementary proof of a minimax theorem due to von Neumann, Contributions to the Theory
//! of Games I (1950), 19-25. T. S. Motzkin, H. Raiffa, G. L. Thompson, R. M. Thrall, The double
//! description method, Contributions to the Theory of Games II (1953), 51-73.

use grundy_base::{Limits, Stop};
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::guarantee;
use crate::matrix::Matrix;
use crate::mixed::Mixed;
use crate::modular::{prime_below, rank};
use crate::positive::PositiveGame;
use crate::rays::{Cone, Rays, axis};
use crate::solve::{MatrixSolution, solve};

/// The extreme optimal strategies of one player. The optimal strategies are exactly their mixtures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtremeStrategies {
    /// The extreme strategies, in decreasing order of their lists of weights. There is at least
    /// one.
    pub strategies: Vec<Mixed>,
    /// `true` if all extreme strategies are listed.
    pub complete: bool,
}

impl ExtremeStrategies {
    /// Returns whether there is only one optimal strategy. Returns `None` if this is not known.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, face, solve};
    /// let limits = grundy_base::Limits::default();
    /// // Rows 0 and 1 are equal, so the row player can replace one by the other.
    /// let game = Matrix::from_integers(2, &[1, 0, 1, 0, 0, 2]);
    /// let solution = solve(&game, &limits).unwrap();
    /// let rows = face::of_rows(&game, &solution, 10, &limits).unwrap();
    /// let columns = face::of_columns(&game, &solution, 10, &limits).unwrap();
    /// assert_eq!((rows.is_unique(), columns.is_unique()), (Some(false), Some(true)));
    /// ```
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        match (self.strategies.len(), self.complete) {
            (1, true) => Some(true),
            (1, false) => None,
            _ => Some(false),
        }
    }
}

/// The rows and columns that determine the optimal strategies of the row player, given an optimal
/// strategy q of the column player.
struct Face {
    /// Rows that are best replies to q, the given strategy of the column player.
    rows: Vec<usize>,
    /// Columns to which q, the given strategy of the column player, gives positive probability.
    played: Vec<usize>,
    /// Columns to which q, the given strategy of the column player, gives probability 0.
    idle: Vec<usize>,
}

impl Face {
    fn new(game: &Matrix, q: &Mixed) -> Self {
        let (_, rows) = guarantee::of_rows(game, q).greatest();
        let played = q.support();
        let idle = (0..game.columns())
            .filter(|j| played.binary_search(j).is_err())
            .collect();
        Self { rows, played, idle }
    }

    /// Returns whether it is known that the row player has only one optimal strategy. It is known
    /// if the equations, one for each played column, determine the strategy.
    ///
    /// Let h be the difference of two optimal strategies. Its support is in `rows`, and it is
    /// orthogonal to every played column of B, the matrix with a constant added to all entries. If
    /// these columns have rank |rows|, then h = 0. The rank modulo a prime is a lower bound on
    /// their rank.
    fn is_point(&self, game: &Matrix) -> bool {
        let (k, l) = (self.rows.len(), self.played.len());
        if k > l {
            return false;
        }
        // The rank modulo a prime takes only word operations, and it suffices for generic games. So
        // the integer elimination below is needed only for degenerate games.
        let p = prime_below(1 << 28);
        let positive = PositiveGame::minimal(game);
        let mut residues = Vec::with_capacity(k * l);
        for &i in &self.rows {
            for &j in &self.played {
                residues.push(positive.residue(i, j, p));
            }
        }
        rank(p, l, residues) == k
    }
}

/// Returns the extreme optimal strategies of the row player, at most `max_count` of them.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// One elimination if there is only one optimal strategy. Otherwise the time is exponential in the
/// worst case, which is why `max_count` is needed.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, face, solve};
/// let limits = grundy_base::Limits::default();
/// let game = Matrix::from_integers(2, &[1, 0, 1, 0, 0, 2]);
/// let solution = solve(&game, &limits).unwrap();
/// let rows = face::of_rows(&game, &solution, 10, &limits).unwrap();
/// assert_eq!((rows.strategies.len(), rows.complete), (2, true));
/// ```
pub fn of_rows(
    game: &Matrix,
    solution: &MatrixSolution,
    max_count: usize,
    limits: &Limits<'_>,
) -> Result<ExtremeStrategies, Stop> {
    extreme(
        game,
        &solution.row_strategy,
        &solution.column_strategy,
        max_count,
        limits,
    )
}

/// Returns the extreme optimal strategies of the column player, at most `max_count` of them.
///
/// # Errors
/// A limit that was reached.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, face, solve};
/// let limits = grundy_base::Limits::default();
/// let game = Matrix::from_integers(3, &[1, 1, 0, 0, 0, 2]);
/// let solution = solve(&game, &limits).unwrap();
/// let columns = face::of_columns(&game, &solution, 10, &limits).unwrap().strategies;
/// assert_eq!(columns.len(), 2);
/// assert_eq!((columns[0].support(), columns[1].support()), (vec![0, 2], vec![1, 2]));
/// ```
pub fn of_columns(
    game: &Matrix,
    solution: &MatrixSolution,
    max_count: usize,
    limits: &Limits<'_>,
) -> Result<ExtremeStrategies, Stop> {
    extreme(
        &game.negated_transpose(),
        &solution.column_strategy,
        &solution.row_strategy,
        max_count,
        limits,
    )
}

/// Largest number of word operations of an integer elimination. It takes roughly a second.
const MAX_ELIMINATION_STEPS: u64 = 1 << 25;
/// Largest number of rays that the cone may have at any step of [`Cone::cut`], for each strategy
/// that may be listed.
const RAYS_PER_STRATEGY: usize = 20;
/// The limit on rays is at least this number, even if few strategies may be listed.
const MIN_RAYS: usize = 2_000;
/// Largest number of free coordinates of a cone that is cut. The initial cone has one ray for each
/// free coordinate, and each ray is a vector of all free coordinates.
const MAX_DIMENSION: usize = 1_000;
/// Estimated memory for one weight of a strategy, in bytes.
const WEIGHT_BYTES: u64 = 24;

fn extreme(
    game: &Matrix,
    p: &Mixed,
    q: &Mixed,
    max_count: usize,
    limits: &Limits<'_>,
) -> Result<ExtremeStrategies, Stop> {
    // The usual cases need no elimination: there is only one best reply, or the rank modulo a prime
    // shows that there is no second strategy.
    let face = Face::new(game, q);
    if face.rows.len() == 1 || face.is_point(game) {
        return Ok(ExtremeStrategies {
            strategies: vec![p.clone()],
            complete: true,
        });
    }
    // Fraction-free elimination takes about k l min(k, l) multiplications. Its entries are minors
    // of up to min(k, l) rows, so they have up to `words` words.
    let (k, l) = (face.rows.len() as u64, face.played.len() as u64);
    let words = 1 + k.min(l) * bits(game) / 64;
    if k * l * k.min(l) * words > MAX_ELIMINATION_STEPS {
        return partial_list(game, p, limits);
    }
    // Against an optimal p, all played columns pay the same amount. It is the value, because
    // against q all rows of the face win the value. Differences of columns have shorter numbers.
    let first = face.played[0];
    let excess = |j: usize| -> Vec<BigInt> {
        let rows = face.rows.iter();
        rows.map(|&i| game.numerator(i, j) - game.numerator(i, first))
            .collect()
    };
    let equations = face.played[1..].iter().map(|&j| excess(j)).collect();
    let SolvedSystem {
        free,
        dependent,
        denominator,
    } = eliminate(equations, face.rows.len(), limits)?;
    // A point of the cone is given by its free coordinates. The other coordinates are linear forms
    // in these. So is the amount by which an unused column pays more than a played one. A form
    // without negative coefficients follows from x >= 0 and is dropped. Without this, a game of
    // 1000 by 1000 equal entries took 31 s instead of 0.1 s.
    let can_be_negative = |row: &Vec<BigInt>| row.iter().any(BigInt::is_negative);
    let forms = dependent.iter().map(|(_, row)| row.clone());
    let mut inequalities: Vec<Vec<BigInt>> = forms.filter(can_be_negative).collect();
    for &j in &face.idle {
        limits.poll()?;
        let column = excess(j);
        let mut row: Vec<BigInt> = free.iter().map(|&f| &column[f] * &denominator).collect();
        for (index, linear) in &dependent {
            for (to, by) in row.iter_mut().zip(linear) {
                *to += &column[*index] * by;
            }
        }
        if can_be_negative(&row) {
            inequalities.push(row);
        }
    }
    let dimension = free.len();
    // Without inequalities the cone is the whole orthant. Its rays are the axes, and nothing is
    // cut.
    let (rays, complete) = if inequalities.is_empty() {
        let listed = dimension.min(max_count.max(1));
        limits.check(listed as u64, WEIGHT_BYTES * game.rows() as u64)?;
        (
            (0..listed).map(|k| axis(dimension, k)).collect(),
            dimension <= max_count,
        )
    } else if dimension > MAX_DIMENSION {
        return partial_list(game, p, limits);
    } else {
        // While the cone is cut, the number of rays may grow before it shrinks. So the limit on
        // rays is greater than `max_count`.
        let max_rays = max_count.saturating_mul(RAYS_PER_STRATEGY).max(MIN_RAYS);
        let cone = Cone::orthant(dimension, inequalities.len());
        let Rays::All(rays) = cone.cut(inequalities, max_rays, limits)? else {
            return partial_list(game, p, limits);
        };
        let complete = rays.len() <= max_count;
        (rays, complete)
    };
    let mut strategies: Vec<Mixed> = rays
        .into_iter()
        .map(|ray| {
            let mut weights = vec![BigInt::zero(); game.rows()];
            for (&f, x) in free.iter().zip(&ray) {
                weights[face.rows[f]] = x * &denominator;
            }
            for (index, linear) in &dependent {
                weights[face.rows[*index]] = linear.iter().zip(&ray).map(|(a, x)| a * x).sum();
            }
            // The weights are not negative, so their absolute values are the same. `from_weights`
            // removes the common factor.
            let weights = weights.into_iter().map(|w| w.into_parts().1).collect();
            Mixed::from_weights(weights).expect("a ray is not 0")
        })
        .collect();
    // The strategies are sorted, so that the result does not depend on the order of the
    // inequalities.
    strategies.sort();
    strategies.reverse();
    strategies.truncate(max_count.max(1));
    Ok(ExtremeStrategies {
        strategies,
        complete,
    })
}

/// Returns at most two optimal strategies, for a game with too many extreme optimal strategies to
/// list. The first is `p`. The second is found by solving the game with rows and columns in reverse
/// order, and is omitted if it equals `p`.
fn partial_list(game: &Matrix, p: &Mixed, limits: &Limits<'_>) -> Result<ExtremeStrategies, Stop> {
    let rows: Vec<usize> = (0..game.rows()).rev().collect();
    let columns: Vec<usize> = (0..game.columns()).rev().collect();
    // A second strategy proves that `p` is not unique. If the order is reversed, the simplex method
    // breaks ties differently.
    let reversed = solve(&game.restricted(&rows, &columns), limits)?.row_strategy;
    let weights = rows.iter().map(|&i| reversed.weight(i).clone()).collect();
    let other = Mixed::from_weights(weights).expect("a strategy plays something");
    let mut strategies = vec![p.clone()];
    if &other != p {
        strategies.push(other);
    }
    Ok(ExtremeStrategies {
        strategies,
        complete: false,
    })
}

/// Returns the number of bits of the longest entry.
fn bits(game: &Matrix) -> u64 {
    let rows = 0..game.rows();
    rows.flat_map(|i| (0..game.columns()).map(move |j| (i, j)))
        .map(|(i, j)| game.numerator(i, j).bits())
        .max()
        .unwrap_or(0)
}

/// The solution of a homogeneous system. Each coordinate that is not free, multiplied by
/// `denominator`, is a linear form in the free coordinates.
struct SolvedSystem {
    free: Vec<usize>,
    dependent: Vec<(usize, Vec<BigInt>)>,
    denominator: BigInt,
}

/// Solves a homogeneous system by fraction-free Gauss-Jordan elimination. Every entry is a minor of
/// the system, and the common denominator is the last pivot.
fn eliminate(
    mut rows: Vec<Vec<BigInt>>,
    unknowns: usize,
    limits: &Limits<'_>,
) -> Result<SolvedSystem, Stop> {
    let mut denominator = BigInt::one();
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..unknowns {
        limits.poll()?;
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|&r| !rows[r][column].is_zero()) else {
            continue;
        };
        rows.swap(done, found);
        let pivot_row = std::mem::take(&mut rows[done]);
        let pivot = pivot_row[column].clone();
        // By Bareiss, every new entry is divisible by the previous pivot. Rows above the pivot are
        // reduced as well, so that no back substitution is needed.
        for (r, row) in rows.iter_mut().enumerate() {
            if r != done {
                let factor = row[column].clone();
                for (x, by) in row.iter_mut().zip(&pivot_row) {
                    *x = (&*x * &pivot - &factor * by) / &denominator;
                }
            }
        }
        rows[done] = pivot_row;
        denominator = pivot;
        pivots.push(column);
    }
    let free: Vec<usize> = (0..unknowns).filter(|c| !pivots.contains(c)).collect();
    // If the denominator is negative, the sign is moved to the forms. A positive denominator
    // preserves the direction of the inequalities.
    let sign = denominator.signum();
    let dependent = pivots
        .iter()
        .zip(&rows)
        .map(|(&column, row)| (column, free.iter().map(|&f| -&row[f] * &sign).collect()))
        .collect();
    Ok(SolvedSystem {
        free,
        dependent,
        denominator: denominator.abs(),
    })
}
