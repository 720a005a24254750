//! The explanation of the outcome class of a partizan position. It gives the value or bounds of the
//! value, if they are known. For each player who may begin, it gives the winning move or an answer
//! to every move.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::conclusion_step;
use super::judge::Judge;
use super::partizan_value;
use super::steps::of;
use super::values::theorem_step;
use crate::position::Position;
use crate::solve::reachable_sums::ReachableSums;
use crate::solve::search::Search;
use crate::solve::{Beginning, Choice, GameValue, LabelSource, Solution};
use crate::theorem::NAMED_VALUES;
use crate::values::Engine;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Halt, Limits, Stop, stopped_early};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::player::{OutcomeClass, Player};
use grundy_base::step::{Datum, Step};

/// Largest number of moves of the losing player for which an answer is given.
const MAX_ANSWERED: usize = 24;

/// Largest number of moves that are counted in addition to the moves with an answer.
const MAX_COUNTED: usize = 10_000;

/// Largest number of components that are listed with their outcome classes.
const MAX_COMPONENTS: usize = 20;

/// Returns the step with the kind of game.
pub(super) fn kind(position: &Position, play: Play, finite: bool) -> Step {
    Step::new(match (finite, position.nature().endless) {
        (true, _) => "kind_partizan",
        (false, None) => "kind_partizan_loops",
        (false, Some(_)) => "kind_partizan_endless",
    })
    .with("impartial", false)
    .with("finite", finite)
    .with("play", play.to_string())
    .with("parts", position.component_count())
}

/// Returns the explanation from labels (outcomes and remotenesses of all reachable positions), for
/// a game in which positions can repeat.
pub(super) fn by_labels(
    position: &Position,
    play: Play,
    solution: &Solution,
    labels: &ReachableSums,
) -> Result<Vec<Step>, Stop> {
    let mut steps = vec![
        kind(position, play, false),
        Step::new(match (play, position.nature().endless) {
            (Play::Normal, None) => "partizan_stages_normal",
            (Play::Misere, None) => "partizan_stages_misere",
            (Play::Normal, Some(_)) => "partizan_stages_normal_endless",
            (Play::Misere, Some(_)) => "partizan_stages_misere_endless",
        })
        .with("positions", labels.sums()),
    ];
    steps.extend(position.remarks());
    for beginning in &solution.beginnings {
        steps.extend(labelled_beginning(position, beginning, labels)?);
    }
    steps.push(conclusion(solution));
    Ok(steps)
}

/// Returns the step for one player who may begin: the result, a best move, and the number of moves
/// with best play.
pub(super) fn labelled_beginning(
    position: &Position,
    beginning: &Beginning,
    labels: &dyn LabelSource,
) -> Result<Option<Step>, Stop> {
    let player = beginning.player;
    let Some(label) = labels.label_of(position, player)? else {
        return Ok(None);
    };
    // A player without a move has won in misère play, and lost in normal play.
    let Some(Choice { to, .. }) = labels.best(position, player)? else {
        return Ok(Some(match label.outcome {
            Outcome::N => of(player, "left_begins_has_won", "right_begins_has_won"),
            _ => of(player, "left_cannot_move", "right_cannot_move"),
        }));
    };
    let step = match (label.outcome, label.remoteness) {
        (Outcome::N, Some(_)) => of(player, "left_begins_wins_in", "right_begins_wins_in"),
        (Outcome::P, Some(_)) => of(player, "left_begins_loses_in", "right_begins_loses_in"),
        (Outcome::N, None) => of(player, "left_begins_never_ends", "right_begins_never_ends"),
        (Outcome::P, None) => of(player, "left_begins_no_end", "right_begins_no_end"),
        (Outcome::D, _) => of(player, "left_begins_draws", "right_begins_draws"),
    };
    let step = step.with("to", to.to_string());
    Ok(Some(match label.remoteness {
        Some(moves) => step.with("moves", u64::from(moves)),
        None => step,
    }))
}

