//! The simplex method in floating point of any precision. It proposes a basis, which the caller
//! then verifies exactly.
//!
//! For a matrix B of positive numbers, the column player maximizes the sum of the entries of a
//! vector `y >= 0`, subject to `B y <= 1`. The slack variables are a feasible basis, so no search
//! for an initial basis is needed. Only the nonbasic columns of the tableau are stored.
//!
//! The entering column is chosen by the steepest-edge rule. The edge lengths are exact. They need
//! no separate pass over memory, since each pivot adds them up while it updates the tableau.
//!
//! The rule is described by D. Goldfarb, J. K. Reid, A practicable steepest-edge simplex algorithm,
//! Math. Programming 12 (1977), 361-371.

use std::cmp::Ordering;

use grundy_base::{Limits, Stop};

/// A basis: the rows and columns of the submatrix that determines the value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Basis {
    /// Rows of the submatrix, in increasing order. Their inequalities are satisfied with equality.
    pub(crate) rows: Vec<usize>,
    /// Columns of the submatrix, in increasing order. Only these columns have positive weight in
    /// the column player's strategy. There are as many columns as rows.
    pub(crate) columns: Vec<usize>,
    /// Estimated base-2 logarithm of the determinant of the submatrix, with entries scaled as in
    /// the tableau.
    pub(crate) determinant_bits: f64,
}

/// The number type of the entries of a tableau.
pub(crate) trait Real: Clone + PartialOrd {
    /// Creates the number from `x`, whose absolute value must be neither very large nor very small.
    fn from_f64(x: f64) -> Self;
    /// Returns the size below which reduced costs and pivots count as zero. The greatest entry of
    /// the matrix is assumed to be about 1.
    fn tolerance() -> Self;
    fn product(&self, by: &Self) -> Self;
    fn quotient(&self, by: &Self) -> Self;
    fn negated(&self) -> Self;
    /// Subtracts `a * b` from this number.
    fn sub_product(&mut self, a: &Self, b: &Self);
    /// Returns the base-2 logarithm of the absolute value of this number.
    fn log2(&self) -> f64;
    /// Subtracts multiples of the pivot row from all rows. Adds the squares of the new entries to
    /// the lengths of their columns.
    fn eliminate(cells: &mut [Self], factors: &[Self], pivot_row: &[Self], lengths: &mut [Self]);
}

impl Real for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
    fn tolerance() -> Self {
        1e-9
    }
    fn product(&self, by: &Self) -> Self {
        self * by
    }
    fn quotient(&self, by: &Self) -> Self {
        self / by
    }
    fn negated(&self) -> Self {
        -self
    }
    fn sub_product(&mut self, a: &Self, b: &Self) {
        *self -= a * b;
    }
    fn log2(&self) -> f64 {
        self.abs().log2()
    }
    fn eliminate(cells: &mut [Self], factors: &[Self], pivot_row: &[Self], lengths: &mut [Self]) {
        eliminate(cells, factors, pivot_row, lengths);
    }
}

/// Size of the perturbation of the right-hand sides after the method has stalled.
const STALL_PERTURBATION: f64 = 1e-6;

/// A tableau that stores only its nonbasic columns.
struct CondensedTableau<R> {
    m: usize,
    n: usize,
    /// The entries in row-major order.
    cells: Vec<R>,
    right: Vec<R>,
    /// The right-hand sides as they would be without perturbation.
    unperturbed: Vec<R>,
    cost: Vec<R>,
    /// Squared edge length of each column: 1 plus the sum of the squares of its entries.
    lengths: Vec<R>,
    /// The basic variable of each row. Variable j < n is y_j, and variable n + i is the slack of
    /// row i.
    basic: Vec<usize>,
    /// The nonbasic variable of each column.
    nonbasic: Vec<usize>,
    objective: R,
    /// Sum of the base-2 logarithms of all pivots.
    pivots: f64,
}

