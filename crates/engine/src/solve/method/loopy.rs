//! The method of Smith–Fraenkel values, for sums of loopy games.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{MethodInput, Solver, all_values};
use crate::position::Position;
use crate::solve::game_value::GameValue;
use crate::solve::solution::{Detail, Grounds, Solution};
use crate::solve::winning::WinningMoves;
use crate::store::erased::AnyTerm;
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL, SmithFraenkel, Stage};
use crate::values::{Engine, PartValue, count_visit};
use grundy_base::limits::{Flow, Limits, Stop, stopped_early};
use grundy_base::outcome::Outcome;
use grundy_base::step::Move;

/// Solves a sum by its Smith–Fraenkel value.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let engine = &mut solver.engine;
    let values = engine.terms::<SmithFraenkel>(position.terms(), limits)?;
    let sum = engine
        .loopy
        .sum(all_values(&values), question.limits)?
        .value;
    let mut solution = Solution::from_outcome(position, sum.outcome(), SMITH_FRAENKEL.method);
    solution.theorem = Some(&SMITH_FRAENKEL);
    if solution.nature.is_impartial() {
        solution.value = Some(match sum {
            Loopy::Finite(value) => GameValue::Nimber(value),
            Loopy::Infinite(set) => GameValue::Infinity(set),
        });
    }
    if question.wanted == Detail::Moves && solution.outcome() == Outcome::N {
        let mut stages = Vec::new();
        let mut found = WinningMoves::new(position, limits);
        let keep = &mut |component, stage, name: &dyn Fn() -> Move, to: &dyn Fn() -> Position| {
            stages.push(stage);
            found.push(component, name(), to(), None)
        };
        let stop = winning_moves(position, &values, engine, limits, keep);
        // Every move in the list keeps the win, but a player who only keeps the win may play
        // forever. So moves to lower stages come first. A player who always makes the first move of
        // the list wins after finitely many moves.
        let moves = std::mem::take(&mut found.moves);
        let mut stages: Vec<_> = stages.into_iter().zip(moves).collect();
        stages.sort_by_key(|(stage, _)| *stage);
        found.moves = stages.into_iter().map(|(_, mv)| mv).collect();
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Loopy(values);
    Ok(Some(solution))
}

/// Visits the moves to P-positions. Passes four arguments to `visit`: the index of the term, a
/// `Stage`, the move, and the position after the move. The stage measures the distance of that
/// position from the end of the game.
fn winning_moves(
    position: &Position,
    values: &[Vec<PartValue<LoopyPart>>],
    engine: &mut Engine,
    limits: &Limits<'_>,
    visit: &mut dyn FnMut(usize, Stage, &dyn Fn() -> Move, &dyn Fn() -> Position) -> Flow,
) -> Result<(), Stop> {
    let mut number = 0;
    for (component, (term, parts)) in position.terms().iter().zip(values).enumerate() {
        for index in 0..parts.len() {
            let others = all_values(values).enumerate().filter(|&(i, _)| i != number);
            let others = engine.loopy.sum(others.map(|(_, part)| part), limits)?;
            number += 1;
            // If another part has an infinite value, the sum is infinite after any move in this
            // part. An infinite sum is never a P-position.
            if matches!(others.value, Loopy::Infinite(_)) {
                continue;
            }
            let keep = &mut |left: &LoopyPart, name: &dyn Fn() -> Move, to: &dyn Fn() -> _| {
                let sum = others.plus(left);
                if sum.value == Loopy::Finite(0) {
                    visit(component, sum.stage, name, &|| {
                        position.after(component, to())
                    })
                } else {
                    ControlFlow::Continue(())
                }
            };
            if valued_moves(&**term, index, engine, limits, keep)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Visits the moves in the part with index `index` of a term. A move replaces this part by other
/// parts, and `visit` receives the value of the sum of these parts. Returns whether `visit` stopped
/// the iteration.
fn valued_moves(
    term: &dyn AnyTerm,
    index: usize,
    engine: &mut Engine,
    limits: &Limits<'_>,
    visit: &mut dyn FnMut(&LoopyPart, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow,
) -> Result<bool, Stop> {
    let mut seen = 0;
    stopped_early(term.options(index, &mut |left, name, to| {
        let value = count_visit(&mut seen, limits)
            .and_then(|()| engine.sum_of_parts::<SmithFraenkel>(left, limits));
        match value {
            Ok(value) => visit(&value, name, to),
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))
}
