//! Why each winning move wins: what it leaves, and what that is worth.

use std::ops::Range;
use std::sync::Arc;

use super::searched;
use super::steps::repeated;
use super::values::{mex_of, others, residue, short_name};
use crate::position::{AnyTerm, Position};
use crate::solve::{Solution, Solver, WinningMove};
use crate::values::grundy::Grundy;
use crate::values::loopy::{Loopy, LoopyPart};
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::step::Step;

/// Moves after which the theorem is applied to what is left.
const RECKONED: usize = 20;

/// Options told of what a move leaves.
const OPTIONS_TOLD: usize = 12;

/// What a winning move does: the number of the part that it is made in within its term, that part,
/// and what is left in its place.
struct Moved {
    index: usize,
    part: Arc<dyn AnyTerm>,
    left: Arc<dyn AnyTerm>,
}

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

/// Where a term has changed: the part that was moved in, and the parts in its place.
fn change(before: &dyn AnyTerm, after: &dyn AnyTerm) -> (usize, Range<usize>) {
    let (old, new) = (before.parts(), after.parts());
    let same = old.iter().zip(&new);
    let first = same.take_while(|(one, other)| one.same(&***other)).count();
    // Of the old term one part is gone, and what stands behind it is the same at the end.
    let index = first.min(old.len() - 1);
    let kept = old.len() - index - 1;
    (index, index..new.len() - kept)
}

/// By values that add up: the part moved in gets the value that makes the sum 0.
pub(super) fn by_values(
    position: &Position,
    values: &[Vec<PartValue<u64>>],
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let all = || values.iter().flatten().map(|part| part.value);
    let sum = all().fold(0, |sum, value| sum ^ value);
    for (number, winning) in solution.winning_moves().iter().enumerate() {
        let Moved { index, part, left } = moved(position, winning);
        let from = values[winning.component][index].value;
        let to = from ^ sum;
        let step = if all().count() == 1 {
            // A position with own moves has no Grundy value, though its theorem reckons with one.
            let code = if position.nature().is_impartial() {
                "reason_zero"
            } else {
                "reason_p"
            };
            Step::new(code).with("to", short_name(&winning.to))
        } else {
            let code = if to > from {
                "reason_raised"
            } else {
                "reason_sum"
            };
            Step::new(code)
                .with("to", winning.to.to_string())
                .with("part", part.text())
                .with("left", left.text())
                .with("from", from)
                .with("value", to)
                .with("others", to)
        };
        steps.push(repeated(step, winning));
        if number < RECKONED {
            steps.extend(worth(&left, solver, limits)?);
        }
    }
    Ok(())
}

/// By values of games that need not end: what is left has the finite value that makes the sum 0.
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

/// What a term is worth, in one step where that can be said in one.
fn worth(
    term: &Arc<dyn AnyTerm>,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let values = match solver.engine.parts::<Grundy>(&**term, limits) {
        Ok(values) => values,
        // The outcome is known without it.
        Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(None),
        Err(stop) => return Err(stop),
    };
    Ok(match &values[..] {
        [] => None,
        [part] => match &part.evidence {
            Evidence::Period { period, .. } => residue(term, part.value, period),
            Evidence::Theorem(_) => term.reckon(Play::Normal),
            // A theorem that says who wins says what a part is worth only where that is 0.
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

/// By a theorem about outcomes: the move leaves a position of which it says P, or of which a search
/// does.
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
            // A solver that knows nothing yet: what it looks at is the same whatever was asked
            // before.
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
