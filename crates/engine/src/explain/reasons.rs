//! The reason for each winning move: the position after the move, and the value of that position.

use std::ops::Range;
use std::sync::Arc;

use super::option_outcomes;
use super::steps::repeated;
use super::values::{are_nim_heaps, mex_of, residue, short_name, sum_of_others};
use crate::position::{AnyTerm, Position};
use crate::solve::{Solution, Solver, WinningMove};
use crate::values::grundy::Grundy;
use crate::values::loopy::{Loopy, LoopyPart};
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::step::Step;

/// Largest number of winning moves for which the value of the position after the move is explained.
const MAX_THEOREM_MOVES: usize = 20;

/// Largest number of options that are listed for the position after a move.
const MAX_OPTIONS: usize = 12;

/// The change that a winning move makes: the index of the changed part in its term, the part
/// itself, and the parts that replace it.
struct Change {
    index: usize,
    part: Arc<dyn AnyTerm>,
    left: Arc<dyn AnyTerm>,
}

/// Returns the change that a winning move makes.
fn change_of(position: &Position, winning: &WinningMove) -> Change {
    let before = &position.terms()[winning.component];
    let after = &winning.to.terms()[winning.component];
    let (index, left) = changed_parts(&**before, &**after);
    Change {
        index,
        part: before.some_parts(index..index + 1),
        left: after.some_parts(left),
    }
}

/// Returns the index of the part that a move changed, and the range of the parts in `after` that
/// replace it.
fn changed_parts(before: &dyn AnyTerm, after: &dyn AnyTerm) -> (usize, Range<usize>) {
    let (old, new) = (before.parts(), after.parts());
    let same = old.iter().zip(&new);
    let first = same.take_while(|(one, other)| one.same(&***other)).count();
    // A move replaces one part, and leaves the parts after it unchanged. So their number gives the
    // end of the range. If the old parts are equal to the first new ones, `first` is out of range,
    // and the last part counts as replaced.
    let index = first.min(old.len() - 1);
    let kept = old.len() - index - 1;
    (index, index..new.len() - kept)
}

/// Appends the reasons for an answer from Sprague–Grundy values: the new value of the changed part
/// makes the nim-sum 0.
pub(super) fn by_values(
    position: &Position,
    values: &[Vec<PartValue<u64>>],
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let heaps = are_nim_heaps(position, values);
    let all = || values.iter().flatten().map(|part| part.value);
    let sum = all().fold(0, |sum, value| sum ^ value);
    for (number, winning) in solution.winning_moves().iter().enumerate() {
        let Change { index, part, left } = change_of(position, winning);
        let from = values[winning.component][index].value;
        let to = from ^ sum;
        let step = if all().count() == 1 {
            // A partizan position has no Grundy value, even if its theorem is about one.
            let code = if position.nature().is_impartial() {
                "reason_zero"
            } else {
                "reason_p"
            };
            Step::new(code).with("to", short_name(&winning.to))
        } else {
            // The value of a Nim heap is its size. So a winning move reduces the heap to the size
            // `to`.
            let code = match (heaps, to > from) {
                (true, _) => "reason_heap",
                (false, true) => "reason_raised",
                (false, false) => "reason_sum",
            };
            let step = Step::new(code)
                .with("to", winning.to.to_string())
                .with("part", part.text())
                .with("left", left.text())
                .with("from", from)
                .with("value", to)
                .with("others", to);
            if heaps {
                step.with("count", from - to)
            } else {
                step
            }
        };
        steps.push(repeated(step, winning));
        if number < MAX_THEOREM_MOVES {
            steps.extend(reason_for_value(&left, solver, limits)?);
        }
    }
    Ok(())
}

/// Appends the reasons from Smith–Fraenkel values: the new value of the part is finite and makes
/// the sum 0.
pub(super) fn by_loopy_values(
    position: &Position,
    values: &[Vec<PartValue<LoopyPart>>],
    solution: &Solution,
    steps: &mut Vec<Step>,
) {
    let all: Vec<&Loopy> = values
        .iter()
        .flatten()
        .map(|part| &part.value.value)
        .collect();
    for winning in solution.winning_moves() {
        let Change { index, part, left } = change_of(position, winning);
        let before: usize = values[..winning.component].iter().map(Vec::len).sum();
        let from = all[before + index];
        let step = if all.len() == 1 {
            Step::new("reason_zero").with("to", short_name(&winning.to))
        } else {
            let code = match from {
                Loopy::Infinite(_) => "reason_from_infinity",
                Loopy::Finite(_) => "reason_to_others",
            };
            Step::new(code)
                .with("to", winning.to.to_string())
                .with("part", part.text())
                .with("left", left.text())
                .with("loopy", from.to_string())
                .with("others", sum_of_others(&all, before + index).to_string())
        };
        steps.push(repeated(step, winning));
    }
}

/// Returns the step with the reason for the value of a term. Returns `None` if there is no single
/// step with the reason, or if a limit on positions or memory is reached.
fn reason_for_value(
    term: &Arc<dyn AnyTerm>,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let values = match solver.engine.parts::<Grundy>(&**term, limits) {
        Ok(values) => values,
        // If a limit is reached, omit the reason. The outcome is known without the value.
        Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(None),
        Err(stop) => return Err(stop),
    };
    Ok(match &values[..] {
        [] => None,
        [part] => match &part.evidence {
            Evidence::Period { period, .. } => residue(term, part.value, period),
            Evidence::Theorem(_) => term.theorem_application(Play::Normal),
            // The step of a theorem about the outcome explains the value only if the value is 0.
            _ => match term
                .theorem_application(Play::Normal)
                .filter(|_| part.value == 0)
            {
                Some(step) => Some(step),
                None => mex_of(term, part.value, MAX_OPTIONS, solver, limits)?,
            },
        },
        several => {
            let values: Vec<u64> = several.iter().map(|part| part.value).collect();
            let sum = values.iter().fold(0, |sum, value| sum ^ value);
            let parts: Vec<String> = term.parts().iter().map(|part| part.text()).collect();
            let step = Step::new("worth_of_parts").with("part", term.text());
            let step = step.with("parts", parts).with("values", values);
            Some(step.with("value", sum))
        }
    })
}

/// Appends the reasons for an answer from a theorem about outcomes: each winning move leads to a
/// P-position, by the theorem or by a search.
pub(super) fn by_outcome(
    solution: &Solution,
    play: Play,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    for (number, winning) in solution.winning_moves().iter().enumerate() {
        let by_theorem = winning
            .to
            .only_term()
            .and_then(|term| term.theorem_application(play));
        let is_explained = number < MAX_THEOREM_MOVES;
        let with_to = |step: Step| step.with("to", winning.to.to_string());
        let mut step = with_to(Step::new("reason_p"));
        if !winning.to.has_move(winning.to.first_player())? {
            step = with_to(Step::new("reason_end"));
        } else if is_explained && by_theorem.is_none() {
            // The step states the number of positions searched. Use a new solver, so that this
            // number does not depend on earlier questions.
            let mut solver = Solver::default();
            match solver.outcome(&winning.to, play, limits) {
                Ok(_) => {
                    let positions = solver.work().positions;
                    step = match option_outcomes::p_by_options(
                        &winning.to,
                        play,
                        &mut solver,
                        limits,
                    )? {
                        Some(reason) => reason,
                        None => {
                            with_to(Step::new("reason_p_searched").with("positions", positions))
                        }
                    };
                }
                Err(Stop::Positions(_) | Stop::Memory(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        steps.push(repeated(step, winning));
        steps.extend(by_theorem.filter(|_| is_explained));
    }
    Ok(())
}
