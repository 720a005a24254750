//! Impartial games at the table.

use std::ops::ControlFlow;

use grundy::solve::search;
use grundy::step::{Move, Step};
use grundy::{Limits, Outcome, Play, Position, Solver, explain};
use grundy_notation::Diagnostic;

use super::{Choice, Standing, Table};
use crate::failure::Failure;
use crate::session::Session;

pub(super) struct Impartial<'a> {
    play: Play,
    solver: Solver,
    session: &'a Session,
}

impl<'a> Impartial<'a> {
    pub(super) fn new(play: Play, session: &'a Session) -> Self {
        Self {
            play,
            solver: Solver::default(),
            session,
        }
    }

    fn outcome(&mut self, position: &Position) -> Result<Outcome, Failure> {
        self.solver
            .outcome(position, self.play, &self.session.limits())
            .map_err(|stop| Diagnostic::stopped(stop).into())
    }
}

impl Table for Impartial<'_> {
    type Position = Position;

    fn terms(position: &Position) -> usize {
        position.terms.len()
    }

    fn moves(
        &self,
        position: &Position,
        _: usize,
        visit: &mut dyn FnMut(&dyn Fn() -> Move, usize, &dyn Fn() -> Position) -> bool,
    ) {
        let _ = position.moves(&mut |term, name, to| {
            if visit(name, term, to) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }

    fn standing(&mut self, position: &Position, _: usize) -> Result<Standing, Failure> {
        Ok(match self.outcome(position)? {
            Outcome::N => Standing::Wins,
            Outcome::D => Standing::Draws,
            Outcome::P => Standing::Loses,
        })
    }

    fn at_the_end(&self, _: &Position, _: usize) -> Result<Standing, Failure> {
        Ok(Standing::of_win(self.play == Play::Misere))
    }

    fn letter(&mut self, position: &Position, _: usize) -> Result<String, Failure> {
        self.outcome(position).map(|outcome| outcome.to_string())
    }

    /// The quickest win, or the longest loss; where that cannot be counted, the loss with most left to play.
    fn choose(
        &mut self,
        position: &Position,
        _: usize,
        moves: &[Choice<Position>],
    ) -> Result<Choice<Position>, Failure> {
        let session = self.session;
        let solution = self.solver.solve(position, self.play, &session.limits())?;
        let small = Limits {
            positions: 20_000,
            ..session.limits()
        };
        let remoteness = |to: &Position| {
            search::label(to, self.play, &small)
                .ok()
                .map(|label| label.remoteness.unwrap_or(0))
        };
        let candidates: Vec<Choice<Position>> = if solution.outcome == Outcome::N {
            solution
                .winning_moves
                .into_iter()
                .map(|w| (w.mv, w.component, w.to))
                .collect()
        } else {
            moves.to_vec()
        };
        let Some(first) = candidates.first().cloned() else {
            return Ok(moves[0].clone());
        };
        let countable = candidates.len() <= 200 && remoteness(&first.2).is_some();
        if solution.outcome == Outcome::N {
            if !countable {
                return Ok(first);
            }
            let best = candidates
                .into_iter()
                .min_by_key(|option| remoteness(&option.2).unwrap_or(u32::MAX));
            return Ok(best.unwrap_or(first));
        }
        let left = |option: &Choice<Position>| {
            option
                .2
                .terms
                .iter()
                .map(|term| term.longest_play().unwrap_or(0))
                .fold(0u128, u128::saturating_add)
        };
        let best = if countable {
            candidates
                .into_iter()
                .rev()
                .max_by_key(|option| remoteness(&option.2).unwrap_or(0))
        } else {
            candidates.into_iter().rev().max_by_key(left)
        };
        Ok(best.unwrap_or(first))
    }

    fn why(&mut self, position: &Position, _: usize) -> Result<Vec<Step>, Failure> {
        let limits = self.session.limits();
        let solution = self.solver.solve(position, self.play, &limits)?;
        let solver = &mut self.solver;
        Ok(explain::steps(
            position, self.play, &solution, solver, &limits,
        ))
    }
}
