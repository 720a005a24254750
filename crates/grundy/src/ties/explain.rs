//! Why a position is a win, a tie or a loss.

use rustc_hash::FxHashSet;

use super::solve::{self, Solution, Values};
use super::{Game, Rules, Value};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::step::Step;

/// Lines of a strategy that are told.
const LINES: usize = 60;

pub(super) fn explain<R: Rules>(
    game: &Game<R>,
    play: Play,
    limits: &Limits<'_>,
) -> Result<(Solution, Vec<Step>), Stop> {
    let rules = &*game.rules;
    let mover = rules.to_move(&game.state);
    let [side, other] = [mover, mover.other()].map(|side| side.of(rules.players()));
    let mut values = Values::new(game, play, limits);
    let solution = values.solution(game)?;
    let kind = match solution.method {
        solve::INDUCTION => "ties_kind",
        _ => "ties_kind_loops",
    };
    let mut steps = vec![
        Step::new(kind)
            .with("side", side)
            .with("play", play.to_string()),
    ];
    let options = values.named(&game.state)?;
    if options.is_empty() {
        steps.push(Step::new("ties_over"));
        return Ok((solution, steps));
    }
    let conclusion = match solution.value {
        Value::Win => {
            steps.push(Step::new("ties_strategy").with("side", side));
            strategy(game, &mut values, &mut steps)?;
            "ties_conclusion_win"
        }
        Value::Tie => {
            let to = &solution.keeping[solution.nearest].to;
            let step = Step::new("ties_keeps").with("side", side);
            steps.push(step.with("to", to.caption()));
            "ties_conclusion_tie"
        }
        Value::Lose => "ties_conclusion_lose",
    };
    if solution.value < Value::Win {
        let code = match solution.value {
            Value::Tie => "ties_cannot_win",
            _ => "ties_loses",
        };
        let step = Step::new(code).with("side", side);
        steps.push(step.with("other", other));
        for (_, option) in &options {
            let answer = best(&mut values, option)?;
            let code = match answer {
                Some(_) => "ties_answered",
                None => "ties_ends",
            };
            let mut step = Step::new(code)
                .with("side", side)
                .with("move", rules.caption(option));
            if let Some(answer) = answer {
                step = step
                    .with("other", other)
                    .with("answer", rules.caption(&answer));
            }
            steps.push(step);
        }
    }
    steps.push(Step::new(conclusion).with("side", side));
    Ok((solution, steps))
}

/// The position after the move to make, unless the game is over.
fn best<R: Rules>(values: &mut Values<'_, R>, state: &R::State) -> Result<Option<R::State>, Stop> {
    let place = values.best(state)?;
    let options = values.named(state)?;
    Ok(place.map(|place| options[place].1.clone()))
}

/// A winning move at each position that the opponent can bring about.
fn strategy<R: Rules>(
    game: &Game<R>,
    values: &mut Values<'_, R>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let rules = values.rules();
    let mut waiting = vec![game.state.clone()];
    let mut told = FxHashSet::default();
    while let Some(here) = waiting.pop() {
        if told.contains(&here) {
            continue;
        }
        let Some(to) = best(values, &here)? else {
            // The opponent has ended the game itself.
            continue;
        };
        if told.len() == LINES {
            steps.push(Step::new("more_moves_answered"));
            return Ok(());
        }
        let answers = values.named(&to)?;
        let code = if answers.is_empty() {
            "ties_wins_at_once"
        } else {
            "ties_chooses"
        };
        steps.push(
            Step::new(code)
                .with("side", rules.to_move(&here).of(rules.players()))
                .with("from", rules.caption(&here))
                .with("to", rules.caption(&to)),
        );
        told.insert(here);
        waiting.extend(answers.into_iter().rev().map(|(_, option)| option));
    }
    Ok(())
}
