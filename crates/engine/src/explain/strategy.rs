//! The argument for a game that can end in a tie. It gives a strategy that wins against all moves,
//! or the opponent's answer to every move.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::judge::Judge;
use crate::position::Position;
use crate::solve::{Grounds, Solution};
use grundy_base::limits::{Limits, Stop, ended};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};

/// Number of steps of a strategy that are given.
const LINES: usize = 60;

/// Returns the argument for a position.
pub(super) fn steps(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let mut judge = Judge::new(position, play, limits);
    if let Grounds::Labels(labels) = &solution.grounds {
        // With labels no search is needed. In a loopy game labels also give moves that make
        // progress.
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
    let worth = Worth::from(solution.outcome());
    let conclusion = match worth {
        Worth::Win => {
            steps.push(Step::new("ties_strategy").with("side", side));
            strategy(position, mover, &mut judge, &mut steps)?;
            "ties_conclusion_win"
        }
        Worth::Tie => {
            if let Some(best) = judge.best(position, mover)? {
                let step = Step::new("ties_keeps").with("side", side);
                steps.push(step.with("to", best.to.caption()));
                let said = AnswerCodes {
                    answered: "ties_held",
                    tie: "ties_held_tie",
                    won: "ties_held_won",
                };
                answers(&best.to, mover.other(), &said, &mut judge, &mut steps)?;
            }
            "ties_conclusion_tie"
        }
        Worth::Lose => "ties_conclusion_lose",
    };
    // A tie needs two arguments: a move that keeps it, and answers that prevent a win.
    if worth < Worth::Win {
        let code = match worth {
            Worth::Tie => "ties_cannot_win",
            _ => "ties_loses",
        };
        let step = Step::new(code).with("side", side);
        steps.push(step.with("other", other));
        let said = AnswerCodes {
            answered: "ties_answered",
            tie: "ties_ends_tie",
            won: "ties_ends_won",
        };
        answers(position, mover, &said, &mut judge, &mut steps)?;
    }
    steps.push(Step::new(conclusion).with("side", side));
    Ok(steps)
}

/// The codes of three steps about a move of a player. After the move the opponent has an answer
/// (`answered`), the game has ended in a tie (`tie`), or the opponent has won (`won`).
struct AnswerCodes {
    answered: &'static str,
    tie: &'static str,
    won: &'static str,
}

/// Appends, for each move of `mover`, the best answer of the opponent.
fn answers(
    position: &Position,
    mover: Player,
    said: &AnswerCodes,
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
            Some(answer) => step(said.answered).with("answer", answer.to.caption()),
            None => step(match judge.worth(&option, mover.other())? {
                Worth::Win => said.won,
                _ => said.tie,
            }),
        });
    }
    Ok(())
}

/// Returns the moves of a player, each with the position after it.
fn options(position: &Position, player: Player) -> Result<Vec<(Move, Position)>, Stop> {
    let mut options = Vec::new();
    ended(position.moves(player, &mut |_, name, to| {
        options.push((name(), to()));
        ControlFlow::Continue(())
    }))?;
    Ok(options)
}

/// Appends a winning move of `mover` for each position that the opponent's moves can lead to.
fn strategy(
    position: &Position,
    mover: Player,
    judge: &mut Judge<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let side = mover.of(position.players());
    // Visit the positions depth first, in the order of the moves, so that the steps of a line of
    // play are consecutive.
    let mut waiting = vec![position.clone()];
    let mut told = FxHashSet::default();
    while let Some(here) = waiting.pop() {
        let caption = here.caption();
        if told.contains(&caption) {
            continue;
        }
        let Some(choice) = judge.best(&here, mover)? else {
            // `mover` has no move here, so the last move of the opponent has ended the game.
            let step = Step::new("ties_over_won").with("side", side);
            steps.push(step.with("from", &caption[..]));
            told.insert(caption);
            continue;
        };
        if told.len() == LINES {
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
        told.insert(caption);
        waiting.extend(answers.into_iter().rev().map(|(_, option)| option));
    }
    Ok(())
}
