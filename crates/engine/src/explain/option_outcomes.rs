//! The explanation of an outcome found by search. It applies the definition of P- and N-positions
//! to the options of the position.

use super::option_list;
use super::steps::repeated;
use super::values::short_name;
use crate::position::{Choice, Position};
use crate::solve::{Solution, Solver};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::Step;

/// Largest number of options that are listed. A longer list is not readable.
const MAX_OPTIONS: usize = 24;

/// Returns the options of a position, each with its outcome. Returns `None` if there are more than
/// [`MAX_OPTIONS`] options, or if a limit on positions or memory is reached.
fn options_with_outcomes(
    position: &Position,
    play: Play,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Vec<(Position, Outcome)>>, Stop> {
    option_list::options(position, MAX_OPTIONS, &mut |to| {
        solver.outcome(to, play, limits).map(Some)
    })
}

/// Returns the names of the options with the outcome `wanted`.
fn names_with_outcome(options: &[(Position, Outcome)], wanted: Outcome) -> Vec<String> {
    let found = options.iter().filter(|(_, outcome)| *outcome == wanted);
    found.map(|(option, _)| short_name(option)).collect()
}

/// Returns the step which states that all options of a P-position are N-positions. Returns `None`
/// if there are no options, more than [`MAX_OPTIONS`] options, or a limit is reached.
pub(super) fn p_by_options(
    position: &Position,
    play: Play,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let options = options_with_outcomes(position, play, solver, limits)?;
    let options = options.filter(|options| !options.is_empty());
    Ok(options.map(|options| {
        Step::new("reason_p_options")
            .with("to", short_name(position))
            .with("options", names_with_outcome(&options, Outcome::N))
    }))
}

/// Appends steps that explain the outcome by the outcomes of the options, if there are at most
/// [`MAX_OPTIONS`] options. For an N-position, the steps give the options that are P-positions. For
/// a P-position, they give an answer to every option.
pub(super) fn push_steps(
    position: &Position,
    play: Play,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let Some(options) = options_with_outcomes(position, play, solver, limits)? else {
        return Ok(());
    };
    if options.is_empty() {
        return Ok(());
    }
    match solution.outcome() {
        Outcome::N => {
            steps.push(
                Step::new("searched_n")
                    .with("count", options.len())
                    .with("winning", names_with_outcome(&options, Outcome::P).len()),
            );
            for winning in solution.winning_moves() {
                let reason = p_by_options(&winning.to, play, solver, limits)?;
                let step = reason
                    .unwrap_or_else(|| Step::new("reason_p").with("to", short_name(&winning.to)));
                steps.push(repeated(step, winning));
            }
        }
        Outcome::P => {
            steps.push(Step::new("searched_p").with("count", options.len()));
            for (option, _) in &options {
                let player = option.first_player();
                // One winning answer suffices, so take the first one.
                let answer = option.first_move(player, |to| {
                    Ok(solver.outcome(to, play, limits)? == Outcome::P)
                })?;
                steps.push(match answer {
                    Some(Choice { to, .. }) => Step::new("searched_answered")
                        .with("move", short_name(option))
                        .with("answer", short_name(&to)),
                    None => Step::new("searched_end").with("move", short_name(option)),
                });
            }
        }
        Outcome::D => {
            let [drawn, lost] =
                [Outcome::D, Outcome::N].map(|wanted| names_with_outcome(&options, wanted));
            let step = match &lost[..] {
                [] => Step::new("searched_d"),
                _ => Step::new("searched_d_n").with("lost", lost),
            };
            steps.push(step.with("drawn", drawn));
        }
    }
    Ok(())
}
