//! All optimal strategies of one player, as the cone of the extreme ones.
//!
//! Let q be any optimal strategy of the column player, v the value. By complementary slackness an
//! optimal p plays only rows with (Aq)_i = v, and every column that q plays pays exactly v against
//! it. These equations are solved first; what is left is a cone in the few free coordinates, and
//! the double description method lists its rays.
//!
//! Sources: H. Weyl, Elementary proof of a minimax theorem due to von Neumann, Contributions to the
//! Theory of Games I (1950), 19-25; T. S. Motzkin, H. Raiffa, G. L. Thompson, R. M. Thrall, The
//! double description method, Contributions to the Theory of Games II (1953), 51-73.

use grundy_base::{Limits, Stop};
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::guarantee;
use crate::matrix::Matrix;
use crate::mixed::Mixed;
use crate::modular::{prime_below, rank};
use crate::positive::Positive;
use crate::rays::{Cone, Rays, axis};
use crate::solve::{MatrixSolution, solve};

/// The extreme optimal strategies of one player; the optimal ones are their mixtures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// In decreasing order of their weights; never none.
    pub strategies: Vec<Mixed>,
    /// `true` if these are all.
    pub complete: bool,
}

impl Extreme {
    /// Returns whether there is only one optimal strategy; nothing where that was not decided.
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        match (self.strategies.len(), self.complete) {
            (1, true) => Some(true),
            (1, false) => None,
            _ => Some(false),
        }
    }
}

/// The rows and columns that matter for the row player's optimal strategies.
struct Face {
    /// Rows that are best answers to q.
    rows: Vec<usize>,
    /// Columns that q plays.
    played: Vec<usize>,
    /// The others.
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

    /// Returns whether the equations alone leave one strategy: a proof that it is the only one.
    ///
    /// Let h be the difference of two optimal strategies: it lives on `rows`, and every played
    /// column of B, the matrix made positive, is orthogonal to it. If these columns have rank
    /// |rows|, then h = 0; a rank modulo a prime is a lower bound of the rank.
    fn is_point(&self, game: &Matrix) -> bool {
        let (k, l) = (self.rows.len(), self.played.len());
        if k > l {
            return false;
        }
        let p = prime_below(1 << 28);
        let positive = Positive::least(game);
        let mut residues = Vec::with_capacity(k * l);
        for &i in &self.rows {
            for &j in &self.played {
                residues.push(positive.residue(i, j, p));
            }
        }
        rank(p, l, residues) == k
    }
}

/// Returns the row player's extreme optimal strategies, at most `most` of them.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// One elimination if there is only one; otherwise exponential in the worst case, which is why
/// there is a limit.
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
    most: usize,
    limits: &Limits<'_>,
) -> Result<Extreme, Stop> {
    extreme(
        game,
        &solution.row_strategy,
        &solution.column_strategy,
        most,
        limits,
    )
}

/// Returns the column player's extreme optimal strategies, at most `most` of them.
///
/// # Errors
/// A limit that was reached.
pub fn of_columns(
    game: &Matrix,
    solution: &MatrixSolution,
    most: usize,
    limits: &Limits<'_>,
) -> Result<Extreme, Stop> {
    extreme(
        &game.exchanged(),
        &solution.column_strategy,
        &solution.row_strategy,
        most,
        limits,
    )
}

/// Most word operations an elimination over the integers may cost, roughly: about a second.
const MOST_ELIMINATION: u64 = 1 << 25;
/// Most rays held while the cone is cut, for each strategy that may be listed; and at least so
/// many.
const RAYS: usize = 20;
const LEAST_RAYS: usize = 2_000;
/// Most free coordinates of a cone that is cut: its first rays are as many vectors of this length.
const MOST_DIMENSION: usize = 1_000;
/// Bytes of a short weight.
const WEIGHT: u64 = 24;

