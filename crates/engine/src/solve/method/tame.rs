//! The method of tame misère values.

use super::{MethodInput, Solver, all_values};
use crate::solve::solution::{Detail, Grounds, Solution};
use crate::solve::winning::WinningMoves;
use crate::values::tame::Tame;
use crate::values::{PartValue, Theory};
use grundy_base::limits::Stop;
use grundy_base::outcome::Outcome;
use grundy_heap::algebra::Misere;

/// Solves a sum of tame games by its misère nim-value. Returns `None` if a component is not tame.
pub(super) fn answer(
    solver: &mut Solver,
    question: &MethodInput<'_>,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let engine = &mut solver.engine;
    let values = engine.terms::<Tame>(position.terms(), limits)?;
    let sum = engine.tame.sum(all_values(&values), question.limits)?;
    let Some(nim_value) = sum.misere_nim_value() else {
        return Ok(None);
    };
    let outcome = Outcome::from_win(nim_value != 0);
    let mut solution = Solution::from_values(position, outcome, &values, "tame");
    // A move wins if the misère nim-value of the sum becomes 0. Let x be the nim-sum of the
    // Sprague–Grundy values. The misère nim-value is x if some part is firm, and 1 - x if all parts
    // are fickle (docs/theory.md, theorem on tame games). `wanted` distinguishes these cases.
    let firm = |value: &Misere| matches!(value, Misere::Tame { fickle: false, .. });
    let all_firm = all_values(&values).filter(|value| firm(value)).count();
    let grundy = |value: &Misere| Tame::goal(value).unwrap_or(0);
    let wanted = |part: &PartValue<Misere>| {
        let others = grundy(&sum) ^ grundy(&part.value);
        let firm_others = all_firm - usize::from(firm(&part.value));
        let mut wanted = vec![Misere::Tame {
            grundy: others,
            fickle: false,
        }];
        // If another part is firm, a fickle value of this part must also make the nim-sum 0.
        if firm_others > 0 {
            if others <= 1 {
                wanted.push(Misere::Tame {
                    grundy: others,
                    fickle: true,
                });
            }
        } else if others <= 1 {
            // If all other parts are fickle, a fickle value of this part must make the nim-sum 1.
            wanted.push(Misere::Tame {
                grundy: 1 - others,
                fickle: true,
            });
        }
        wanted
    };
    if question.wanted == Detail::Moves && nim_value != 0 && all_values(&values).next().is_some() {
        let mut found = WinningMoves::new(position, limits);
        let stop = found.collect::<Tame>(&values, wanted, engine, limits);
        found.finish(&mut solution, &stop);
    }
    solution.grounds = Grounds::Misere(values);
    Ok(Some(solution))
}
