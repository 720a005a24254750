//! Why a position is a win, a tie or a loss.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{AnyPosition, Side, Value};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::step::Step;

/// Lines of a strategy that are told.
const LINES: usize = 60;

/// The argument for the value of `position`, from its tree: a winner's strategy, with the answer to everything that the
/// opponent can do; otherwise the opponent's answer to every move.
///
/// # Errors
/// The limit that was reached.
pub fn explain(
    position: &Arc<dyn AnyPosition>,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let side = name(position.to_move());
    let solution = position.solve(play, limits)?;
    let mut steps = vec![
        Step::new("ties_kind")
            .with("side", side)
            .with("play", play.to_string()),
    ];
    if position.ending(play).is_some() {
        steps.push(Step::new("ties_over"));
        return Ok(steps);
    }
    if solution.value == Value::Win {
        steps.push(Step::new("ties_strategy").with("side", side));
        strategy(position, play, limits, &mut steps)?;
    } else {
        if solution.value == Value::Tie
            && let Some(keeping) = solution.keeping.first()
        {
            let step = Step::new("ties_keeps").with("side", side);
            steps.push(step.with("to", keeping.to.text()));
        }
        let other = name(position.to_move().other());
        steps.push(
            Step::new(if solution.value == Value::Tie {
                "ties_cannot_win"
            } else {
                "ties_loses"
            })
            .with("side", side)
            .with("other", other),
        );
        for option in options(position) {
            let step = Step::new("ties_answered")
                .with("side", side)
                .with("move", option.text());
            let after = option.solve(play, limits)?;
            steps.push(match after.keeping.first() {
                Some(answer) => step.with("other", other).with("answer", answer.to.text()),
                None => Step::new("ties_ends")
                    .with("side", side)
                    .with("move", option.text()),
            });
        }
    }
    let code = match solution.value {
        Value::Win => "ties_conclusion_win",
        Value::Tie => "ties_conclusion_tie",
        Value::Lose => "ties_conclusion_lose",
    };
    steps.push(Step::new(code).with("side", side));
    Ok(steps)
}

fn name(side: Side) -> &'static str {
    match side {
        Side::X => "X",
        Side::O => "O",
    }
}

fn options(position: &Arc<dyn AnyPosition>) -> Vec<Arc<dyn AnyPosition>> {
    let mut options = Vec::new();
    let _ = position.moves(&mut |_, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    options
}

/// The first winning move at each position that the opponent can bring about.
fn strategy(
    position: &Arc<dyn AnyPosition>,
    play: Play,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let mut waiting = vec![Arc::clone(position)];
    let mut lines = 0;
    while let Some(here) = waiting.pop() {
        let solution = here.solve(play, limits)?;
        let Some(winning) = solution.keeping.first() else {
            // The opponent has ended the game itself.
            continue;
        };
        if lines == LINES {
            steps.push(Step::new("more_moves_answered"));
            return Ok(());
        }
        lines += 1;
        let ends = winning.to.ending(play).is_some();
        let code = if ends {
            "ties_wins_at_once"
        } else {
            "ties_chooses"
        };
        steps.push(
            Step::new(code)
                .with("side", name(here.to_move()))
                .with("from", here.text())
                .with("to", winning.to.text()),
        );
        waiting.extend(options(&winning.to).into_iter().rev());
    }
    Ok(())
}