/// Returns a basis that is optimal within the tolerance. Returns `None` if rounding errors or the
/// limit of pivots prevent this.
///
/// `cells` contains the entries of a positive matrix with m rows and n columns, scaled so that the
/// greatest is about 1. If `perturbation` is positive, the right-hand sides are perturbed by that
/// size from the start. If it is 0, they are perturbed only when degenerate pivots stall the
/// method.
pub(crate) fn basis<R: Real>(
    m: usize,
    n: usize,
    cells: Vec<R>,
    perturbation: f64,
    limits: &Limits<'_>,
) -> Result<Option<Basis>, Stop> {
    let mut tableau = CondensedTableau::new(m, n, cells);
    tableau.perturb(perturbation);
    // Degenerate pivots do not change the objective, and may form a cycle. The method counts as
    // stalled after this number of them in a row. Then a perturbation breaks the ties.
    let max_degenerate_pivots = 20 + (m + n) / 8;
    let minus_tolerance = R::tolerance().negated();
    let one = R::from_f64(1.0);
    let (mut target, mut degenerate_pivots) = (R::tolerance(), 0);
    // Rounding errors can cause a cycle that no perturbation breaks, so the number of pivots is
    // limited. The caller then tries other parameters, or exact pivots.
    for count in 0..200 + 20 * (m + n) {
        if count % 16 == 0 {
            limits.poll()?;
        }
        let Some(column) = tableau.entering() else {
            return tableau.restore(limits);
        };
        // For a positive matrix the problem is bounded. If no row can leave, rounding errors have
        // made the tableau useless.
        let Some(row) = tableau.leaving(column) else {
            return Ok(None);
        };
        tableau.pivot(row, column);
        degenerate_pivots += 1;
        if tableau.objective > target {
            target = tableau.objective.clone();
            target.sub_product(&minus_tolerance, &one);
            degenerate_pivots = 0;
        } else if degenerate_pivots > max_degenerate_pivots {
            tableau.perturb(STALL_PERTURBATION);
            degenerate_pivots = 0;
        }
    }
    Ok(None)
}

impl<R: Real> CondensedTableau<R> {
    fn new(m: usize, n: usize, cells: Vec<R>) -> Self {
        let one = R::from_f64(1.0);
        let mut lengths = vec![one.clone(); n];
        for row in cells.chunks(n) {
            for (length, cell) in lengths.iter_mut().zip(row) {
                length.sub_product(cell, &cell.negated());
            }
        }
        Self {
            m,
            n,
            cells,
            right: vec![one.clone(); m],
            unperturbed: vec![one.clone(); m],
            cost: vec![one; n],
            lengths,
            basic: (n..n + m).collect(),
            nonbasic: (0..n).collect(),
            objective: R::from_f64(0.0),
            pivots: 0.0,
        }
    }

    /// Increases the right-hand sides by different amounts, in order to break ties.
    fn perturb(&mut self, size: f64) {
        let minus_one = R::from_f64(-1.0);
        // The fractional parts of multiples of the golden ratio are different and evenly spread.
        // They are a fixed sequence, so the result is reproducible.
        for (i, right) in self.right.iter_mut().enumerate() {
            let amount = size * (0.5 + (i as f64 * 0.618_033_988_749_895).fract());
            right.sub_product(&R::from_f64(amount), &minus_one);
        }
    }

    /// Returns the column of steepest ascent, which has the greatest ratio of cost to edge length.
    fn entering(&self) -> Option<usize> {
        let tolerance = R::tolerance();
        let mut best = None;
        let mut steepest = R::from_f64(0.0);
        for (j, (cost, length)) in self.cost.iter().zip(&self.lengths).enumerate() {
            // The ratios are compared by their squares, since the lengths are stored squared. A
            // division takes place only at a new maximum.
            if *cost > tolerance {
                let square = cost.product(cost);
                if square > steepest.product(length) {
                    steepest = square.quotient(length);
                    best = Some(j);
                }
            }
        }
        best
    }

    /// Returns the row whose basic variable leaves the basis, by a ratio test with two passes. The
    /// first pass finds the smallest ratio, enlarged by the tolerance. Among the rows whose ratios
    /// do not exceed it, the second pass chooses the largest pivot.
    fn leaving(&self, column: usize) -> Option<usize> {
        let tolerance = R::tolerance();
        let pivot = |i: usize| &self.cells[i * self.n + column];
        let (minus_one, zero) = (R::from_f64(-1.0), R::from_f64(0.0));
        let mut bound: Option<R> = None;
        // The first pass finds the smallest ratio. Every right-hand side is increased by the
        // tolerance. A slightly negative right-hand side is a rounding error and counts as 0.
        for i in 0..self.m {
            let pivot = pivot(i);
            if *pivot > tolerance {
                let right = &self.right[i];
                let mut slack = if *right > zero {
                    right.clone()
                } else {
                    zero.clone()
                };
                slack.sub_product(&tolerance, &minus_one);
                let ratio = slack.quotient(pivot);
                if bound.as_ref().is_none_or(|bound| ratio < *bound) {
                    bound = Some(ratio);
                }
            }
        }
        let bound = bound?;
        // The second pass takes a large pivot, which limits the growth of rounding errors. The row
        // with the smallest ratio often has a tiny pivot.
        let mut best = None;
        let mut largest = &tolerance;
        for i in 0..self.m {
            let pivot = pivot(i);
            if pivot > largest && self.right[i] <= bound.product(pivot) {
                largest = pivot;
                best = Some(i);
            }
        }
        best
    }

