//! The simplex method in integers: fraction-free pivoting with Bland's rule. It is used if floating
//! point fails, and to show every step to a reader.
//!
//! All entries of the tableau have a common denominator, which is the previous pivot. Every
//! division is exact (Edmonds, Bareiss). The entries are minors of the matrix, so their length is
//! bounded by Hadamard's inequality.
//!
//! R. G. Bland, New finite pivoting rules for the simplex method, Math. Oper. Res. 2 (1977),
//! 103-107. E. H. Bareiss, Sylvester's identity and multistep integer-preserving Gaussian
//! elimination, Math. Comp. 22 (1968), 565-578.

use grundy_base::{Limits, Stop};
use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Signed as _, Zero as _};

use crate::matrix::Matrix;
use crate::positive::PositiveGame;

/// A variable of the column player's problem. The problem is to maximize the sum of y >= 0 subject
/// to B y + s = 1, s >= 0. Here B is the matrix of the game, with a constant added so that all
/// entries are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// The variable y_j: the weight of column j.
    Column(usize),
    /// The variable s_i: the slack in the inequality of row i.
    Slack(usize),
}

/// A tableau of integers over the common denominator `denominator`. It stores only its nonbasic
/// columns.
///
/// Row i is the equation basic\[i\] + sum over j of cells\[i\]\[j\] nonbasic\[j\] = right\[i\]. The
/// objective is `objective` + sum over j of cost\[j\] nonbasic\[j\]. All numbers in these formulas
/// are numerators over `denominator`, except the coefficient 1 of basic\[i\].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tableau {
    /// The basic variable of each row.
    pub basic: Vec<Variable>,
    /// The nonbasic variable of each column. Its value is 0.
    pub nonbasic: Vec<Variable>,
    /// The coefficient of each nonbasic variable in each row, as a numerator over `denominator`.
    pub cells: Vec<Vec<BigInt>>,
    /// The values of the basic variables, as numerators over `denominator`.
    pub right: Vec<BigInt>,
    /// The coefficient of each nonbasic variable in the objective, as a numerator over
    /// `denominator`.
    pub cost: Vec<BigInt>,
    /// The current value of the objective, as a numerator over `denominator`.
    pub objective: BigInt,
    /// The common denominator: the last pivot, which is positive.
    pub denominator: BigInt,
}

impl Tableau {
    /// Returns the initial tableau, in which all slacks are basic.
    pub(crate) fn new(positive: &PositiveGame<'_>, m: usize, n: usize) -> Self {
        Self {
            basic: (0..m).map(Variable::Slack).collect(),
            nonbasic: (0..n).map(Variable::Column).collect(),
            cells: (0..m)
                .map(|i| (0..n).map(|j| positive.entry(i, j)).collect())
                .collect(),
            right: vec![BigInt::one(); m],
            cost: vec![BigInt::one(); n],
            objective: BigInt::zero(),
            denominator: BigInt::one(),
        }
    }

    /// Returns the row of the leaving variable and the column of the entering one, by Bland's rule.
    /// Returns `None` if the tableau is optimal.
    ///
    /// If a variable can enter, there is a leaving row. The entries of the matrix of the game are
    /// made positive in advance, so every variable is bounded by some row.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, tableau};
    /// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
    /// let trace = tableau::trace(&game, &grundy_base::Limits::default()).unwrap();
    /// // The entries are raised by 1. In column 0, row 0 has the least ratio, 1/2.
    /// assert_eq!(trace.steps[0].0.next_pivot(), Some((0, 0)));
    /// assert_eq!(trace.steps.last().unwrap().0.next_pivot(), None);
    /// ```
    #[must_use]
    pub fn next_pivot(&self) -> Option<(usize, usize)> {
        // Bland's rule takes the smallest variable here and in `leaving_row`. This prevents cycles,
        // so the method terminates on every game.
        let column = (0..self.nonbasic.len())
            .filter(|&j| self.cost[j].is_positive())
            .min_by_key(|&j| self.nonbasic[j])?;
        Some((self.leaving_row(column)?, column))
    }

