//! The simplex method in floating point of any length, to find a basis; what it finds is only a
//! guess until it is checked exactly.
//!
//! For a matrix B of positive numbers the column player's problem is: maximize the sum of y >= 0
//! subject to B y <= 1. The slack variables are a feasible basis, so there is no first phase. The
//! tableau holds only the columns that are not basic. Columns are chosen by steepest edge, whose
//! lengths are exact here at no extra pass over the memory: they are added up while the tableau is
//! changed.
//!
//! Source of the rule: D. Goldfarb, J. K. Reid, A practicable steepest-edge simplex algorithm,
//! Math. Programming 12 (1977), 361-371.

use std::cmp::Ordering;

use grundy_base::{Limits, Stop};

/// A basis: the submatrix that decides the game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Basis {
    /// Rows whose inequality is binding, in increasing order.
    pub(crate) rows: Vec<usize>,
    /// Columns that may be played, as many, in increasing order.
    pub(crate) columns: Vec<usize>,
    /// An upper estimate of the bits of the determinant of the submatrix, for entries scaled as
    /// given.
    pub(crate) determinant_bits: f64,
}

/// The numbers a tableau is made of.
pub(crate) trait Real: Clone + PartialOrd {
    /// Returns a number of modest size.
    fn from_f64(x: f64) -> Self;
    /// Reduced costs and pivots below this size count as zero, on a matrix whose greatest entry is
    /// 1.
    fn tolerance() -> Self;
    fn times(&self, by: &Self) -> Self;
    fn over(&self, by: &Self) -> Self;
    fn negated(&self) -> Self;
    /// Takes `a * b` away.
    fn take_product(&mut self, a: &Self, b: &Self);
    /// Returns the logarithm of the size, base 2.
    fn log2(&self) -> f64;
    /// Takes multiples of the pivot row from all rows and adds the squares of what is left to the
    /// lengths.
    fn eliminate(cells: &mut [Self], factors: &[Self], pivot_row: &[Self], lengths: &mut [Self]);
}

impl Real for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
    fn tolerance() -> Self {
        1e-9
    }
    fn times(&self, by: &Self) -> Self {
        self * by
    }
    fn over(&self, by: &Self) -> Self {
        self / by
    }
    fn negated(&self) -> Self {
        -self
    }
    fn take_product(&mut self, a: &Self, b: &Self) {
        *self -= a * b;
    }
    fn log2(&self) -> f64 {
        self.abs().log2()
    }
    fn eliminate(cells: &mut [Self], factors: &[Self], pivot_row: &[Self], lengths: &mut [Self]) {
        eliminate(cells, factors, pivot_row, lengths);
    }
}

/// How far right-hand sides are moved when nothing else helps.
const STALLED: f64 = 1e-6;

/// The condensed tableau.
struct CondensedTableau<R> {
    m: usize,
    n: usize,
    /// Row after row.
    cells: Vec<R>,
    right: Vec<R>,
    /// What the right-hand sides would be without perturbation.
    unmoved: Vec<R>,
    cost: Vec<R>,
    /// Squared lengths of the edges: 1 plus the sum of squares of a column.
    lengths: Vec<R>,
    /// The variable of each row and of each column: y_j is j, the slack of row i is n + i.
    basic: Vec<usize>,
    free: Vec<usize>,
    objective: R,
    /// The sum of the logarithms of the pivots, base 2.
    pivots: f64,
}

