//! The cells of a table: who wins, and the value where there is one.

use std::fmt;
use std::sync::Arc;

use grundy::solve::Wanted;
use grundy::{Diagnostic, Kind, Limits, Outcome, Play, Position, Solver, Stop, Verdict};
use grundy_notation::Expression;

use super::Range;
use crate::analyst::{Analyst, about};
use crate::job::Job;

/// What a position of the family is worth.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) verdict: Verdict,
    pub(super) grundy: Option<u64>,
    /// The set of an infinite value.
    pub(super) infinity: Option<Arc<[u64]>>,
}

impl Cell {
    /// Who wins, of an impartial game.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.verdict {
            Verdict::Outcome(outcome) => Some(outcome),
            Verdict::Class(_) | Verdict::Worth(_) => None,
        }
    }

    pub(super) fn has_value(&self) -> bool {
        self.grundy.is_some() || self.infinity.is_some()
    }
}

/// The value, or who wins where there is none.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(set) = &self.infinity {
            let set: Vec<String> = set.iter().map(u64::to_string).collect();
            return write!(f, "inf{{{}}}", set.join(","));
        }
        match self.grundy {
            Some(grundy) => grundy.fmt(f),
            None => self.verdict.fmt(f),
        }
    }
}

fn of(
    position: &Position,
    play: Play,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Cell, Stop> {
    if play == Play::Normal && position.nature().is_impartial() {
        match solver.grundy(position, limits) {
            Ok(grundy) => {
                return Ok(Cell {
                    verdict: Verdict::Outcome(Outcome::from_win(grundy != 0)),
                    grundy: Some(grundy),
                    infinity: None,
                });
            }
            // Positions come back: the value may be infinite.
            Err(Stop::Cyclic) => {}
            Err(stop) => return Err(stop),
        }
    }
    let solution = solver.answer(position, play, Wanted::Outcome, limits)?;
    Ok(Cell {
        verdict: solution.verdict(),
        grundy: solution.grundy(),
        infinity: solution.infinity().map(Arc::from),
    })
}

/// The cells, a row for each value of the first variable; one row for a single variable.
pub(super) fn fill(
    source: &str,
    ranges: &[Range],
    play: Play,
    analyst: &Analyst,
    job: &Job,
) -> Result<Vec<Vec<Option<Cell>>>, Diagnostic> {
    let expression = Expression::parse(source).map_err(|error| about(error, source))?;
    let mut solver = Solver::default();
    let limits = job.limits();
    let mut cell = |bindings: &[(&str, u64)]| -> Result<Option<Cell>, Diagnostic> {
        let stopped = |stop: Stop| about(stop.into(), source);
        match expression.position_with(bindings, analyst) {
            Ok(position) => of(&position, play, &mut solver, &limits)
                .map(Some)
                .map_err(stopped),
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
    match ranges {
        [a] => Ok(vec![
            (a.from..=a.to)
                .map(|n| cell(&[(&a.name, n)]))
                .collect::<Result<_, _>>()?,
        ]),
        [a, b, ..] => {
            // The largest point first: boards and sequences are then filled once, to their full size.
            let _ = cell(&[(&a.name, a.to), (&b.name, b.to)]);
            (a.from..=a.to)
                .map(|n| {
                    (b.from..=b.to)
                        .map(|m| cell(&[(&a.name, n), (&b.name, m)]))
                        .collect()
                })
                .collect()
        }
        [] => Ok(Vec::new()),
    }
}