    /// Returns the row whose basic variable becomes 0 first when the nonbasic variable of a column
    /// increases. If there are several such rows, it is the one with the smallest basic variable.
    pub(crate) fn leaving_row(&self, column: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in 0..self.basic.len() {
            let pivot = &self.cells[i][column];
            if !pivot.is_positive() {
                continue;
            }
            best = match best {
                None => Some(i),
                Some(other) => {
                    // The ratios are compared by cross multiplication, since both denominators are
                    // positive.
                    let here = &self.right[i] * &self.cells[other][column];
                    let there = &self.right[other] * pivot;
                    let better =
                        here < there || (here == there && self.basic[i] < self.basic[other]);
                    Some(if better { i } else { other })
                }
            };
        }
        best
    }

    /// Exchanges the basic variable of a row with the nonbasic variable of a column. The entry in
    /// that row and column must be positive.
    pub(crate) fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = std::mem::take(&mut self.cells[row]);
        let right = std::mem::take(&mut self.right[row]);
        let pivot = pivot_row[column].clone();
        let old = &self.denominator;
        // By Sylvester's identity, `cell * pivot - factor * by` is divisible by the previous pivot.
        // So the division by `old` is exact.
        let exchange = |cells: &mut [BigInt]| {
            let factor = cells[column].clone();
            for (j, (cell, by)) in cells.iter_mut().zip(&pivot_row).enumerate() {
                if j == column {
                    continue;
                }
                if factor.is_zero() {
                    // If the factor is 0, only the common denominator changes.
                    if !cell.is_zero() {
                        *cell = &*cell * &pivot / old;
                    }
                } else {
                    *cell = (&*cell * &pivot - &factor * by) / old;
                }
            }
            cells[column] = -&factor;
            factor
        };
        for (i, cells) in self.cells.iter_mut().enumerate() {
            if i != row {
                let factor = exchange(cells);
                let value = &mut self.right[i];
                *value = (&*value * &pivot - factor * &right) / old;
            }
        }
        let factor = exchange(&mut self.cost);
        self.objective = (&self.objective * &pivot + factor * &right) / old;
        // The numerators of the pivot row do not change, since the new denominator is the pivot by
        // which they are divided. The pivot itself becomes the old denominator.
        let mut pivot_row = pivot_row;
        pivot_row[column].clone_from(old);
        self.cells[row] = pivot_row;
        self.right[row] = right;
        self.denominator = pivot;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    /// Returns the weights of the rows and the weights of the columns in an optimal tableau.
    pub(crate) fn weights(&self) -> (Vec<BigUint>, Vec<BigUint>) {
        let (m, n) = (self.basic.len(), self.nonbasic.len());
        let mut rows = vec![BigUint::zero(); m];
        let mut columns = vec![BigUint::zero(); n];
        // Both are numerators over the common denominator, since weights matter only up to a
        // factor. By duality, the weight of a row is the negated cost of its slack.
        for (variable, value) in self.basic.iter().zip(&self.right) {
            if let Variable::Column(j) = *variable {
                columns[j].clone_from(value.magnitude());
            }
        }
        for (variable, cost) in self.nonbasic.iter().zip(&self.cost) {
            if let Variable::Slack(i) = *variable {
                rows[i].clone_from(cost.magnitude());
            }
        }
        (rows, columns)
    }
}

/// Returns the weights of the rows and the weights of the columns in a pair of optimal strategies.
pub(crate) fn optimum(
    positive: &PositiveGame<'_>,
    m: usize,
    n: usize,
    limits: &Limits<'_>,
) -> Result<(Vec<BigUint>, Vec<BigUint>), Stop> {
    let mut tableau = Tableau::new(positive, m, n);
    while let Some((row, column)) = tableau.next_pivot() {
        limits.poll()?;
        tableau.pivot(row, column);
    }
    Ok(tableau.weights())
}

