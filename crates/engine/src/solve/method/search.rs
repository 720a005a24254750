//! The method of a search over sums of components.

use std::ops::ControlFlow;

use super::{MethodInput, Solver};
use crate::nature::{Beginner, Ends, Moves};
use crate::position::Position;
use crate::solve::game_value::GameValue;
use crate::solve::search::Search;
use crate::solve::solution::{
    Beginning, Grounds, Solution, Status, Wanted, WinningMove, lists_moves,
};
use grundy_base::limits::{Halt, Stop, ended};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;

/// Limit on the work for one list of winning moves: the total length of the notations of the
/// positions searched, in bytes.
const LOOKED_AT: usize = 1 << 26;

/// Appends the moves of `player` that keep the result of a position. Returns `false` if there are
/// too many moves to search them all.
fn keeping_moves(
    position: &Position,
    player: Player,
    worth: Worth,
    search: &mut Search<'_>,
    beginning: &mut Beginning,
) -> Result<bool, Stop> {
    let most = LOOKED_AT / position.to_string().len().max(1);
    // Search the position after each move as a whole, since its components need not have values.
    let mut seen = 0;
    let enough = ended(position.moves(player, &mut |component, name, to| {
        seen += 1;
        if seen > most {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        let after = search
            .check()
            .and_then(|()| search.sum(&to))
            .and_then(|sum| search.worth(sum, player.other()));
        match after {
            Ok(after) if after.reversed() == worth => {
                let mv = name();
                beginning.moves.push(WinningMove::new(component, mv, to));
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))?;
    Ok(!enough)
}

/// Returns whether a search is the right method for a question.
///
/// For an impartial game retrograde analysis gives more information, but it visits every position.
/// If only the outcome is wanted, a search visits far fewer positions.
pub(super) fn applies(question: &MethodInput<'_>) -> bool {
    let nature = question.position.nature();
    let one_turn = matches!(nature.beginner, Beginner::Fixed(_));
    // A game with a payoff is a single component. Backward induction can leave a position once it
    // finds a win.
    nature.ends == Ends::Payoff
        || nature.moves == Moves::Own && !one_turn
        || question.wanted == Wanted::Outcome
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
    // The search takes the engine while it runs. It returns the engine even if a limit stops the
    // search, so that the values found so far are kept.
    let engine = std::mem::take(&mut solver.engine);
    let mut search = Search::new(question.position, question.play, engine, question.limits);
    let solution = searched(question, &mut search);
    solver.searched += search.take_work();
    solver.engine = search.into_engine();
    solution
}

/// Searches the result for each player who may move first, and then the winning moves.
fn searched(question: &MethodInput<'_>, search: &mut Search<'_>) -> Result<Option<Solution>, Stop> {
    let position = question.position;
    let nature = position.nature();
    let start = search.sum(position)?;
    let mut worths = Vec::new();
    for &player in nature.beginners() {
        worths.push((player, search.worth(start.clone(), player)?));
    }
    let mut solution = Solution::of_beginnings(
        position,
        worths.iter().map(|&(player, worth)| (player, worth.into())),
        match nature.ends {
            Ends::LastMove => "search",
            Ends::Payoff => "backward induction",
        },
    );
    // If every component has a value by now, the canonical form of the sum costs nothing extra.
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
    if question.wanted == Wanted::Moves {
        for (beginning, &(player, worth)) in solution.beginnings.iter_mut().zip(&worths) {
            if !lists_moves(nature, worth) {
                continue;
            }
            let complete = keeping_moves(position, player, worth, search, beginning)?;
            solution.moves_complete &= complete;
        }
        if !solution.moves_complete {
            solution.status = Status::Partial;
        }
    }
    Ok(Some(solution))
}
