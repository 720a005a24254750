//! The cells of a table: who wins, and the value where there is one.

use std::fmt;

use grundy::solve::Wanted;
use grundy::values::loopy::Loopy;
use grundy::{Diagnostic, Dyadic, Kind, Limits, Outcome, Play, Position, Solver, Stop, Verdict};
use grundy_notation::Expression;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::question::{CellOf, TableQuestion};
use crate::range::Range;
use crate::value::misere::printed;
use crate::value_table::ValueTable;
use grundy_job::reader::about;

/// What a position of the family is worth.
#[derive(Clone, Debug)]
pub(super) struct TableCell {
    pub(super) verdict: Verdict,
    pub(super) value: Option<Loopy>,
}

impl TableCell {
    /// Who wins, of an impartial game.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.verdict {
            Verdict::Outcome(outcome) => Some(outcome),
            Verdict::Class(_) | Verdict::Worth(_) => None,
        }
    }

    /// Returns the Grundy value.
    pub(super) fn grundy(&self) -> Option<u64> {
        match self.value {
            Some(Loopy::Finite(value)) => Some(value),
            _ => None,
        }
    }
}

/// The value, or who wins where there is none.
impl fmt::Display for TableCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => value.fmt(f),
            None => self.verdict.fmt(f),
        }
    }
}

fn of(
    position: &Position,
    asked: &TableQuestion,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<TableCell, Stop> {
    let play = asked.play;
    if asked.of() == Some(CellOf::Outcome) {
        // A theorem may know who wins where values are out of reach.
        let solution = solver.answer(position, play, Wanted::Outcome, limits)?;
        return Ok(TableCell {
            verdict: solution.verdict(),
            value: None,
        });
    }
    if play == Play::Normal && position.nature().is_impartial() {
        match solver.grundy(position, limits) {
            Ok(grundy) => {
                return Ok(TableCell {
                    verdict: Verdict::Outcome(Outcome::from_win(grundy != 0)),
                    value: Some(Loopy::Finite(grundy)),
                });
            }
            // Positions come back: the value may be infinite.
            Err(Stop::Cyclic) => {}
            Err(stop) => return Err(stop),
        }
    }
    let solution = solver.answer(position, play, Wanted::Outcome, limits)?;
    let infinite = || Some(Loopy::Infinite(solution.infinity()?.to_vec()));
    Ok(TableCell {
        verdict: solution.verdict(),
        value: solution.grundy().map(Loopy::Finite).or_else(infinite),
    })
}

/// Cells, a row for each value of the first variable; one row for a single variable.
pub(super) struct Filled<T> {
    /// Nothing where there is no position, or where a limit withholds the cell.
    pub(super) rows: Vec<Vec<Option<T>>>,
    /// The limit that ended the table early, as an error.
    pub(super) stopped: Option<Diagnostic>,
}

/// Outcomes, and Grundy values where there are some.
pub(super) fn fill(
    source: &str,
    ranges: &[Range],
    asked: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<TableCell>, Diagnostic> {
    let limits = job.limits();
    let mut solver = Solver::default();
    let table = ValueTable::open(asked.table.as_ref(), analyst, &mut solver, &limits)?;
    let cells = each(source, ranges, analyst, &limits, |position| {
        of(position, asked, &mut solver, &limits).map(Some)
    });
    table.save(&mut solver, job)?;
    cells
}

/// Values, or what is asked of them.
pub(super) fn fill_values(
    source: &str,
    ranges: &[Range],
    of: CellOf,
    asked: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<String>, Diagnostic> {
    within_limits(
        source,
        ranges,
        asked,
        analyst,
        job,
        |position, solver, limits| match of {
            CellOf::Genus => {
                let (genus, class) = solver.genus(position, limits)?;
                Ok(Some(printed(&genus, class, asked.full)))
            }
            _ => value(position, of, solver, limits),
        },
    )
}

/// Temperatures.
pub(super) fn fill_temperatures(
    source: &str,
    ranges: &[Range],
    asked: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Filled<Dyadic>, Diagnostic> {
    within_limits(
        source,
        ranges,
        asked,
        analyst,
        job,
        |position, solver, limits| {
            let (form, _) = solver.canonical_form(position, limits)?;
            let forms = &mut solver.short_values().theory.forms;
            forms.temperature(form, limits).map(Some)
        },
    )
}

/// Something of every position of the family; nothing if that takes too many positions or too much
/// memory.
fn within_limits<T: Held>(
    source: &str,
    ranges: &[Range],
    asked: &TableQuestion,
    analyst: &Analyst,
    job: &Job,
    mut of: impl FnMut(&Position, &mut Solver, &Limits<'_>) -> Result<Option<T>, Stop>,
) -> Result<Filled<T>, Diagnostic> {
    let limits = job.limits();
    let mut solver = Solver::default();
    let table = ValueTable::open(asked.table.as_ref(), analyst, &mut solver, &limits)?;
    let cells = each(source, ranges, analyst, &limits, |position| {
        match of(position, &mut solver, &limits) {
            Err(Stop::Positions(_) | Stop::Memory(_)) => Ok(None),
            value => value,
        }
    });
    table.save(&mut solver, job)?;
    cells
}

/// What is asked of the value of a position.
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

/// Something of every position of the family that there is.
///
/// Each cell draws on the memory, and a limit ends the table between two cells, too.
fn each<T: Held>(
    source: &str,
    ranges: &[Range],
    analyst: &Analyst,
    limits: &Limits<'_>,
    mut of: impl FnMut(&Position) -> Result<Option<T>, Stop>,
) -> Result<Filled<T>, Diagnostic> {
    let expression = Expression::parse(source).map_err(|error| about(error, source))?;
    let (mut count, mut bytes) = (0u64, 0u64);
    let stopped = |stop: Stop| about(crate::value::refusal(stop), source);
    let mut cell = |bindings: &[(&str, u64)]| -> Result<Option<T>, Diagnostic> {
        count += 1;
        bytes += size_of::<Option<T>>() as u64;
        if count.is_multiple_of(CELLS) {
            limits.poll().map_err(stopped)?;
        }
        limits.check(1, bytes).map_err(stopped)?;
        match expression.position_with(bindings, analyst.reader()) {
            Ok(position) => {
                let cell = of(&position).map_err(stopped)?;
                bytes += cell.as_ref().map_or(0, Held::held) as u64;
                Ok(cell)
            }
            // Families have gaps: rows of Chomp must not grow, Euclid knows no 0.
            Err(error)
                if matches!(error.kind, Kind::IllegalPosition | Kind::Range)
                    && ranges.len() == 2 =>
            {
                Ok(None)
            }
            Err(error) => Err(about(error, source)),
        }
    };
    let mut rows = vec![Vec::new()];
    let filled: Result<(), Diagnostic> = match ranges {
        [a] => (a.from..=a.to).try_for_each(|n| {
            rows[0].push(cell(&[(&a.name, n)])?);
            Ok(())
        }),
        [a, b, ..] => {
            // The largest point first: boards and sequences are then filled once, to their full
            // size.
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

/// Number of cells between two looks at the clock.
const CELLS: u64 = 256;

/// Memory of a cell beyond its own size.
trait Held {
    /// Returns the number of bytes.
    fn held(&self) -> usize;
}

impl Held for TableCell {
    fn held(&self) -> usize {
        match &self.value {
            Some(Loopy::Infinite(values)) => size_of_val(&values[..]),
            _ => 0,
        }
    }
}

impl Held for String {
    fn held(&self) -> usize {
        self.len()
    }
}

impl Held for Dyadic {
    fn held(&self) -> usize {
        self.bytes() as usize
    }
}
