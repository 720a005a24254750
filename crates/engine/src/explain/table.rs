//! What a table of the whole game says of a position: that it is so, and by which move, but no
//! reason.

use super::beginnings::labelled_beginning;
use crate::position::Position;
use crate::rules::Moves;
use crate::solve::{Beginning, Choice, KnowsLabels, Solution};
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;
use grundy_base::step::Step;

/// What a table says of each beginning: how it ends, in how many moves, and by which move.
///
/// # Errors
/// Rules that have no answer, or a table that cannot be read.
pub fn by_table(
    position: &Position,
    solution: &Solution,
    table: &dyn KnowsLabels,
) -> Result<Vec<Step>, Stop> {
    let mut steps = vec![Step::new("told_by_table").with("game", position.to_string())];
    for beginning in &solution.beginnings {
        let step = match solution.nature.moves {
            Moves::Own if solution.by_beginner() => labelled_beginning(position, beginning, table)?,
            Moves::Own | Moves::Same => whose_turn_it_is(position, beginning, table)?,
        };
        steps.extend(step);
    }
    Ok(steps)
}

/// What happens to the player whose turn it is.
fn whose_turn_it_is(
    position: &Position,
    beginning: &Beginning,
    table: &dyn KnowsLabels,
) -> Result<Option<Step>, Stop> {
    let Some(label) = table.label_of(position, beginning.player)? else {
        return Ok(None);
    };
    let Some(Choice { to, .. }) = table.best(position, beginning.player)? else {
        return Ok(Some(Step::new("table_end")));
    };
    let code = match label.outcome {
        Outcome::N => "table_wins",
        Outcome::P => "table_loses",
        Outcome::D => "table_keeps",
    };
    let step = Step::new(code).with("to", to.to_string());
    Ok(Some(match label.remoteness {
        Some(moves) => step.with("moves", u64::from(moves)),
        None => step,
    }))
}
