//! The explanation from a table of the whole game. Such a table gives results and moves, but no
//! reasons.

use super::beginnings::labelled_beginning;
use crate::position::Position;
use crate::rules::Moves;
use crate::solve::{Beginning, Choice, LabelSource, Solution};
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;
use grundy_base::step::Step;

/// Returns a step for each player who may begin, with the result, the number of moves with best
/// play, and the best move.
///
/// # Errors
/// Fails if the table cannot be read, or with the error of the rules.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::solve::reachable_sums::ReachableSums;
/// use grundy_core::solve::{Detail, Solution};
/// use grundy_core::{Limits, Play, Position, Term, explain};
/// let (position, limits) = (Position::from(Term::new(Nim, vec![1, 3])), Limits::default());
/// let table = ReachableSums::new(&position, Play::Normal, &limits)?;
/// let solution = Solution::from_table(&position, &table, Detail::Moves, &limits)?.unwrap();
/// let steps = explain::by_table(&position, &solution, &table)?;
/// assert_eq!(steps[1].code, "table_wins");
/// assert_eq!(steps[1].args, [("to", "nim(1, 1)".into()), ("moves", 3u64.into())]);
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub fn by_table(
    position: &Position,
    solution: &Solution,
    table: &dyn LabelSource,
) -> Result<Vec<Step>, Stop> {
    let mut steps = vec![Step::new("told_by_table").with("game", position.to_string())];
    for beginning in &solution.beginnings {
        let step = match solution.nature.moves {
            Moves::Partizan if solution.has_two_beginnings() => {
                labelled_beginning(position, beginning, table)?
            }
            Moves::Partizan | Moves::Same => step_of_mover(position, beginning, table)?,
        };
        steps.extend(step);
    }
    Ok(steps)
}

/// Returns the step about the player to move, for a solution with a single entry in `beginnings`.
/// There is one entry if only one player may begin, or if it does not matter who begins.
fn step_of_mover(
    position: &Position,
    beginning: &Beginning,
    table: &dyn LabelSource,
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
