//! The method of theorems about the outcome of a game that is not part of a sum.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{MethodInput, Solver, given};
use crate::position::{AnyTerm, Position};
use crate::solve::game_value::GameValue;
use crate::solve::solution::{Solution, Wanted};
use crate::solve::winning::WinningMoves;
use crate::values::look;
use grundy_base::limits::{Stop, ended};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::Move;

/// Limit on positions for computing the value when winning moves are wanted. The outcome is known
/// without the value.
const EXTRA_POSITIONS: u64 = 20_000;

/// Solves a single term by a theorem. Returns `None` if the ruleset has no theorem for it.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, play, limits) = (question.position, question.play, question.limits);
    let term = position.only_term();
    let Some((term, known)) = term.and_then(|term| Some((term, term.outcome(play)?))) else {
        return Ok(None);
    };
    let mut solution = Solution {
        theorem: Some(known.theorem),
        ..Solution::of(position, known.value, known.theorem.method)
    };
    if question.wanted == Wanted::Outcome {
        return Ok(Some(solution));
    }
    if play == Play::Normal && solution.nature.is_impartial() {
        let value = match known.value {
            Outcome::P => Some(0),
            _ if question.wanted == Wanted::Value => given(solver.grundy(position, limits))?,
            _ => given(solver.grundy(position, &question.extra(EXTRA_POSITIONS)))?,
        };
        solution.value = value.map(GameValue::Nimber);
    }
    if known.value == Outcome::N && question.wanted == Wanted::Moves {
        let mut found = WinningMoves::new(position, limits);
        // The theorem need not apply to the options, so each option is solved as a separate
        // question.
        let mut seen = 0;
        let mut keep = |name: &dyn Fn() -> Move, to: &dyn Fn() -> Arc<dyn AnyTerm>| {
            let looked = look(&mut seen, limits);
            let after = Position::from(to());
            match looked.and_then(|()| solver.outcome(&after, play, limits)) {
                Ok(Outcome::P) => found.push(0, name(), after, None),
                Ok(_) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        };
        let player = solution.beginnings[0].player;
        let flow = match term.moves_to_p(play, &mut keep) {
            Some(flow) => flow,
            None => term.moves(player, &mut keep),
        };
        found.finish(&mut solution, &ended(flow).map(|_| ()));
    }
    Ok(Some(solution))
}
