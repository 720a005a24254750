//! The method of theorems about the outcome of a single term.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{MethodInput, Solver, optional};
use crate::position::{AnyTerm, Position};
use crate::solve::game_value::GameValue;
use crate::solve::solution::{Detail, Solution};
use crate::solve::winning::WinningMoves;
use crate::values::count_visit;
use grundy_base::limits::{Stop, stopped_early};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::Move;

/// Limit on positions for computing the value if the answer lists winning moves. The value is
/// optional then, since the theorem gives the outcome.
const MAX_VALUE_POSITIONS: u64 = 20_000;

/// Solves a single term by a theorem. Returns `None` if the ruleset has no theorem for it.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, play, limits) = (question.position, question.play, question.limits);
    let Some(term) = position.only_term() else {
        return Ok(None);
    };
    let Some(by_theorem) = term.outcome(play, limits)? else {
        return Ok(None);
    };
    let mut solution = Solution {
        theorem: Some(by_theorem.theorem),
        ..Solution::from_outcome(position, by_theorem.value, by_theorem.theorem.method)
    };
    if question.wanted == Detail::Outcome {
        return Ok(Some(solution));
    }
    if play == Play::Normal && solution.nature.is_impartial() {
        let value = match by_theorem.value {
            Outcome::P => Some(0),
            _ if question.wanted == Detail::Value => optional(solver.grundy(position, limits))?,
            _ => optional(solver.grundy(position, &question.extra_limits(MAX_VALUE_POSITIONS)))?,
        };
        solution.value = value.map(GameValue::Nimber);
    }
    if by_theorem.value == Outcome::N && question.wanted == Detail::Moves {
        let mut found = WinningMoves::new(position, limits);
        // The theorem may not apply to the options, so solve each option as a separate question.
        let mut seen = 0;
        let mut keep = |name: &dyn Fn() -> Move, to: &dyn Fn() -> Arc<dyn AnyTerm>| {
            let counted = count_visit(&mut seen, limits);
            let after = Position::from(to());
            match counted.and_then(|()| solver.outcome(&after, play, limits)) {
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
        found.finish(&mut solution, &stopped_early(flow).map(|_| ()));
    }
    Ok(Some(solution))
}