/// Returns a basis that is optimal as far as these numbers can tell, or nothing if the method does
/// not settle.
///
/// `cells` are the entries of a positive matrix with m rows and n columns, the greatest about 1.
/// `shake` perturbs the right-hand sides from the start; without it they are perturbed only when
/// ties keep the method from getting on.
pub(crate) fn basis<R: Real>(
    m: usize,
    n: usize,
    cells: Vec<R>,
    shake: f64,
    limits: &Limits<'_>,
) -> Result<Option<Basis>, Stop> {
    let mut tableau = CondensedTableau::new(m, n, cells);
    tableau.perturb(shake);
    let patience = 20 + (m + n) / 8;
    let growth = R::tolerance().negated();
    let one = R::from_f64(1.0);
    let (mut aim, mut waited) = (R::tolerance(), 0);
    for count in 0..200 + 20 * (m + n) {
        if count % 16 == 0 {
            limits.poll()?;
        }
        let Some(column) = tableau.entering() else {
            return tableau.restore(limits);
        };
        let Some(row) = tableau.leaving(column) else {
            return Ok(None);
        };
        tableau.pivot(row, column);
        waited += 1;
        if tableau.objective > aim {
            aim = tableau.objective.clone();
            aim.take_product(&growth, &one);
            waited = 0;
        } else if waited > patience {
            tableau.perturb(STALLED);
            waited = 0;
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
                length.take_product(cell, &cell.negated());
            }
        }
        Self {
            m,
            n,
            cells,
            right: vec![one.clone(); m],
            unmoved: vec![one.clone(); m],
            cost: vec![one; n],
            lengths,
            basic: (n..n + m).collect(),
            free: (0..n).collect(),
            objective: R::from_f64(0.0),
            pivots: 0.0,
        }
    }

    /// Moves the right-hand sides up by different amounts, so that ties end.
    fn perturb(&mut self, size: f64) {
        let down = R::from_f64(-1.0);
        // Fixed numbers without a pattern: the fractional parts of multiples of the golden ratio.
        for (i, right) in self.right.iter_mut().enumerate() {
            let amount = size * (0.5 + (i as f64 * 0.618_033_988_749_895).fract());
            right.take_product(&R::from_f64(amount), &down);
        }
    }

    /// Returns the column of steepest ascent.
    fn entering(&self) -> Option<usize> {
        let zero = R::tolerance();
        let mut best = None;
        let mut steepest = R::from_f64(0.0);
        for (j, (cost, length)) in self.cost.iter().zip(&self.lengths).enumerate() {
            if *cost > zero {
                let square = cost.times(cost);
                if square > steepest.times(length) {
                    steepest = square.over(length);
                    best = Some(j);
                }
            }
        }
        best
    }

    /// Returns the row that blocks first; among those that block at about the same point, the one
    /// with the largest pivot.
    fn leaving(&self, column: usize) -> Option<usize> {
        let zero = R::tolerance();
        let pivot = |i: usize| &self.cells[i * self.n + column];
        let (up, nothing) = (R::from_f64(-1.0), R::from_f64(0.0));
        let mut bound: Option<R> = None;
        for i in 0..self.m {
            let pivot = pivot(i);
            if *pivot > zero {
                let right = &self.right[i];
                let mut room = if *right > nothing {
                    right.clone()
                } else {
                    nothing.clone()
                };
                room.take_product(&zero, &up);
                let here = room.over(pivot);
                if bound.as_ref().is_none_or(|bound| here < *bound) {
                    bound = Some(here);
                }
            }
        }
        let bound = bound?;
        let mut best = None;
        let mut largest = &zero;
        for i in 0..self.m {
            let pivot = pivot(i);
            if pivot > largest && self.right[i] <= bound.times(pivot) {
                largest = pivot;
                best = Some(i);
            }
        }
        best
    }

    /// Takes the perturbation away again: costs are those of an optimal tableau, so the dual method
    /// makes right-hand sides that became negative positive again.
    fn restore(mut self, limits: &Limits<'_>) -> Result<Option<Basis>, Stop> {
        let below = R::tolerance().negated();
        let order = |a: &R, b: &R| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        for count in 0..self.m + self.n {
            if count % 16 == 0 {
                limits.poll()?;
            }
            let row = (0..self.m)
                .min_by(|&a, &b| order(&self.unmoved[a], &self.unmoved[b]))
                .expect("there are rows");
            if self.unmoved[row] >= below {
                return Ok(Some(self.basis()));
            }
            let cells = &self.cells[row * self.n..][..self.n];
            let column = (0..self.n)
                .filter(|&j| cells[j] < below)
                .map(|j| (j, self.cost[j].over(&cells[j])))
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
        let pivot = factors[row].clone();
        self.pivots += pivot.log2();
        for i in 0..self.m {
            self.cells[i * n + column] = zero.clone();
        }
        let mut pivot_row: Vec<R> = self.cells[row * n..][..n]
            .iter()
            .map(|x| x.over(&pivot))
            .collect();
        pivot_row[column] = R::from_f64(1.0).over(&pivot);
        for side in [&mut self.right, &mut self.unmoved] {
            let step = side[row].over(&pivot);
            for (right, factor) in side.iter_mut().zip(&factors) {
                right.take_product(factor, &step);
            }
            side[row] = step;
        }
        let cost = std::mem::replace(&mut self.cost[column], zero.clone());
        let gain = cost.negated();
        self.objective.take_product(&gain, &self.unmoved[row]);
        for (to, by) in self.cost.iter_mut().zip(&pivot_row) {
            to.take_product(&cost, by);
        }
        // The pivot's own row becomes the scaled one: subtracting nothing from zeros, then adding
        // it.
        self.cells[row * n..][..n].fill(zero);
        factors[row] = R::from_f64(-1.0);
        self.lengths.fill(R::from_f64(1.0));
        R::eliminate(&mut self.cells, &factors, &pivot_row, &mut self.lengths);
        std::mem::swap(&mut self.basic[row], &mut self.free[column]);
    }

    fn basis(&self) -> Basis {
        let n = self.n;
        let mut columns: Vec<usize> = self.basic.iter().copied().filter(|&v| v < n).collect();
        let slacks = self.free.iter().filter(|&&v| v >= n);
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

/// Takes multiples of the pivot row from all rows and adds the squares of what is left to the
/// lengths.
fn eliminate(cells: &mut [f64], factors: &[f64], pivot_row: &[f64], lengths: &mut [f64]) {
    let n = pivot_row.len();
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
