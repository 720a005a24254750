//! The argument for the outcome class of a partizan position. It consists of bounds and of numbers.
//! For each player who may begin, it gives the winning move or the answer to every move.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::concluded;
use super::judge::Judge;
use super::steps::of;
use super::values::theorem_step;
use super::worth;
use crate::position::Position;
use crate::solve::reached::Reached;
use crate::solve::search::Search;
use crate::solve::{Beginning, Choice, GameValue, KnowsLabels, Solution};
use crate::theorem::NAMED_VALUES;
use crate::values::Engine;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Halt, Limits, Stop, ended};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::player::{OutcomeClass, Player};
use grundy_base::step::{Datum, Step};

/// Number of moves of the losing player for which an answer is given.
const ANSWERED: usize = 24;

/// Number of further moves up to which they are counted.
const COUNTED: usize = 10_000;

/// Number of components up to which each is listed with its outcome class.
const COMPONENTS: usize = 20;

/// Returns the step with the kind of game.
pub(super) fn kind(position: &Position, play: Play, finite: bool) -> Step {
    Step::new(if finite {
        "kind_partizan"
    } else {
        "kind_partizan_loops"
    })
    .with("impartial", false)
    .with("finite", finite)
    .with("play", play.to_string())
    .with("parts", position.component_count())
}

/// Returns the argument from labels, for a game in which positions can repeat.
pub(super) fn by_labels(
    position: &Position,
    play: Play,
    solution: &Solution,
    labels: &Reached,
) -> Result<Vec<Step>, Stop> {
    let mut steps = vec![
        kind(position, play, false),
        Step::new(match play {
            Play::Normal => "partizan_stages_normal",
            Play::Misere => "partizan_stages_misere",
        })
        .with("positions", labels.sums()),
    ];
    for beginning in &solution.beginnings {
        steps.extend(labelled_beginning(position, beginning, labels)?);
    }
    steps.push(conclusion(solution));
    Ok(steps)
}

/// Returns the step for one beginning: the result, a best move, and the number of moves with best
/// play.
pub(super) fn labelled_beginning(
    position: &Position,
    beginning: &Beginning,
    labels: &dyn KnowsLabels,
) -> Result<Option<Step>, Stop> {
    let player = beginning.player;
    let Some(label) = labels.label_of(position, player)? else {
        return Ok(None);
    };
    // Without a move the player has won in misère play, and lost in normal play.
    let Some(Choice { to, .. }) = labels.best(position, player)? else {
        return Ok(Some(match label.outcome {
            Outcome::N => of(player, "left_begins_has_won", "right_begins_has_won"),
            _ => of(player, "left_cannot_move", "right_cannot_move"),
        }));
    };
    let step = match label.outcome {
        Outcome::N => of(player, "left_begins_wins_in", "right_begins_wins_in"),
        Outcome::P => of(player, "left_begins_loses_in", "right_begins_loses_in"),
        Outcome::D => of(player, "left_begins_draws", "right_begins_draws"),
    };
    let step = step.with("to", to.to_string());
    Ok(Some(match label.remoteness {
        Some(moves) => step.with("moves", u64::from(moves)),
        None => step,
    }))
}

/// Returns the last step, the outcome class.
fn conclusion(solution: &Solution) -> Step {
    if !solution.by_beginner() {
        return concluded(solution);
    }
    Step::new(solution.class().of([
        "class_conclusion_l",
        "class_conclusion_r",
        "class_conclusion_n",
        "class_conclusion_p",
        "class_conclusion_ld",
        "class_conclusion_rd",
        "class_conclusion_dl",
        "class_conclusion_dr",
        "class_conclusion_d",
    ]))
}

/// Returns the argument from a search.
pub(super) fn by_search(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    match searched(position, play, solution, limits) {
        // The argument visits more positions than the search for the answer, so it may find a cycle
        // that the search avoided. Labels always give an argument.
        Err(Stop::Cyclic) => {
            let labels = Arc::new(Reached::new(position, play, limits)?);
            by_labels(position, play, solution, &labels)
        }
        other => other,
    }
}

