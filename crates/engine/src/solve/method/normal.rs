//! The method of Sprague–Grundy values. The value of a sum is the nim-sum of the values of its
//! terms.

use super::{MethodInput, Solver, all_values};
use crate::solve::game_value::GameValue;
use crate::solve::solution::{Detail, Grounds, Solution};
use crate::solve::winning::WinningMoves;
use crate::values::PartValue;
use crate::values::grundy::Grundy;
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;

/// Solves a sum of impartial games by its nim-sum.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let engine = &mut solver.engine;
    // For a single term, it is cheaper to decide whether the value is 0 than to compute the value.
    // An example is the method of Lemoine and Viennot. With several terms all values are needed.
    if question.wanted == Detail::Outcome
        && let Some(term) = position.only_term()
    {
        let outcome = Outcome::from_win(!engine.is_zero(&**term, limits)?);
        return Ok(Some(Solution::from_outcome(
            position,
            outcome,
            "sprague-grundy",
        )));
    }
    let values = engine.terms::<Grundy>(position.terms(), limits)?;
    let sum = engine.grundy.sum(all_values(&values), limits)?;
    let outcome = Outcome::from_win(sum != 0);
    let mut solution = Solution::from_values(position, outcome, &values, "sprague-grundy");
    if solution.nature.is_impartial() {
        solution.value = Some(GameValue::Nimber(sum));
    }
    if question.wanted == Detail::Moves && sum != 0 {
        let mut found = WinningMoves::new(position, limits);
        // If a part changes from value g to g ⊕ s, the nim-sum changes from s to 0.
        let wanted = |part: &PartValue<u64>| vec![part.value ^ sum];
        let stop = found.collect::<Grundy>(&values, wanted, engine, limits);
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Normal(values);
    Ok(Some(solution))
}
