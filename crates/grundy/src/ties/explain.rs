//! Why a position is a win, a tie or a loss.

use rustc_hash::FxHashSet;

use super::solve::Values;
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
) -> Result<Vec<Step>, Stop> {
    let rules = &*game.rules;
    let mover = rules.to_move(&game.state);
    let [side, other] = [mover, mover.other()].map(|side| side.of(rules.players()));
    let mut values = Values::new(rules, play, limits);
    let value = values.get(&game.state)?.value;
    let (keeping, nearest) = values.keeping(&game.state)?;
    let kind = if values.method() == "backward induction" {
        "ties_kind"
    } else {
        "ties_kind_loops"
    };
    let mut steps = vec![
        Step::new(kind)
            .with("side", side)
            .with("play", play.to_string()),
    ];
    let options = values.named(&game.state)?;
    if options.is_empty() {
        steps.push(Step::new("ties_over"));
        return Ok(steps);
    }
    let conclusion = match value {
        Value::Win => {
            steps.push(Step::new("ties_strategy").with("side", side));
            strategy(game, &mut values, &mut steps)?;
            "ties_conclusion_win"
        }
        Value::Tie => {
            let (_, to) = &keeping[nearest];
            let step = Step::new("ties_keeps").with("side", side);
            steps.push(step.with("to", rules.caption(to)));
            "ties_conclusion_tie"
        }
        Value::Lose => "ties_conclusion_lose",
    };
    if value < Value::Win {
        let code = match value {
            Value::Tie => "ties_cannot_win",
            _ => "ties_loses",
        };
        let step = Step::new(code).with("side", side);
        steps.push(step.with("other", other));
        for (_, option) in &options {
            let (answers, nearest) = values.keeping(option)?;
            let code = if answers.is_empty() {
                "ties_ends"
            } else {
                "ties_answered"
            };
            let mut step = Step::new(code)
                .with("side", side)
                .with("move", rules.caption(option));
            if let Some((_, answer)) = answers.get(nearest) {
                step = step
                    .with("other", other)
                    .with("answer", rules.caption(answer));
            }
            steps.push(step);
        }
    }
    steps.push(Step::new(conclusion).with("side", side));
    Ok(steps)
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
        let (winning, nearest) = values.keeping(&here)?;
        let Some((_, to)) = winning.get(nearest) else {
            // The opponent has ended the game itself.
            continue;
        };
        if told.len() == LINES {
            steps.push(Step::new("more_moves_answered"));
            return Ok(());
        }
        let answers = values.named(to)?;
        let code = if answers.is_empty() {
            "ties_wins_at_once"
        } else {
            "ties_chooses"
        };
        steps.push(
            Step::new(code)
                .with("side", rules.to_move(&here).of(rules.players()))
                .with("from", rules.caption(&here))
                .with("to", rules.caption(to)),
        );
        told.insert(here);
        waiting.extend(answers.into_iter().rev().map(|(_, option)| option));
    }
    Ok(())
}
