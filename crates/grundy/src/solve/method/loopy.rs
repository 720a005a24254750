//! By the values of Smith and Fraenkel, for sums of games that need not end.

use std::ops::ControlFlow;

use super::{Asked, Solver, all};
use crate::limits::{Flow, Limits, Stop};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::solve::solution::{GameValue, Grounds, Solution, Wanted};
use crate::solve::winning::{Found, part_values};
use crate::step::Move;
use crate::term::VisitValued;
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL, SmithFraenkel, Stage};
use crate::values::{PartValue, Valuation};

pub(super) fn answer(solver: &mut Solver, question: &Asked<'_>) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let loopy = &mut solver.loopy;
    let values = part_values::<SmithFraenkel>(position, loopy, limits)?;
    let sum = loopy.sum(all(&values), question.limits)?.value;
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
        let mut found = Found::new(position);
        let keep = &mut |component, stage, name: &dyn Fn() -> Move, to: &dyn Fn() -> Position| {
            staged.push(stage);
            found.push(component, name(), to(), None)
        };
        let stop = winning_moves(position, &values, loopy, limits, keep);
        // The first move listed makes progress: whoever always plays it wins in the end.
        let moves = std::mem::take(&mut found.moves);
        let mut staged: Vec<_> = staged.into_iter().zip(moves).collect();
        staged.sort_by_key(|(stage, _)| *stage);
        found.moves = staged.into_iter().map(|(_, mv)| mv).collect();
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Loopy(values);
    Ok(Some(solution))
}

/// Visits the moves to P-positions with the stage of the position after each.
fn winning_moves(
    position: &Position,
    values: &[Vec<PartValue<LoopyPart>>],
    loopy: &mut Valuation<SmithFraenkel>,
    limits: &Limits<'_>,
    visit: &mut dyn FnMut(usize, Stage, &dyn Fn() -> Move, &dyn Fn() -> Position) -> Flow,
) -> Result<(), Stop> {
    let mut number = 0;
    for (component, (term, parts)) in position.terms().iter().zip(values).enumerate() {
        for index in 0..parts.len() {
            let others = all(values).enumerate().filter(|&(i, _)| i != number);
            let others = loopy.sum(others.map(|(_, part)| part), limits)?;
            number += 1;
            // An infinite part elsewhere stays infinite, and no infinite sum is a P-position.
            if matches!(others.value, Loopy::Infinite(_)) {
                continue;
            }
            let keep: VisitValued<'_, LoopyPart> = &mut |left, name, to| {
                let sum = others.plus(left);
                if sum.value == Loopy::Finite(0) {
                    visit(component, sum.stage, name, &|| {
                        position.after(component, to())
                    })
                } else {
                    ControlFlow::Continue(())
                }
            };
            if term.valued_moves(index, loopy, limits, keep)? {
                return Ok(());
            }
        }
    }
    Ok(())
}
