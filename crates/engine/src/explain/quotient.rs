//! The explanation from a misère quotient.

use grundy_misere::quotient::Presentation;

use super::option_list;
use super::values::parts;
use crate::position::Position;
use crate::solve::{Solution, Solver};
use crate::values::PartValue;
use crate::values::quotients::Quotients;
use grundy_base::limits::{Limits, Stop};
use grundy_base::step::{Datum, Step};

/// Largest length of each list in the explanation. The lists contain parts with their elements,
/// elements of the P-portion, options, and winning moves with their reasons.
const MAX_LISTED: usize = 20;

/// Appends the steps for the monoid, the element to which each part maps, and the product of these
/// elements. For each winning move, appends the product after the move.
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
        .take(MAX_LISTED)
        .map(|element| name(element as u32))
        .collect();
    // If it is not proved that the elements repeat, the quotient is only that of the heaps checked
    // so far.
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
            .with("checked_to", u64::from(quotients.largest_heap())),
    );
    let elements: Vec<u32> = values.iter().flatten().map(|part| part.value).collect();
    for (term, &element) in parts(position).iter().zip(&elements).take(MAX_LISTED) {
        let mut step = Step::new("quotient_element");
        if let Some((like, period)) =
            (term.heap_rules()).and_then(|(_, heap)| quotients.reduced_heap(heap))
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
    let factors: Vec<String> = elements.iter().take(MAX_LISTED).map(|&x| name(x)).collect();
    steps.push(
        Step::new(code)
            .with("factors", factors)
            .with("product", name(product)),
    );
    let is_lost = monoid.is_p(product);
    let mut reasons = Vec::new();
    let winning_moves = solution.winning_moves();
    for winning in winning_moves.iter().take(MAX_LISTED) {
        // If a limit is reached, omit the reasons. The moves themselves are in the answer.
        let Ok(product) = product_of(&winning.to, solver, limits) else {
            return Ok(());
        };
        let step = Step::new("reason_quotient")
            .with("element", presentation.name(product))
            .with("to", winning.to.to_string());
        reasons.push(super::steps::repeated(step, winning));
    }
    steps.extend(reasons);
    // If the position is lost, list the products of its options, none of which is in the P-portion.
    if is_lost {
        let element = &mut |to: &Position| product_of(to, solver, limits).map(Some);
        let listed = option_list::options(position, MAX_LISTED, element)?.unwrap_or_default();
        let texts: Vec<Datum> = listed
            .iter()
            .map(|(to, product)| Datum::Text(format!("{to} = {}", presentation.name(*product))))
            .collect();
        if !texts.is_empty() {
            steps.push(Step::new("quotient_options").with("options", texts));
        }
    }
    if winning_moves.len() > MAX_LISTED {
        steps
            .push(Step::new("quotient_more_moves").with("count", winning_moves.len() - MAX_LISTED));
    }
    Ok(())
}

/// Returns the product of the quotient elements to which the parts of a position map.
fn product_of(position: &Position, solver: &mut Solver, limits: &Limits<'_>) -> Result<u32, Stop> {
    let values = solver.engine.terms::<Quotients>(position.terms(), limits)?;
    let elements = values.iter().flatten().map(|part| part.value);
    let monoid = solver.quotients().search().monoid();
    // Element 0 is the identity.
    Ok(elements.fold(0, |x, y| monoid.times(x, y)))
}
