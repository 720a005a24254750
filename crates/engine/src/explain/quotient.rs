//! The argument from a misère quotient.

use grundy_misere::quotient::Presentation;

use super::few;
use super::values::parts;
use crate::position::Position;
use crate::solve::{Solution, Solver};
use crate::values::PartValue;
use crate::values::quotients::Quotients;
use grundy_base::limits::{Limits, Stop};
use grundy_base::step::{Datum, Step};

/// Number of parts whose elements are listed. It is also the number of losing elements that are
/// listed, and of winning moves whose reasons are given.
const TOLD: usize = 20;

/// Appends the steps for the monoid, the element of each part, and the product of the elements. For
/// each winning move, appends the product after the move.
pub(super) fn steps(
    position: &Position,
    values: &[Vec<PartValue<u32>>],
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let quotients = solver.quotients();
    let search = quotients.search();
    let monoid = search.monoid();
    let presentation = Presentation::of(monoid, search.elements());
    let name = |element: u32| presentation.name(element);
    let losing: Vec<String> = (monoid.p_portion().ones())
        .take(TOLD)
        .map(|element| name(element as u32))
        .collect();
    // If no repetition is proved, the quotient is only that of the heaps checked so far.
    let code = match quotients.repetition() {
        Some(_) => "quotient",
        None => "quotient_so_far",
    };
    steps.push(
        Step::new(code)
            .with("order", monoid.order())
            .with("presentation", presentation.to_string())
            .with("p_order", monoid.p_portion().count_ones(..))
            .with("p", losing)
            .with("checked_to", u64::from(quotients.heaps())),
    );
    let elements: Vec<u32> = values.iter().flatten().map(|part| part.value).collect();
    for (term, &element) in parts(position).iter().zip(&elements).take(TOLD) {
        let mut step = Step::new("quotient_element");
        if let Some((like, period)) = (term.heap_rules()).and_then(|(_, heap)| quotients.like(heap))
        {
            step = Step::new("quotient_element_period")
                .with("like", like)
                .with("period", period);
        }
        steps.push(
            step.with("part", term.text())
                .with("element", name(element)),
        );
    }
    let product = monoid.product(elements.iter().copied());
    let code = if monoid.is_p(product) {
        "quotient_product_p"
    } else {
        "quotient_product_n"
    };
    let factors: Vec<String> = elements.iter().take(TOLD).map(|&x| name(x)).collect();
    steps.push(
        Step::new(code)
            .with("factors", factors)
            .with("product", name(product)),
    );
    let lost = monoid.is_p(product);
    let mut reasons = Vec::new();
    let winning_moves = solution.winning_moves();
    for winning in winning_moves.iter().take(TOLD) {
        // If a limit is reached, only the reason for this move is missing. The move itself is in
        // the answer.
        let Ok(product) = product_of(&winning.to, solver, limits) else {
            return Ok(());
        };
        let step = Step::new("reason_quotient")
            .with("element", presentation.name(product))
            .with("to", winning.to.to_string());
        reasons.push(super::steps::repeated(step, winning));
    }
    steps.extend(reasons);
    // A position that is lost is explained by its options: none of their products is in the
    // P-portion.
    if lost {
        let element = &mut |to: &Position| product_of(to, solver, limits).map(Some);
        let listed = few::options(position, TOLD, element)?.unwrap_or_default();
        let told: Vec<Datum> = listed
            .iter()
            .map(|(to, product)| Datum::Text(format!("{to} = {}", presentation.name(*product))))
            .collect();
        if !told.is_empty() {
            steps.push(Step::new("quotient_options").with("options", told));
        }
    }
    if winning_moves.len() > TOLD {
        steps.push(Step::new("quotient_more_moves").with("count", winning_moves.len() - TOLD));
    }
    Ok(())
}

/// Returns the product of the elements of all parts of a position.
fn product_of(position: &Position, solver: &mut Solver, limits: &Limits<'_>) -> Result<u32, Stop> {
    let values = solver.engine.terms::<Quotients>(position.terms(), limits)?;
    let elements = values.iter().flatten().map(|part| part.value);
    let monoid = solver.quotients().search().monoid();
    // Element 0 is the identity.
    Ok(elements.fold(0, |x, y| monoid.times(x, y)))
}
