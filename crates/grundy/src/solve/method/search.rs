//! By search over sums of components.

use super::{Asked, Solver, all, given};
use crate::dyadic::Dyadic;
use crate::limits::Stop;
use crate::outcome::Play;
use crate::rules::{Beginner, Ends, Moves, Theorem};
use crate::solve::search::Search;
use crate::solve::solution::{GameValue, Grounds, Solution, Status, Wanted, lists_moves};
use crate::solve::winning::{keeping_moves, part_values};
use crate::values::Evidence;
use crate::values::number::Numbers;

/// Components looked at for a number: the outcome is known without it.
const EXTRA_POSITIONS: u64 = 30_000;

/// Where the players have the same moves and the last one decides retrograde analysis of the whole sum tells more for the same
/// work.
pub(super) fn applies(question: &Asked<'_>) -> bool {
    let nature = question.position.nature();
    let one_turn = matches!(nature.beginner, Beginner::Fixed(_));
    nature.ends == Ends::Payoff || nature.moves == Moves::Own && !one_turn
}

pub(super) fn answer(solver: &mut Solver, question: &Asked<'_>) -> Result<Option<Solution>, Stop> {
    let position = question.position;
    let nature = position.nature();
    let mut search = Search::new(position, question.play, question.limits);
    let start = search.sum(position);
    let mut worths = Vec::new();
    for &player in nature.beginners() {
        let worth = search.worth(start.clone(), player);
        solver.searched += search.take_work();
        worths.push((player, worth?));
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
        && let Some((value, theorem)) = given(number(solver, question))?
    {
        solution.value = Some(GameValue::Number(value));
        if let Some(theorem) = theorem {
            solution.method = theorem.method;
            solution.theorem = Some(theorem);
        }
    }
    solution.grounds = Grounds::Search;
    if question.wanted == Wanted::Moves {
        for (beginning, &(player, worth)) in solution.beginnings.iter_mut().zip(&worths) {
            if !lists_moves(nature, worth) {
                continue;
            }
            let complete = keeping_moves(position, player, worth, &mut search, beginning)?;
            solution.moves_complete &= complete;
        }
        if !solution.moves_complete {
            solution.status = Status::Partial;
        }
    }
    Ok(Some(solution))
}

/// The number that the position is, if it is one; with the theorem where theorems give it.
fn number(
    solver: &mut Solver,
    question: &Asked<'_>,
) -> Result<(Dyadic, Option<&'static Theorem>), Stop> {
    let numbers = &mut solver.numbers;
    let (position, ends) = (question.position, question.position.nature().ends);
    let values = part_values::<Numbers>(position, numbers, &question.extra(EXTRA_POSITIONS));
    let values = match values {
        // Nothing is left to move in: that is 0, whatever is known of the rules.
        Err(Stop::NoValue) if ends == Ends::LastMove && position.component_count() == 0 => {
            return Ok((Dyadic::ZERO, None));
        }
        values => values?,
    };
    let sum = numbers.sum(all(&values))?;
    let theorems = values.iter().flatten().map(|part| match part.evidence {
        Evidence::Theorem(theorem) => Some(theorem),
        _ => None,
    });
    let theorems: Option<Vec<_>> = theorems.collect();
    let first = theorems.and_then(|theorems| theorems.first().copied());
    Ok((sum, first))
}
