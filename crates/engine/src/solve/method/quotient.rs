//! The method of misère quotients, for heap games.

use super::{MethodInput, Solver, all};
use crate::solve::solution::{Grounds, Solution, Status, Wanted};
use crate::solve::winning::WinningMoves;
use crate::values::PartValue;
use crate::values::quotients::Quotients;
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;

/// Solves a sum of heaps by the element that it has in a misère quotient.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let parts: Vec<_> = (position.terms().iter())
        .flat_map(|term| term.parts())
        .collect();
    // A quotient belongs to one set of heap rules, so all parts must be heaps of these rules.
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
    let sum = quotients.sum(all(&values), limits)?;
    let monoid = quotients.theory.search().monoid().clone();
    let outcome = Outcome::from_win(!monoid.is_p(sum));
    let mut solution = Solution::of(position, outcome, "misere-quotient");
    // A finite quotient is valid for all heaps only if the repetition of the elements was proved.
    if quotients.theory.repetition().is_some() {
        solution.status = Status::Proved;
    }
    if question.wanted == Wanted::Moves && !monoid.is_p(sum) {
        // A move wins if the product of the new element and the elements of the other parts is in
        // the P-portion. This depends only on the element of the changed part. So the other parts
        // can be found by removing any part with that element.
        let wanted = |part: &PartValue<u32>| {
            let mut others: Vec<u32> = all(&values).copied().collect();
            let at = others.iter().position(|&value| value == part.value);
            others.swap_remove(at.expect("it is the value of a part"));
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
