//! Why a partizan position has its outcome class, as steps.

use std::ops::ControlFlow;

use super::search::Search;
use super::{Class, LoopyClass, Player, Position, Retrograde, Solution};
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::step::{Datum, Step};

/// Moves of the loser that are answered one by one.
const ANSWERED: usize = 24;

/// Components that are named with their classes.
const COMPONENTS: usize = 20;

/// The argument for `solution`, in the order one would give it on the board: what kind of game it is, its components, the
/// number it is worth or the bounds that decide it, and for each beginning the winning move or the answer to every move. Where
/// positions can come back: how labels are found, and for each beginning the best move and how many moves are left.
///
/// # Errors
/// The limit that was reached.
///
/// ```
/// use grundy::argument::Argument;
/// use grundy::partizan::{Position, explain, solve};
/// use grundy::{Limits, Play, registry};
/// let strip = [(None, Argument::Text("T.F".into()))];
/// let position = Position { terms: vec![registry::construct_partizan("toads_and_frogs", &strip)?] };
/// let limits = Limits::default();
/// let solution = solve(&position, Play::Normal, &limits)?;
/// let steps = explain(&position, Play::Normal, &solution, &limits)?;
/// assert_eq!(steps.last().unwrap().code, "class_conclusion_n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    if let Some(labels) = &solution.labels {
        return Ok(by_labels(position, play, labels));
    }
    match by_search(position, play, solution, limits) {
        // The answer could be found without going round, and the argument cannot.
        Err(Stop::Cyclic) => {
            let labels = Retrograde::new(position, play, limits)?;
            Ok(by_labels(position, play, &labels))
        }
        other => other,
    }
}

/// The argument where positions can come back.
fn by_labels(position: &Position, play: Play, labels: &Retrograde) -> Vec<Step> {
    let parts: usize = position
        .terms
        .iter()
        .map(|term| term.components().len())
        .sum();
    let mut steps = vec![
        Step::new("kind_partizan_loops")
            .with("impartial", false)
            .with("finite", false)
            .with("play", play.to_string())
            .with("parts", parts),
        Step::new(match play {
            Play::Normal => "partizan_stages_normal",
            Play::Misere => "partizan_stages_misere",
        })
        .with("positions", u64::from(labels.positions())),
    ];
    for player in Player::BOTH {
        steps.extend(labelled_beginning(position, player, labels));
    }
    steps.extend(labels.class(position).map(conclusion));
    steps
}

/// What happens when `player` begins, and how soon.
fn labelled_beginning(position: &Position, player: Player, labels: &Retrograde) -> Option<Step> {
    let label = labels.label(position, player)?;
    let best = labels.best(position, player);
    let step = |left, right| {
        Step::new(match player {
            Player::Left => left,
            Player::Right => right,
        })
    };
    let Some((_, _, to)) = best else {
        return Some(match label.outcome {
            Outcome::N => step("left_begins_has_won", "right_begins_has_won"),
            _ => step("left_cannot_move", "right_cannot_move"),
        });
    };
    let step = match label.outcome {
        Outcome::N => step("left_begins_wins_in", "right_begins_wins_in"),
        Outcome::P => step("left_begins_loses_in", "right_begins_loses_in"),
        Outcome::D => step("left_begins_draws", "right_begins_draws"),
    };
    let step = step.with("to", to.to_string());
    Some(match label.remoteness {
        Some(moves) => step.with("moves", u64::from(moves)),
        None => step,
    })
}

fn conclusion(class: LoopyClass) -> Step {
    use Player::{Left, Right};
    Step::new(match (class.left, class.right) {
        (Some(Left), Some(Left)) => "class_conclusion_l",
        (Some(Right), Some(Right)) => "class_conclusion_r",
        (Some(Left), Some(Right)) => "class_conclusion_n",
        (Some(Right), Some(Left)) => "class_conclusion_p",
        (Some(Left), None) => "class_conclusion_ld",
        (Some(Right), None) => "class_conclusion_rd",
        (None, Some(Left)) => "class_conclusion_dl",
        (None, Some(Right)) => "class_conclusion_dr",
        (None, None) => "class_conclusion_d",
    })
}

