//! By search over sums of components.

use super::{Asked, Solver};
use crate::limits::Stop;
use crate::outcome::Play;
use crate::rules::{Beginner, Ends, Moves};
use crate::solve::search::Search;
use crate::solve::solution::{GameValue, Grounds, Solution, Status, Wanted, lists_moves};
use crate::solve::winning::keeping_moves;

/// Where the players have the same moves and the last one decides retrograde analysis of the whole sum tells more, but it looks at
/// everything: for who wins alone a search looks at much less.
pub(super) fn applies(question: &Asked<'_>) -> bool {
    let nature = question.position.nature();
    let one_turn = matches!(nature.beginner, Beginner::Fixed(_));
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

pub(super) fn answer(solver: &mut Solver, question: &Asked<'_>) -> Result<Option<Solution>, Stop> {
    let values = std::mem::take(&mut solver.short);
    let mut search = Search::new(question.position, question.play, values, question.limits);
    let solution = searched(question, &mut search);
    solver.searched += search.take_work();
    if solver.keeps_sums {
        search.hand_on();
    }
    solver.short = search.into_values();
    solution
}

fn searched(question: &Asked<'_>, search: &mut Search<'_>) -> Result<Option<Solution>, Stop> {
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
