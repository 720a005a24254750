//! The reason for each winning move: the position after the move, and the value of that position.

use std::ops::Range;
use std::sync::Arc;

use super::searched;
use super::steps::repeated;
use super::values::{are_nim_heaps, mex_of, others, residue, short_name};
use crate::position::{AnyTerm, Position};
use crate::solve::{Solution, Solver, WinningMove};
use crate::values::grundy::Grundy;
use crate::values::loopy::{Loopy, LoopyPart};
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::step::Step;

/// Number of winning moves for which the theorem is applied to the position after the move.
const RECKONED: usize = 20;

/// Number of options listed for the position after a move.
const OPTIONS_TOLD: usize = 12;

/// The change that a winning move makes: the index of the changed part in its term, the part
/// itself, and the parts that replace it.
struct Moved {
    index: usize,
    part: Arc<dyn AnyTerm>,
    left: Arc<dyn AnyTerm>,
}

/// Returns the change that a winning move makes.
fn moved(position: &Position, winning: &WinningMove) -> Moved {
    let before = &position.terms()[winning.component];
    let after = &winning.to.terms()[winning.component];
    let (index, left) = change(&**before, &**after);
    Moved {
        index,
        part: before.some_parts(index..index + 1),
        left: after.some_parts(left),
    }
}

/// Returns the index of the part that a move changed, and the range of the parts in `after` that
/// replace it.
fn change(before: &dyn AnyTerm, after: &dyn AnyTerm) -> (usize, Range<usize>) {
    let (old, new) = (before.parts(), after.parts());
    let same = old.iter().zip(&new);
    let first = same.take_while(|(one, other)| one.same(&***other)).count();
    // Exactly one part is replaced, and all parts behind it are unchanged. So their number gives
    // the end of the range. The first new parts may equal all old parts, so keep the index in
    // range.
    let index = first.min(old.len() - 1);
    let kept = old.len() - index - 1;
    (index, index..new.len() - kept)
}

/// Appends the reasons if values add up: the new value of the part makes the nim-sum 0.
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
        let Moved { index, part, left } = moved(position, winning);
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
            // The value of a Nim heap is its size, so a winning move reduces the heap to it.
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
        if number < RECKONED {
            steps.extend(worth(&left, solver, limits)?);
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
        let Moved { index, part, left } = moved(position, winning);
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
                .with("others", others(&all, before + index).to_string())
        };
        steps.push(repeated(step, winning));
    }
}

/// Returns the reason for the value of a term, if it can be stated in one step.
fn worth(
    term: &Arc<dyn AnyTerm>,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let values = match solver.engine.parts::<Grundy>(&**term, limits) {
        Ok(values) => values,
        // The reason may be missing, since the outcome is known without the value.
        Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(None),
        Err(stop) => return Err(stop),
    };
    Ok(match &values[..] {
        [] => None,
        [part] => match &part.evidence {
            Evidence::Period { period, .. } => residue(term, part.value, period),
            Evidence::Theorem(_) => term.reckon(Play::Normal),
            // A theorem about the outcome explains the value of a part only if this value is 0.
            _ => match term.reckon(Play::Normal).filter(|_| part.value == 0) {
                Some(step) => Some(step),
                None => mex_of(term, part.value, OPTIONS_TOLD, solver, limits)?,
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

/// Appends the reasons from a theorem about outcomes: each winning move leads to a P-position, by
/// the theorem or by a search.
pub(super) fn by_outcome(
    solution: &Solution,
    play: Play,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    for (number, winning) in solution.winning_moves().iter().enumerate() {
        let reckoned = winning.to.only_term().and_then(|term| term.reckon(play));
        let told = number < RECKONED;
        let with_to = |step: Step| step.with("to", winning.to.to_string());
        let mut step = with_to(Step::new("reason_p"));
        if !winning.to.has_move(winning.to.first_player())? {
            step = with_to(Step::new("reason_end"));
        } else if told && reckoned.is_none() {
            // Use a new solver, so that the number of positions does not depend on earlier
            // questions.
            let mut solver = Solver::default();
            match solver.outcome(&winning.to, play, limits) {
                Ok(_) => {
                    let positions = solver.work().positions;
                    step = match searched::p_by_options(&winning.to, play, &mut solver, limits)? {
                        Some(told) => told,
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
        steps.extend(reckoned.filter(|_| told));
    }
    Ok(())
}