/// The argument where the search has the answer; [`Stop::Cyclic`] where it comes back to a position.
fn by_search(
    position: &Position,
    play: Play,
    solution: &Solution,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let mut search = Search::new(play, limits);
    let components: Vec<_> = position
        .terms
        .iter()
        .flat_map(|term| term.components())
        .collect();
    let mut steps = vec![
        Step::new("kind_partizan")
            .with("impartial", false)
            .with("finite", true)
            .with("play", play.to_string())
            .with("parts", components.len()),
    ];
    if components.len() > 1 {
        let mut classes = Vec::new();
        for component in components.iter().take(COMPONENTS) {
            let sum = search.sum(std::slice::from_ref(component));
            let left = search.wins(sum.clone(), Player::Left)?;
            let right = search.wins(sum, Player::Right)?;
            let class = Class::from_wins(left, right);
            classes.push(Datum::Text(format!("{}: {class}", component.text())));
        }
        if components.len() > COMPONENTS {
            classes.push("...".into());
        }
        steps.push(Step::new("class_components").with("components", Datum::List(classes)));
    }
    if let Some(value) = solution.value {
        if let Some(theorem) = solution.theorem {
            steps.push(
                Step::new("theorem")
                    .with("name", theorem.name)
                    .with("statement", theorem.statement)
                    .with("source", theorem.source),
            );
        }
        let code = match solution.class.decided() {
            Some(Class::L) => "number_positive",
            Some(Class::R) => "number_negative",
            _ => "number_zero",
        };
        steps.push(Step::new(code).with("value", value.to_string()));
    } else if play == Play::Normal {
        let sum = search.sum(&position.terms);
        if sum.is_number() {
            steps.push(Step::new("components_cancel"));
        } else if let Some([least, most]) = search.bounds(&sum) {
            steps.push(
                Step::new("class_bounds")
                    .with("least", least.to_string())
                    .with("most", most.to_string()),
            );
        }
    }
    for player in Player::BOTH {
        beginning(position, player, solution, &mut search, &mut steps)?;
    }
    steps.push(conclusion(solution.class));
    Ok(steps)
}

/// What happens when `player` begins.
fn beginning(
    position: &Position,
    player: Player,
    solution: &Solution,
    search: &mut Search<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let step = |left, right| {
        Step::new(match player {
            Player::Left => left,
            Player::Right => right,
        })
    };
    let winning = match player {
        Player::Left => &solution.left,
        Player::Right => &solution.right,
    };
    if solution.class.wins(player) == Some(true) {
        steps.push(match winning.first() {
            Some(winning) => {
                step("left_begins_wins", "right_begins_wins").with("to", winning.to.to_string())
            }
            // In misère play who cannot move has won; in a huge position the move may not have been looked for.
            None => step("left_begins_has_won", "right_begins_has_won"),
        });
        return Ok(());
    }
    let mut options = Vec::new();
    let _ = position.moves(player, &mut |_, _, to| {
        options.push(to());
        if options.len() > ANSWERED {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if options.is_empty() {
        steps.push(step("left_cannot_move", "right_cannot_move"));
        return Ok(());
    }
    steps.push(step("left_begins_loses", "right_begins_loses"));
    for option in options.iter().take(ANSWERED) {
        steps.push(match answer(option, player.other(), search)? {
            Some(answer) => step("left_answered", "right_answered")
                .with("move", option.to_string())
                .with("answer", answer.to_string()),
            None => step("left_at_the_end", "right_at_the_end").with("move", option.to_string()),
        });
    }
    if options.len() > ANSWERED {
        steps.push(Step::new("more_moves_answered"));
    }
    Ok(())
}

/// What the first winning move of `player` leaves, if there is any move at all.
fn answer(
    position: &Position,
    player: Player,
    search: &mut Search<'_>,
) -> Result<Option<Position>, Stop> {
    let mut found = None;
    let mut stop = Ok(());
    let _ = position.moves(player, &mut |_, _, to| {
        let to = to();
        let sum = search.sum(&to.terms);
        match search.wins(sum, player.other()) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => {
                found = Some(to);
                ControlFlow::Break(())
            }
            Err(error) => {
                stop = Err(error);
                ControlFlow::Break(())
            }
        }
    });
    stop.map(|()| found)
}
