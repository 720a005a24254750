//! By Sprague–Grundy values: they add up like Nim heaps.

use super::{Asked, Solver, all};
use crate::limits::Stop;
use crate::outcome::Outcome;
use crate::position::Valued;
use crate::solve::solution::{GameValue, Grounds, Solution, Wanted};
use crate::solve::winning::{Found, part_values};
use crate::values::PartValue;
use crate::values::grundy::Grundy;

pub(super) fn answer(solver: &mut Solver, question: &Asked<'_>) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let grundy = solver.grundy_values();
    if question.wanted == Wanted::Outcome
        && let Some(term) = position.only_term()
    {
        let outcome = Outcome::from_win(!Valued::<Grundy>::is_zero(&**term, grundy, limits)?);
        return Ok(Some(Solution::of(position, outcome, "sprague-grundy")));
    }
    let values = part_values::<Grundy>(position, grundy, limits)?;
    let sum = grundy.sum(all(&values), limits)?;
    let outcome = Outcome::from_win(sum != 0);
    let mut solution = Solution::from_values(position, outcome, &values, "sprague-grundy");
    if solution.nature.is_impartial() {
        solution.value = Some(GameValue::Nimber(sum));
    }
    if question.wanted == Wanted::Moves && sum != 0 {
        let mut found = Found::new(position);
        let wanted = |part: &PartValue<u64>| vec![part.value ^ sum];
        let stop = found.collect(&values, wanted, grundy, limits);
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Normal(values);
    Ok(Some(solution))
}
