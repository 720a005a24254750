//! The method of searching sums of components.

use std::ops::ControlFlow;

use super::{MethodInput, Solver};
use crate::nature::{Beginner, Ends, Moves};
use crate::position::Position;
use crate::solve::game_value::GameValue;
use crate::solve::search::Search;
use crate::solve::solution::{
    Beginning, Detail, Grounds, Solution, Status, WinningMove, lists_moves,
};
use grundy_base::limits::{Halt, Stop, stopped_early};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;

/// Limit on the work of searching for the winning moves of one position. The work is measured by
/// the total length, in bytes, of the notations of all positions searched.
const MAX_NOTATION_BYTES: usize = 1 << 26;

/// Appends to the move list of `beginning` the moves of `player` that keep `result`, the result of
/// `position` for this player. Returns `false` if there are too many moves to search all of them.
fn push_moves_that_keep(
    position: &Position,
    player: Player,
    result: PayoffResult,
    search: &mut Search<'_>,
    beginning: &mut Beginning,
) -> Result<bool, Stop> {
    let max_moves = MAX_NOTATION_BYTES / position.to_string().len().max(1);
    // Search the whole position after each move, since its components may have no values.
    let mut seen = 0;
    let too_many = stopped_early(position.moves(player, &mut |component, name, to| {
        seen += 1;
        if seen > max_moves {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        let after = search
            .check()
            .and_then(|()| search.sum(&to))
            .and_then(|sum| search.result(sum, player.other()));
        match after {
            Ok(after) if after.reversed() == result => {
                let mv = name();
                beginning.moves.push(WinningMove::new(component, mv, to));
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))?;
    Ok(!too_many)
}

/// Returns whether a search should be tried for a question.
///
/// In an impartial game, a search is tried only if the question asks for nothing but the outcome. A
/// search then visits far fewer positions than retrograde analysis. For other questions, retrograde
/// analysis gives more information.
pub(super) fn applies(question: &MethodInput<'_>) -> bool {
    let nature = question.position.nature();
    let fixed_beginner = matches!(nature.beginner, Beginner::Fixed(_));
    // A game that a payoff decides is a single component. Backward induction need not visit all
    // moves of a position once a move wins.
    nature.ends == Ends::Payoff
        || nature.moves == Moves::Partizan && !fixed_beginner
        || question.wanted == Detail::Outcome
            && nature.is_impartial()
            && question
                .position
                .terms()
                .iter()
                .all(|term| term.known_to_end())
}

/// Solves a position by search. Never returns `None`.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    // The search takes the engine, and returns it even if a limit stops the search. So the values
    // found so far are kept.
    let engine = std::mem::take(&mut solver.engine);
    let mut search = Search::new(question.position, question.play, engine, question.limits);
    let solution = solve_by_search(question, &mut search);
    solver.searched += search.take_work();
    solver.engine = search.into_engine();
    solution
}

/// Searches for the result of each player who may move first, and then for the winning moves.
fn solve_by_search(
    question: &MethodInput<'_>,
    search: &mut Search<'_>,
) -> Result<Option<Solution>, Stop> {
    let position = question.position;
    let nature = position.nature();
    let start = search.sum(position)?;
    let mut results = Vec::new();
    for &player in nature.beginners() {
        results.push((player, search.result(start.clone(), player)?));
    }
    let mut solution = Solution::from_outcomes(
        position,
        results
            .iter()
            .map(|&(player, result)| (player, result.into())),
        match nature.ends {
            Ends::LastMove => "search",
            Ends::Payoff => "backward induction",
        },
    );
    // If every component has got a form, the canonical form of the sum is cheap to compute.
    if question.play == Play::Normal
        && nature.ends == Ends::LastMove
        && let Some(form) = search.value(&start)?
    {
        let number = search.number(form);
        solution.value = search
            .write(form)?
            .map(|text| GameValue::Short { text, number });
        solution.theorem = search.theorem(position)?;
        solution.method = match solution.theorem {
            Some(theorem) => theorem.method,
            None => "canonical form",
        };
    }
    solution.grounds = Grounds::Search;
    if question.wanted == Detail::Moves {
        for (beginning, &(player, result)) in solution.beginnings.iter_mut().zip(&results) {
            if !lists_moves(nature, result) {
                continue;
            }
            let complete = push_moves_that_keep(position, player, result, search, beginning)?;
            solution.moves_complete &= complete;
        }
        if !solution.moves_complete {
            solution.status = Status::Partial;
        }
    }
    Ok(Some(solution))
}
