//! The cells of a table. A cell contains the outcome of a position, and its value if it has one.

use std::fmt;

use grundy_core::solve::Detail;
use grundy_core::values::loopy::Loopy;
use grundy_core::{
    Diagnostic, Dyadic, Kind, Limits, Outcome, Play, Position, Solver, Stop, Verdict, message,
};
use grundy_notation::Expression;

use crate::analyst::Analyst;
use crate::growth::Watch;
use crate::job::Job;
use crate::question::{CellOf, TableQuestion};
use crate::range::Range;
use crate::value::misere::genus_text;
use crate::value_table::ValueTable;
use grundy_job::reader::with_source;

/// The outcome of a position of the family, and its value if it has one.
#[derive(Clone, Debug)]
pub(super) struct TableCell {
    pub(super) verdict: Verdict,
    pub(super) value: Option<Loopy>,
    /// `true` if a position can recur, as far as the computation of the value found out.
    pub(super) recurs: bool,
}

impl TableCell {
    /// Returns the outcome, or `None` if the game is not impartial.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.verdict {
            Verdict::Outcome(outcome) => Some(outcome),
            Verdict::Class(_) | Verdict::Payoff(_) => None,
        }
    }

    /// Returns the Grundy value, if the position has one.
    pub(super) fn grundy(&self) -> Option<u64> {
        match self.value {
            Some(Loopy::Finite(value)) => Some(value),
            _ => None,
        }
    }
}

/// Writes the value of the position, or its outcome if it has no value.
impl fmt::Display for TableCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => value.fmt(f),
            None => self.verdict.fmt(f),
        }
    }
}