/// Returns the argument from a search. Fails with [`Stop::Cyclic`] if a position repeats during
/// this search.
fn searched(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    // Use a new engine, so that the explanation does not depend on earlier questions.
    let mut search = Search::new(position, play, Engine::default(), limits);
    let terms = position.terms().iter();
    let components: Vec<_> = terms.flat_map(|term| term.pieces()).collect();
    let mut steps = vec![kind(position, play, true)];
    if components.len() > 1 {
        let mut classes = Vec::new();
        for component in components.iter().take(COMPONENTS) {
            let text = component.text();
            let sum = search.sum(&Position::from(Arc::clone(component)))?;
            let left = search.wins(sum.clone(), Player::Left)?;
            let right = search.wins(sum, Player::Right)?;
            let class = OutcomeClass::from_wins(left, right);
            classes.push(Datum::Text(format!("{text} ∈ {class}")));
        }
        if components.len() > COMPONENTS {
            classes.push("…".into());
        }
        steps.push(Step::new("class_components").with("components", Datum::List(classes)));
    }
    // If the value is a number, its options explain it better than the theorem on named values.
    let theorem = solution
        .theorem
        .filter(|theorem| theorem.method != NAMED_VALUES.method || solution.number().is_none());
    if solution.value.is_some() {
        steps.extend(theorem.map(theorem_step));
        for part in position.terms().iter().flat_map(|term| term.parts()) {
            let argument = part.argument(0, None);
            if argument.is_empty() {
                steps.extend(part.reckon(play));
            }
            steps.extend(argument);
        }
    }
    if solution.value.is_some() {
        steps.extend(worth::steps(position, theorem.is_some(), limits)?);
    }
    if let Some(value) = solution.number() {
        let code = match solution.class() {
            OutcomeClass::L => "number_positive",
            OutcomeClass::R => "number_negative",
            _ => "number_zero",
        };
        steps.push(Step::new(code).with("value", value.to_string()));
    } else if let Some(GameValue::Short { text, .. }) = &solution.value {
        steps.push(Step::new("canonical_value").with("value", text.as_str()));
    } else if play == Play::Normal {
        let sum = search.sum(position)?;
        if sum.is_number() {
            steps.push(Step::new("components_cancel"));
        } else if let Some([least, most]) = search.bounds(&sum)
            && (least > Dyadic::ZERO || most < Dyadic::ZERO)
        {
            // A bound on the value decides the outcome only if both bounds are on one side of 0.
            steps.push(
                Step::new("class_bounds")
                    .with("least", least.to_string())
                    .with("most", most.to_string()),
            );
        }
    }
    steps.extend(answered(position, play, solution, limits)?);
    steps.push(conclusion(solution));
    Ok(steps)
}

/// Returns, for each beginning, the winning move or an answer to every move.
pub(super) fn answered(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let mut steps = Vec::new();
    let mut judge = Judge::new(position, play, limits);
    for beginning in &solution.beginnings {
        self::beginning(position, beginning, &mut judge, &mut steps)?;
    }
    Ok(steps)
}

/// Appends the steps for one beginning.
fn beginning(
    position: &Position,
    beginning: &Beginning,
    judge: &mut Judge<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let player = beginning.player;
    if beginning.outcome == Outcome::N {
        steps.push(match beginning.moves.first() {
            Some(winning) => {
                // If the opponent cannot move then, the player wins at once. This occurs only in
                // normal play.
                let step = if winning.to.has_move(player.other())? {
                    of(player, "left_begins_wins", "right_begins_wins")
                } else {
                    let [left, right] = ["left_begins_wins_at_once", "right_begins_wins_at_once"];
                    of(player, left, right)
                };
                step.with("to", winning.to.to_string())
            }
            // There is no winning move if a player without a move has won in misère play. In a
            // large position the winning move may also not have been searched.
            None => of(player, "left_begins_has_won", "right_begins_has_won"),
        });
        return Ok(());
    }
    // The positions after the other moves are only counted, since there may be very many.
    let (mut options, mut rest) = (Vec::new(), 0usize);
    let uncounted = ended(position.moves(player, &mut |_, _, to| {
        if options.len() < ANSWERED {
            options.push(to());
        } else {
            rest += 1;
        }
        if rest > COUNTED {
            ControlFlow::Break(Halt::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }))?;
    if options.is_empty() {
        steps.push(of(player, "left_cannot_move", "right_cannot_move"));
        return Ok(());
    }
    steps.push(of(player, "left_begins_loses", "right_begins_loses"));
    for option in &options {
        steps.push(match judge.best(option, player.other())? {
            Some(answer) => of(player, "left_answered", "right_answered")
                .with("move", option.to_string())
                .with("answer", answer.to.to_string()),
            None => {
                of(player, "left_at_the_end", "right_at_the_end").with("move", option.to_string())
            }
        });
    }
    if uncounted {
        steps.push(Step::new("more_moves_answered"));
    } else if rest > 0 {
        steps.push(Step::new("more_moves_counted").with("count", rest));
    }
    Ok(())
}
