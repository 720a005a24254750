//! The cells of a table: who wins, and the value where there is one.

use std::fmt;
use std::sync::Arc;

use grundy::{Kind, Limits, Outcome, Play, Position, Solver, Stop, partizan};
use grundy_draw::Verdict;
use grundy_notation::{Diagnostic, Expression, Game};

use super::Range;
use crate::failure::Failure;
use crate::session::Session;

/// What a position of the family is worth.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) verdict: Verdict,
    pub(super) grundy: Option<u64>,
    /// The set of an infinite value.
    pub(super) infinity: Option<Arc<[u64]>>,
}

impl Cell {
    fn plain(verdict: Verdict) -> Self {
        Self {
            verdict,
            grundy: None,
            infinity: None,
        }
    }

    /// Who wins, of an impartial game.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.verdict {
            Verdict::Outcome(outcome) => Some(outcome),
            Verdict::Class(_) | Verdict::Drawn(_) | Verdict::Value(_) => None,
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

fn of(game: &Game, play: Play, solver: &mut Solver, limits: &Limits<'_>) -> Result<Cell, Stop> {
    match game {
        Game::Impartial(position) => impartial(position, play, solver, limits),
        Game::Partizan(position) => {
            let solution = partizan::solve(position, play, limits)?;
            Ok(Cell::plain(Verdict::from(solution.class)))
        }
        Game::Ties(position) => {
            let solution = position.solve(play, limits)?;
            Ok(Cell::plain(Verdict::Value(solution.value)))
        }
    }
}

fn impartial(
    position: &Position,
    play: Play,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Cell, Stop> {
    if play == Play::Normal && position.terms.iter().all(|term| term.impartial()) {
        return match solver.grundy(position, limits) {
            Ok(grundy) => Ok(Cell {
                verdict: Verdict::Outcome(Outcome::from_win(grundy != 0)),
                grundy: Some(grundy),
                infinity: None,
            }),
            // Positions come back: the value may be infinite.
            Err(Stop::Cyclic) => {
                let solution = solver.solve(position, play, limits)?;
                Ok(Cell {
                    verdict: Verdict::Outcome(solution.outcome),
                    grundy: solution.grundy,
                    infinity: solution.infinity.map(Arc::from),
                })
            }
            Err(stop) => Err(stop),
        };
    }
    let outcome = solver.outcome(position, play, limits)?;
    Ok(Cell::plain(Verdict::Outcome(outcome)))
}

/// The cells, a row for each value of the first variable; one row for a single variable.
pub(super) fn fill(
    source: &str,
    ranges: &[Range],
    play: Play,
    session: &Session,
) -> Result<Vec<Vec<Option<Cell>>>, Failure> {
    let expression = Expression::parse(source).map_err(|error| Failure::input(error, source))?;
    let mut solver = Solver::default();
    let limits = session.limits();
    let mut cell = |bindings: &[(&str, u64)]| -> Result<Option<Cell>, Failure> {
        let stopped = |stop| Failure::input(Diagnostic::stopped(stop), source);
        match expression.game_with(bindings, session) {
            Ok(game) => of(&game, play, &mut solver, &limits)
                .map(Some)
                .map_err(stopped),
            // Families have gaps: rows of Chomp must not grow, Euclid knows no 0.
            Err(error)
                if matches!(error.kind, Kind::IllegalPosition | Kind::Range)
                    && ranges.len() == 2 =>
            {
                Ok(None)
            }
            Err(error) => Err(Failure::input(error, source)),
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