fn cell_of(
    position: &Position,
    question: &TableQuestion,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<TableCell, Stop> {
    let play = question.play;
    if question.of() == Some(CellOf::Outcome) {
        // A theorem may give the outcome even if the value takes too long to compute.
        let solution = solver.answer(position, play, Detail::Outcome, limits)?;
        return Ok(TableCell {
            verdict: solution.verdict(),
            value: None,
            recurs: false,
        });
    }
    let mut recurs = false;
    if play == Play::Normal && position.nature().is_impartial() {
        match solver.grundy(position, limits) {
            Ok(grundy) => {
                return Ok(TableCell {
                    verdict: Verdict::Outcome(Outcome::from_win(grundy != 0)),
                    value: Some(Loopy::Finite(grundy)),
                    recurs: false,
                });
            }
            // The game has cycles, so the value may be infinite and is not shown.
            Err(Stop::Cyclic) => recurs = true,
            Err(stop) => return Err(stop),
        }
    }
    // An impartial game with cycles may have an infinite value.
    let wanted = match (play, position.nature().is_impartial()) {
        (Play::Normal, true) => Detail::Value,
        _ => Detail::Outcome,
    };
    let solution = solver.answer(position, play, wanted, limits)?;
    let infinite = || Some(Loopy::Infinite(solution.infinity()?.to_vec()));
    Ok(TableCell {
        verdict: solution.verdict(),
        value: solution.grundy().map(Loopy::Finite).or_else(infinite),
        recurs,
    })
}

/// The cells of a table, and the error if a limit stopped the table before its last cell.
pub(super) struct Filled<T> {
    /// One row for each value of the first variable. A family with one variable has a single row. A
    /// cell is `None` if the position does not exist or a limit was reached.
    pub(super) rows: Vec<Vec<Option<T>>>,
    /// The error for the limit that stopped the table before its last cell.
    pub(super) stopped: Option<Diagnostic>,
}

/// Fills a table with outcomes, and with Grundy values where they exist.
pub(super) fn fill(
    source: &str,
    ranges: &[Range],
    question: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<TableCell>, Diagnostic> {
    let limits = job.limits();
    let mut solver = Solver::default();
    let table = ValueTable::open(question.table.as_ref(), analyst, &mut solver, &limits)?;
    let cells = fill_cells(source, ranges, analyst, job, false, |position, limits| {
        cell_of(position, question, &mut solver, limits).map(Some)
    });
    // The file of values is written even if a cell failed, since the results so far are correct.
    table.save(&mut solver, job)?;
    cells
}

/// Fills a table with values, or with quantities that are derived from values.
pub(super) fn fill_values(
    source: &str,
    ranges: &[Range],
    of: CellOf,
    question: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<String>, Diagnostic> {
    fill_with_gaps(
        source,
        ranges,
        question,
        analyst,
        job,
        |position, solver, limits| match of {
            CellOf::Genus => {
                let (genus, class) = solver.genus(position, limits)?;
                Ok(Some(genus_text(&genus, class, question.full)))
            }
            _ => value(position, of, solver, limits),
        },
    )
}

/// Fills a table with temperatures.
pub(super) fn fill_temperatures(
    source: &str,
    ranges: &[Range],
    question: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<Dyadic>, Diagnostic> {
    fill_with_gaps(
        source,
        ranges,
        question,
        analyst,
        job,
        |position, solver, limits| {
            let (form, _) = solver.canonical_form(position, limits)?;
            let forms = &mut solver.short_values().theory.forms;
            forms.temperature(form, limits).map(Some)
        },
    )
}

/// Fills a table with a quantity of each position. A cell whose computation exceeds the limit on
/// positions or on memory stays empty.
fn fill_with_gaps<T: HeapSize>(
    source: &str,
    ranges: &[Range],
    question: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
    mut compute: impl FnMut(&Position, &mut Solver, &Limits<'_>) -> Result<Option<T>, Stop>,
) -> Result<Filled<T>, Diagnostic> {
    let limits = job.limits();
    let mut solver = Solver::default();
    let table = ValueTable::open(question.table.as_ref(), analyst, &mut solver, &limits)?;
    let cells = fill_cells(source, ranges, analyst, job, false, |position, limits| {
        match compute(position, &mut solver, limits) {
            // Other cells may need less, so this cell stays empty and the table continues.
            Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
            value => value,
        }
    });
    table.save(&mut solver, job)?;
    cells
}

/// Returns the requested quantity of a position.
fn value(
    position: &Position,
    of: CellOf,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<String>, Stop> {
    let (form, _) = solver.canonical_form(position, limits)?;
    let forms = &mut solver.short_values().theory.forms;
    Ok(match of {
        CellOf::Mean => Some(forms.mean(form, limits)?.to_string()),
        CellOf::AtomicWeight => {
            let weight = forms.atomic_weight(form, limits)?;
            let text = weight.map(|weight| forms.write_within(weight, limits));
            text.transpose()?
        }
        _ => Some(forms.write_within(form, limits)?),
    })
}

/// Fills a table: calls `compute` for each position of the family that exists.
///
/// `compute` gets the limits of `job`, and a search for positions that grow forever.
///
/// The memory of the cells counts towards the memory limit. Limits are also checked between cells.
/// If `largest_first` is set, the last position is computed first. With two variables this is
/// always done.
pub(super) fn fill_cells<T: HeapSize>(
    source: &str,
    ranges: &[Range],
    analyst: &Analyst,
    job: &Job,
    largest_first: bool,
    mut compute: impl FnMut(&Position, &Limits<'_>) -> Result<Option<T>, Stop>,
) -> Result<Filled<T>, Diagnostic> {
    // The expression is parsed once. For each cell, only the values of the variables change.
    let expression =
        Expression::parse_or_guess(source).map_err(|error| with_source(error, source))?;
    let (mut count, mut bytes) = (0u64, 0u64);
    let limits = job.limits();
    let stopped = |stop: Stop| with_source(crate::value::no_value_error(stop), source);
    let mut cell = |bindings: &[(&str, u64)]| -> Result<Option<T>, Diagnostic> {
        count += 1;
        bytes += size_of::<Option<T>>() as u64;
        // Cells that a formula gives do not check the clock, so it is checked here from time to
        // time.
        if count.is_multiple_of(CELLS_PER_POLL) {
            limits.poll().map_err(stopped)?;
        }
        // No solver counts the memory of the cells, so it is counted here.
        limits.check(1, bytes).map_err(stopped)?;
        match expression.position_with(bindings, analyst.reader()) {
            Ok(position) => {
                let watch = Watch::new(&position, job);
                let interrupted = || watch.poll();
                let watched = Limits {
                    interrupted: &interrupted,
                    ..limits
                };
                let cell = compute(&position, &watched)
                    .map_err(|stop| watch.with_reason(stopped(stop)))?;
                bytes += cell.as_ref().map_or(0, HeapSize::heap_size) as u64;
                Ok(cell)
            }
            // A family with two variables has gaps: for example, rows of Chomp must not grow, and
            // Euclid has no 0. In a family with one variable, an error is a mistake in the family
            // or its range.
            Err(error)
                if matches!(error.kind, Kind::IllegalPosition | Kind::Range)
                    && ranges.len() == 2 =>
            {
                Ok(None)
            }
            Err(mut error) => {
                if let (Kind::IllegalPosition | Kind::Range, [(name, value)]) =
                    (error.kind, bindings)
                {
                    error.message = message!(
                        "{name} = {value}: {what}",
                        name,
                        value,
                        what = error.message
                    );
                }
                Err(with_source(error, source))
            }
        }
    };
    let mut rows = vec![Vec::new()];
    let filled: Result<(), Diagnostic> = match ranges {
        [a] => {
            if largest_first {
                let _ = cell(&[(&a.name, a.to)]);
            }
            (a.from..=a.to).try_for_each(|n| {
                rows[0].push(cell(&[(&a.name, n)])?);
                Ok(())
            })
        }
        [a, b, ..] => {
            // The largest position is computed first, so that tables of the solver are allocated
            // only once, in full size. The result is discarded. An error will occur again when its
            // cell is reached.
            let _ = cell(&[(&a.name, a.to), (&b.name, b.to)]);
            (a.from..=a.to).try_for_each(|n| {
                if n > a.from {
                    rows.push(Vec::new());
                }
                (b.from..=b.to).try_for_each(|m| {
                    let cell = cell(&[(&a.name, n), (&b.name, m)])?;
                    rows.last_mut().expect("a row").push(cell);
                    Ok(())
                })
            })
        }
        [] => Ok(()),
    };
    match filled {
        Ok(()) => Ok(Filled {
            rows,
            stopped: None,
        }),
        Err(error) if error.limit.is_some() => Ok(Filled {
            rows,
            stopped: Some(error),
        }),
        Err(error) => Err(error),
    }
}

/// Number of cells between two checks of the time limit.
const CELLS_PER_POLL: u64 = 256;

/// A cell whose type may own memory on the heap.
pub(super) trait HeapSize {
    /// Returns the number of bytes that the cell owns in addition to its own size.
    fn heap_size(&self) -> usize;
}

impl HeapSize for TableCell {
    fn heap_size(&self) -> usize {
        match &self.value {
            Some(Loopy::Infinite(values)) => size_of_val(&values[..]),
            _ => 0,
        }
    }
}

impl HeapSize for String {
    fn heap_size(&self) -> usize {
        self.len()
    }
}

impl HeapSize for Dyadic {
    fn heap_size(&self) -> usize {
        self.bytes() as usize
    }
}