fn extreme(
    game: &Matrix,
    p: &Mixed,
    q: &Mixed,
    most: usize,
    limits: &Limits<'_>,
) -> Result<Extreme, Stop> {
    let face = Face::new(game, q);
    if face.rows.len() == 1 || face.is_point(game) {
        return Ok(Extreme {
            strategies: vec![p.clone()],
            complete: true,
        });
    }
    let (k, l) = (face.rows.len() as u64, face.played.len() as u64);
    let words = 1 + k.min(l) * bits(game) / 64;
    if k * l * k.min(l) * words > MOST_ELIMINATION {
        return some(game, p, limits);
    }
    // Against p all played columns pay the same, and this is the value, because the rows of the
    // face all win the value against q. Differences of columns keep the numbers short.
    let first = face.played[0];
    let excess = |j: usize| -> Vec<BigInt> {
        let rows = face.rows.iter();
        rows.map(|&i| game.numerator(i, j) - game.numerator(i, first))
            .collect()
    };
    let equations = face.played[1..].iter().map(|&j| excess(j)).collect();
    let SolvedFace {
        free,
        bound,
        denominator,
    } = eliminate(equations, face.rows.len(), limits)?;
    // A point of the cone is given by its free coordinates; the bound ones are linear in them, and
    // so are the payments of the idle columns above those of the played ones. A form without a
    // negative coefficient says nothing new about points whose coordinates are not negative.
    let says_something = |row: &Vec<BigInt>| row.iter().any(BigInt::is_negative);
    let bounds = bound.iter().map(|(_, row)| row.clone());
    let mut inequalities: Vec<Vec<BigInt>> = bounds.filter(says_something).collect();
    for &j in &face.idle {
        limits.poll()?;
        let column = excess(j);
        let mut row: Vec<BigInt> = free.iter().map(|&f| &column[f] * &denominator).collect();
        for (index, linear) in &bound {
            for (to, by) in row.iter_mut().zip(linear) {
                *to += &column[*index] * by;
            }
        }
        if says_something(&row) {
            inequalities.push(row);
        }
    }
    let dimension = free.len();
    let (rays, complete) = if inequalities.is_empty() {
        let shown = dimension.min(most.max(1));
        limits.check(shown as u64, WEIGHT * game.rows() as u64)?;
        (
            (0..shown).map(|k| axis(dimension, k)).collect(),
            dimension <= most,
        )
    } else if dimension > MOST_DIMENSION {
        return some(game, p, limits);
    } else {
        let room = most.saturating_mul(RAYS).max(LEAST_RAYS);
        let cone = Cone::orthant(dimension, inequalities.len());
        let Rays::All(rays) = cone.cut(inequalities, room, limits)? else {
            return some(game, p, limits);
        };
        let complete = rays.len() <= most;
        (rays, complete)
    };
    let mut strategies: Vec<Mixed> = rays
        .into_iter()
        .map(|ray| {
            let mut weights = vec![BigInt::zero(); game.rows()];
            for (&f, x) in free.iter().zip(&ray) {
                weights[face.rows[f]] = x * &denominator;
            }
            for (index, linear) in &bound {
                weights[face.rows[*index]] = linear.iter().zip(&ray).map(|(a, x)| a * x).sum();
            }
            let weights = weights.into_iter().map(|w| w.into_parts().1).collect();
            Mixed::from_weights(weights).expect("a ray is not 0")
        })
        .collect();
    strategies.sort();
    strategies.reverse();
    strategies.truncate(most.max(1));
    Ok(Extreme {
        strategies,
        complete,
    })
}

/// Returns the strategies known when all of them are too many: this one, and another one if turning
/// the game round finds one.
fn some(game: &Matrix, p: &Mixed, limits: &Limits<'_>) -> Result<Extreme, Stop> {
    let rows: Vec<usize> = (0..game.rows()).rev().collect();
    let columns: Vec<usize> = (0..game.columns()).rev().collect();
    let turned = solve(&game.restricted(&rows, &columns), limits)?.row_strategy;
    let weights = rows.iter().map(|&i| turned.weight(i).clone()).collect();
    let other = Mixed::from_weights(weights).expect("a strategy plays something");
    let mut strategies = vec![p.clone()];
    if &other != p {
        strategies.push(other);
    }
    Ok(Extreme {
        strategies,
        complete: false,
    })
}

/// Returns the bits of the longest entry.
fn bits(game: &Matrix) -> u64 {
    let rows = 0..game.rows();
    rows.flat_map(|i| (0..game.columns()).map(move |j| (i, j)))
        .map(|(i, j)| game.numerator(i, j).bits())
        .max()
        .unwrap_or(0)
}

/// A solved homogeneous system: `denominator` times bound coordinate = linear form of the free
/// coordinates.
struct SolvedFace {
    free: Vec<usize>,
    bound: Vec<(usize, Vec<BigInt>)>,
    denominator: BigInt,
}

/// Gauss and Jordan without fractions: every entry is a minor, the common denominator the last
/// pivot.
fn eliminate(
    mut rows: Vec<Vec<BigInt>>,
    unknowns: usize,
    limits: &Limits<'_>,
) -> Result<SolvedFace, Stop> {
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
    let sign = denominator.signum();
    let bound = pivots
        .iter()
        .zip(&rows)
        .map(|(&column, row)| (column, free.iter().map(|&f| -&row[f] * &sign).collect()))
        .collect();
    Ok(SolvedFace {
        free,
        bound,
        denominator: denominator.abs(),
    })
}
