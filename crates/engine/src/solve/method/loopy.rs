//! The method of Smith–Fraenkel values, for sums of loopy games.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{MethodInput, Solver, all};
use crate::position::Position;
use crate::solve::game_value::GameValue;
use crate::solve::solution::{Grounds, Solution, Wanted};
use crate::solve::winning::WinningMoves;
use crate::store::erased::AnyTerm;
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL, SmithFraenkel, Stage};
use crate::values::{Engine, PartValue, look};
use grundy_base::limits::{Flow, Limits, Stop, ended};
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
    let sum = engine.loopy.sum(all(&values), question.limits)?.value;
    let mut solution = Solution::of(position, sum.outcome(), SMITH_FRAENKEL.method);
    solution.theorem = Some(&SMITH_FRAENKEL);
    if solution.nature.is_impartial() {
        solution.value = Some(match sum {
            Loopy::Finite(value) => GameValue::Nimber(value),
            Loopy::Infinite(set) => GameValue::Infinity(set),
        });
    }
    if question.wanted == Wanted::Moves && solution.outcome() == Outcome::N {
        let mut staged = Vec::new();
        let mut found = WinningMoves::new(position, limits);
        let keep = &mut |component, stage, name: &dyn Fn() -> Move, to: &dyn Fn() -> Position| {
            staged.push(stage);
            found.push(component, name(), to(), None)
        };
        let stop = winning_moves(position, &values, engine, limits, keep);
        // Every move in the list keeps the win, but keeping it does not guarantee that the game
        // ends. Moves to lower stages come first. A player who always makes the first move of the
        // list ends the game.
        let moves = std::mem::take(&mut found.moves);
        let mut staged: Vec<_> = staged.into_iter().zip(moves).collect();
        staged.sort_by_key(|(stage, _)| *stage);
        found.moves = staged.into_iter().map(|(_, mv)| mv).collect();
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Loopy(values);
    Ok(Some(solution))
}

/// Visits the moves to P-positions. The visitor receives each move with the stage of the position
/// after it.
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
            let others = all(values).enumerate().filter(|&(i, _)| i != number);
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

/// Visits the moves in part `index` of a term, each with the value of the parts that replace this
/// part. Returns whether the visitor broke.
fn valued_moves(
    term: &dyn AnyTerm,
    index: usize,
    engine: &mut Engine,
    limits: &Limits<'_>,
    visit: &mut dyn FnMut(&LoopyPart, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow,
) -> Result<bool, Stop> {
    let mut seen = 0;
    ended(term.options(index, &mut |left, name, to| {
        let value = look(&mut seen, limits)
            .and_then(|()| engine.sum_of_parts::<SmithFraenkel>(left, limits));
        match value {
            Ok(value) => visit(&value, name, to),
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))
}