/// Returns the last step, the outcome class.
fn conclusion(solution: &Solution) -> Step {
    if !solution.has_two_beginnings() {
        return conclusion_step(solution);
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

/// Returns the explanation from a search. If a position repeats, uses labels (outcomes and
/// remotenesses of all reachable positions) instead.
pub(super) fn by_search(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    match without_labels(position, play, solution, limits) {
        // The explanation visits more positions than the search for the answer. So it may find a
        // cycle that this search did not find.
        Err(Stop::Cyclic) => {
            let labels = Arc::new(ReachableSums::new(position, play, limits)?);
            by_labels(position, play, solution, &labels)
        }
        other => other,
    }
}

/// Returns the explanation from a search. Fails with [`Stop::Cyclic`] if a position repeats during
/// this search.
fn without_labels(
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
        for component in components.iter().take(MAX_COMPONENTS) {
            let text = component.text();
            let sum = search.sum(&Position::from(Arc::clone(component)))?;
            let left = search.wins(sum.clone(), Player::Left)?;
            let right = search.wins(sum, Player::Right)?;
            let class = OutcomeClass::from_wins(left, right);
            classes.push(Datum::Text(format!("{text} ∈ {class}")));
        }
        if components.len() > MAX_COMPONENTS {
            classes.push("…".into());
        }
        steps.push(Step::new("class_components").with("components", Datum::List(classes)));
    }
    // If the value is a number, the options explain it better than the theorem on named values.
    let theorem = solution
        .theorem
        .filter(|theorem| theorem.method != NAMED_VALUES.method || solution.number().is_none());
    if solution.value.is_some() {
        steps.extend(theorem.map(theorem_step));
        for part in position.terms().iter().flat_map(|term| term.parts()) {
            let argument = part.argument(0, None);
            if argument.is_empty() {
                steps.extend(part.theorem_application(play));
            }
            steps.extend(argument);
        }
    }
    if solution.value.is_some() {
        steps.extend(partizan_value::steps(position, theorem.is_some(), limits)?);
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
            // The bounds decide the outcome only if the lower bound is above 0 or the upper one
            // below 0.
            steps.push(
                Step::new("class_bounds")
                    .with("least", least.to_string())
                    .with("most", most.to_string()),
            );
        }
    }
    steps.extend(by_moves(position, play, solution, limits)?);
    steps.push(conclusion(solution));
    Ok(steps)
}

/// Returns the steps for each player who may begin: the winning move, or an answer to every move.
pub(super) fn by_moves(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let mut steps = Vec::new();
    let mut judge = Judge::new(position, play, limits);
    for beginning in &solution.beginnings {
        push_beginning(position, beginning, &mut judge, &mut steps)?;
    }
    Ok(steps)
}

/// Appends the steps for one player who may begin.
fn push_beginning(
    position: &Position,
    beginning: &Beginning,
    judge: &mut Judge<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let player = beginning.player;
    if beginning.outcome == Outcome::N {
        steps.push(match beginning.moves.first() {
            Some(winning) => {
                // If the opponent has no move after it, the player wins at once. This occurs only
                // in normal play.
                let step = if winning.to.has_move(player.other())? {
                    of(player, "left_begins_wins", "right_begins_wins")
                } else {
                    let [left, right] = ["left_begins_wins_at_once", "right_begins_wins_at_once"];
                    of(player, left, right)
                };
                step.with("to", winning.to.to_string())
            }
            // The list of winning moves is cut off before a move that leads to a large position.
            None if position.has_move(player)? => of(
                player,
                "left_begins_wins_unlisted",
                "right_begins_wins_unlisted",
            ),
            // In misère play a player without a move has won.
            None => of(player, "left_begins_has_won", "right_begins_has_won"),
        });
        return Ok(());
    }
    // The moves after the first `MAX_ANSWERED` are only counted.
    let (mut options, mut rest) = (Vec::new(), 0usize);
    let too_many = stopped_early(position.moves(player, &mut |_, _, to| {
        if options.len() < MAX_ANSWERED {
            options.push(to());
        } else {
            rest += 1;
        }
        if rest > MAX_COUNTED {
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
    if too_many {
        steps.push(Step::new("more_moves_answered"));
    } else if rest > 0 {
        steps.push(Step::new("more_moves_counted").with("count", rest));
    }
    Ok(())
}