/// All tableaux of the simplex method, from the initial one to the optimal one.
///
/// The entries of the game are first multiplied by `scale`, and then increased by `offset`, so that
/// the least entry is 1. In the last tableau, the value of the game is (denominator / objective -
/// offset) / scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The factor by which the entries are multiplied.
    pub scale: BigInt,
    /// The constant that is added to the entries after this multiplication.
    pub offset: BigInt,
    /// The tableaux, each with the leaving row and entering column of its pivot. The last tableau
    /// has `None`.
    pub steps: Vec<(Tableau, Option<(usize, usize)>)>,
}

/// Largest number of entries of a game that [`trace`] accepts.
pub const MAX_TRACED_ENTRIES: usize = 400;

/// Returns all tableaux of the simplex method with Bland's rule.
///
/// # Errors
/// [`Stop::Positions`] for a game with more than [`MAX_TRACED_ENTRIES`] entries, or a limit that
/// was reached.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, tableau};
/// let game = Matrix::from_integers(2, &[1, 0, 0, 2]);
/// let trace = tableau::trace(&game, &grundy_base::Limits::default()).unwrap();
/// let (last, _) = trace.steps.last().unwrap();
/// // The entries are raised by 1, and 3/5 is the reciprocal of 2/3 + 1.
/// assert_eq!((last.objective.clone(), last.denominator.clone()), (3.into(), 5.into()));
/// ```
pub fn trace(game: &Matrix, limits: &Limits<'_>) -> Result<Trace, Stop> {
    let (m, n) = (game.rows(), game.columns());
    if m * n > MAX_TRACED_ENTRIES {
        return Err(Stop::Positions(MAX_TRACED_ENTRIES as u64));
    }
    let positive = PositiveGame::minimal(game);
    let mut tableau = Tableau::new(&positive, m, n);
    let mut steps = Vec::new();
    while let Some((row, column)) = tableau.next_pivot() {
        limits.check(steps.len() as u64 + 1, (m * n * 64) as u64)?;
        limits.poll()?;
        let next = tableau.clone();
        steps.push((tableau, Some((row, column))));
        tableau = next;
        tableau.pivot(row, column);
    }
    steps.push((tableau, None));
    Ok(Trace {
        scale: game.denominator().clone(),
        offset: positive.offset().clone(),
        steps,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the basic variables of every tableau satisfy the rows of the first one.
    #[test]
    fn every_tableau_is_a_solution_of_the_first() {
        // The entries are values of a quadratic polynomial modulo 19. For these, Bland's rule needs
        // several pivots.
        let entries: Vec<i64> = (0..30).map(|c| (c * c * 7 + 3 * c) % 19 - 9).collect();
        let game = Matrix::from_integers(6, &entries);
        let trace = trace(&game, &Limits::default()).unwrap();
        assert!(trace.steps.len() > 2);
        let mut last = BigInt::zero();
        for (tableau, pivot) in &trace.steps {
            let value = |variable: Variable| {
                let row = tableau.basic.iter().position(|&basic| basic == variable);
                row.map_or(BigInt::zero(), |row| tableau.right[row].clone())
            };
            for i in 0..5 {
                let sum: BigInt = (0..6)
                    .map(|j| (game.numerator(i, j) + &trace.offset) * value(Variable::Column(j)))
                    .sum();
                assert_eq!(sum + value(Variable::Slack(i)), tableau.denominator);
            }
            assert!(tableau.right.iter().all(|x| !x.is_negative()));
            let objective: BigInt = (0..6).map(|j| value(Variable::Column(j))).sum();
            assert_eq!(objective, tableau.objective);
            assert_eq!(
                pivot.is_none(),
                tableau.cost.iter().all(|x| !x.is_positive())
            );
            last = objective;
        }
        assert!(last.is_positive());
    }
}