    /// Removes the perturbation. Right-hand sides that become negative are repaired by pivots of
    /// the dual simplex method. This is possible since no cost is positive in an optimal tableau.
    fn restore(mut self, limits: &Limits<'_>) -> Result<Option<Basis>, Stop> {
        let below = R::tolerance().negated();
        let order = |a: &R, b: &R| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        for count in 0..self.m + self.n {
            if count % 16 == 0 {
                limits.poll()?;
            }
            let row = (0..self.m)
                .min_by(|&a, &b| order(&self.unperturbed[a], &self.unperturbed[b]))
                .expect("there are rows");
            if self.unperturbed[row] >= below {
                return Ok(Some(self.basis()));
            }
            let cells = &self.cells[row * self.n..][..self.n];
            // The dual ratio test. Cost and entry are both negative, and with the smallest ratio
            // all costs remain nonpositive.
            let column = (0..self.n)
                .filter(|&j| cells[j] < below)
                .map(|j| (j, self.cost[j].quotient(&cells[j])))
                .min_by(|a, b| order(&a.1, &b.1));
            let Some((column, _)) = column else {
                return Ok(None);
            };
            self.pivot(row, column);
        }
        Ok(None)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let n = self.n;
        let zero = R::from_f64(0.0);
        let mut factors: Vec<R> = self.cells[column..].iter().step_by(n).cloned().collect();
        // The determinant of the basis is the product of all pivots, up to its sign. When a
        // variable leaves the basis, its factor is divided out again.
        let pivot = factors[row].clone();
        self.pivots += pivot.log2();
        for i in 0..self.m {
            self.cells[i * n + column] = zero.clone();
        }
        let mut pivot_row: Vec<R> = self.cells[row * n..][..n]
            .iter()
            .map(|x| x.quotient(&pivot))
            .collect();
        pivot_row[column] = R::from_f64(1.0).quotient(&pivot);
        for side in [&mut self.right, &mut self.unperturbed] {
            let step = side[row].quotient(&pivot);
            for (right, factor) in side.iter_mut().zip(&factors) {
                right.sub_product(factor, &step);
            }
            side[row] = step;
        }
        let cost = std::mem::replace(&mut self.cost[column], zero.clone());
        let gain = cost.negated();
        self.objective.sub_product(&gain, &self.unperturbed[row]);
        for (to, by) in self.cost.iter_mut().zip(&pivot_row) {
            to.sub_product(&cost, by);
        }
        // `eliminate` handles all rows in the same way. So the pivot row is set to zero and gets
        // the factor -1, which makes it the scaled pivot row. The pivot column is cleared and
        // becomes -factor / pivot.
        self.cells[row * n..][..n].fill(zero);
        factors[row] = R::from_f64(-1.0);
        self.lengths.fill(R::from_f64(1.0));
        R::eliminate(&mut self.cells, &factors, &pivot_row, &mut self.lengths);
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    fn basis(&self) -> Basis {
        let n = self.n;
        let mut columns: Vec<usize> = self.basic.iter().copied().filter(|&v| v < n).collect();
        let slacks = self.nonbasic.iter().filter(|&&v| v >= n);
        let mut rows: Vec<usize> = slacks.map(|&v| v - n).collect();
        rows.sort_unstable();
        columns.sort_unstable();
        Basis {
            rows,
            columns,
            determinant_bits: self.pivots,
        }
    }
}

/// Subtracts multiples of the pivot row from all rows. Adds the squares of the new entries to the
/// lengths of their columns.
fn eliminate(cells: &mut [f64], factors: &[f64], pivot_row: &[f64], lengths: &mut [f64]) {
    let n = pivot_row.len();
    // Four rows are processed at a time, so that an entry of the pivot row and a length are loaded
    // only once for all four. This loop is the part of a pivot that takes O(m n).
    for (rows, factors) in cells.chunks_mut(4 * n).zip(factors.chunks(4)) {
        if let [f0, f1, f2, f3] = *factors {
            let (r0, rest) = rows.split_at_mut(n);
            let (r1, rest) = rest.split_at_mut(n);
            let (r2, r3) = rest.split_at_mut(n);
            let rows = r0.iter_mut().zip(r1).zip(r2.iter_mut().zip(r3));
            for (((x0, x1), (x2, x3)), (by, length)) in
                rows.zip(pivot_row.iter().zip(lengths.iter_mut()))
            {
                *x0 -= f0 * by;
                *x1 -= f1 * by;
                *x2 -= f2 * by;
                *x3 -= f3 * by;
                *length += (*x0 * *x0 + *x1 * *x1) + (*x2 * *x2 + *x3 * *x3);
            }
        } else {
            for (row, factor) in rows.chunks_mut(n).zip(factors) {
                for ((x, by), length) in row.iter_mut().zip(pivot_row).zip(lengths.iter_mut()) {
                    *x -= factor * by;
                    *length += *x * *x;
                }
            }
        }
    }
}
