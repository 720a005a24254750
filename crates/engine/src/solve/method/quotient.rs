//! The method of misère quotients, for heap games.

use super::{MethodInput, Solver, all_values};
use crate::solve::solution::{Detail, Grounds, Solution, Status};
use crate::solve::winning::WinningMoves;
use crate::values::PartValue;
use crate::values::quotients::Quotients;
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;

/// Solves a sum of heaps by the element of a misère quotient to which the sum maps. The heaps may
/// belong to several heap games. Returns `None` if a part is not a heap, or if no quotient was
/// found.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let parts: Vec<_> = (position.terms().iter())
        .flat_map(|term| term.parts())
        .collect();
    // A quotient belongs to one heap game, so all parts must be heaps.
    let heaps: Option<Vec<_>> = parts.iter().map(|part| part.heap_rules()).collect();
    let Some(heaps) = heaps else {
        return Ok(None);
    };
    let engine = &mut solver.engine;
    if !engine.quotients.theory.prepare(&heaps, limits)? {
        return Ok(None);
    }
    let values = engine.terms::<Quotients>(position.terms(), limits)?;
    let quotients = &mut engine.quotients;
    let sum = quotients.sum(all_values(&values), limits)?;
    let monoid = quotients.theory.search().monoid().clone();
    let outcome = Outcome::from_win(!monoid.is_p(sum));
    let mut solution = Solution::from_outcome(position, outcome, "misere-quotient");
    // The quotient is proved for heaps of every size only if it is proved that its elements repeat.
    if quotients.theory.repetition().is_some() {
        solution.status = Status::Proved;
    }
    if question.wanted == Detail::Moves && !monoid.is_p(sum) {
        // A move changes one part. It wins if the product of the new element of this part and of
        // the elements of the other parts is in the P-portion. Parts with the same element are
        // interchangeable here. So to get the elements of the other parts, remove any element that
        // equals that of the changed part.
        let wanted = |part: &PartValue<u32>| {
            let mut others: Vec<u32> = all_values(&values).copied().collect();
            let index = others.iter().position(|&value| value == part.value);
            others.swap_remove(index.expect("it is the value of a part"));
            let others = monoid.product(others);
            let elements = 0..monoid.order() as u32;
            elements
                .filter(|&x| monoid.is_p(monoid.times(others, x)))
                .collect()
        };
        let mut found = WinningMoves::new(position, limits);
        let stop = found.collect::<Quotients>(&values, wanted, engine, limits);
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Quotient(values);
    Ok(Some(solution))
}
