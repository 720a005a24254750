//! The explanation for a game that can end in a tie. It gives a strategy that wins against all
//! moves, or the opponent's answer to every move.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::judge::Judge;
use crate::position::Position;
use crate::solve::{Grounds, Solution};
use grundy_base::limits::{Limits, Stop, stopped_early};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};

/// Largest number of positions for which the strategy lists a move.
const MAX_LINES: usize = 60;

/// Returns the explanation for a position.
pub(super) fn steps(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let mut judge = Judge::new(position, play, limits);
    if let Grounds::Labels(labels) = &solution.grounds {
        // With labels no search is needed. In a loopy game the remoteness in the labels also gives
        // moves that lead to a win after finitely many moves.
        judge = judge.with_labels(labels);
    }
    let mover = position.first_player();
    let [side, other] = [mover, mover.other()].map(|player| player.of(position.players()));
    let mut steps = vec![super::kind(position, play, solution)];
    let options = options(position, mover)?;
    if options.is_empty() {
        steps.push(Step::new("ties_over"));
        return Ok(steps);
    }
    let result = PayoffResult::from(solution.outcome());
    let conclusion = match result {
        PayoffResult::Win => {
            steps.push(Step::new("ties_strategy").with("side", side));
            strategy(position, mover, &mut judge, &mut steps)?;
            "ties_conclusion_win"
        }
        PayoffResult::Tie => {
            if let Some(best) = judge.best(position, mover)? {
                let step = Step::new("ties_keeps").with("side", side);
                steps.push(step.with("to", best.to.caption()));
                let codes = AnswerCodes {
                    answered: "ties_held",
                    tie: "ties_held_tie",
                    won: "ties_held_won",
                };
                answers(&best.to, mover.other(), &codes, &mut judge, &mut steps)?;
            }
            "ties_conclusion_tie"
        }
        PayoffResult::Lose => "ties_conclusion_lose",
    };
    // The explanation of a tie has two parts: a move that keeps the tie, and answers that prevent a
    // win.
    if result < PayoffResult::Win {
        let code = match result {
            PayoffResult::Tie => "ties_cannot_win",
            _ => "ties_loses",
        };
        let step = Step::new(code).with("side", side);
        steps.push(step.with("other", other));
        let codes = AnswerCodes {
            answered: "ties_answered",
            tie: "ties_ends_tie",
            won: "ties_ends_won",
        };
        answers(position, mover, &codes, &mut judge, &mut steps)?;
    }
    steps.push(Step::new(conclusion).with("side", side));
    Ok(steps)
}

/// The codes of the steps about the moves of a player. The code of a step depends on the situation
/// after the move. The opponent has an answer (`answered`), the game has ended in a tie (`tie`), or
/// the opponent has won (`won`).
struct AnswerCodes {
    answered: &'static str,
    tie: &'static str,
    won: &'static str,
}

/// Appends, for each move of `mover`, the best answer of the opponent.
fn answers(
    position: &Position,
    mover: Player,
    codes: &AnswerCodes,
    judge: &mut Judge<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let [side, other] = [mover, mover.other()].map(|player| player.of(position.players()));
    for (_, option) in options(position, mover)? {
        let step = |code| {
            Step::new(code)
                .with("side", side)
                .with("move", option.caption())
                .with("other", other)
        };
        steps.push(match judge.best(&option, mover.other())? {
            Some(answer) => step(codes.answered).with("answer", answer.to.caption()),
            None => step(match judge.result(&option, mover.other())? {
                PayoffResult::Win => codes.won,
                _ => codes.tie,
            }),
        });
    }
    Ok(())
}

/// Returns the moves of a player, each with the position after it.
fn options(position: &Position, player: Player) -> Result<Vec<(Move, Position)>, Stop> {
    let mut options = Vec::new();
    stopped_early(position.moves(player, &mut |_, name, to| {
        options.push((name(), to()));
        ControlFlow::Continue(())
    }))?;
    Ok(options)
}

/// Appends a winning strategy of `mover`: a winning move in `position`, and one in each position
/// that the opponent can reach against this strategy. Lists moves for at most `MAX_LINES`
/// positions.
fn strategy(
    position: &Position,
    mover: Player,
    judge: &mut Judge<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let side = mover.of(position.players());
    // Visit the positions depth first, in the order of the moves. So the steps of one line of play
    // are consecutive.
    let mut stack = vec![position.clone()];
    let mut explained = FxHashSet::default();
    while let Some(here) = stack.pop() {
        let caption = here.caption();
        if explained.contains(&caption) {
            continue;
        }
        let Some(choice) = judge.best(&here, mover)? else {
            // `mover` has no move here, so the last move of the opponent has ended the game with a
            // win of `mover`.
            let step = Step::new("ties_over_won").with("side", side);
            steps.push(step.with("from", &caption[..]));
            explained.insert(caption);
            continue;
        };
        if explained.len() == MAX_LINES {
            steps.push(Step::new("more_moves_answered"));
            return Ok(());
        }
        let answers = options(&choice.to, mover.other())?;
        let code = if answers.is_empty() {
            "ties_wins_at_once"
        } else {
            "ties_chooses"
        };
        steps.push(
            Step::new(code)
                .with("side", side)
                .with("from", &caption[..])
                .with("to", choice.to.caption()),
        );
        explained.insert(caption);
        stack.extend(answers.into_iter().rev().map(|(_, option)| option));
    }
    Ok(())
}
