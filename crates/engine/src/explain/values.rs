//! The explanation from values of parts: the reason for each value, and the sum of the values.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::option_list;
use crate::position::{AnyTerm, Position};
use crate::rules::Theorem;
use crate::solve::{GameValue, Solution, Solver};
use crate::theorem::BOUTON;
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL};
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::{Datum, Step};
use grundy_heap::Period;

/// Largest number of options that a `mex` step lists. A longer list is not readable.
const MAX_OPTIONS_LISTED: usize = 24;

/// Largest number of options whose values are computed for a `mex` step.
const MAX_OPTIONS_VALUED: usize = 400;

/// The longest period whose values are listed.
const MAX_PERIOD_LISTED: u64 = 34;

/// Largest number of parts whose values are explained.
const MAX_PARTS: usize = 20;

/// Returns the parts of all terms, for example the heaps of a Nim position. Each part is returned
/// as a separate term.
pub(super) fn parts(position: &Position) -> Vec<Arc<dyn AnyTerm>> {
    let terms = position.terms().iter();
    terms.flat_map(|term| term.parts()).collect()
}

/// Returns the step that states a theorem.
pub(super) fn theorem_step(theorem: &Theorem) -> Step {
    Step::new("theorem")
        .with("name", theorem.name)
        .with("statement", theorem.statement)
        .with("source", theorem.source)
}

/// Appends the explanation from Sprague–Grundy values: the theorems used, the reason for the value
/// of each part, and the nim-sum.
pub(super) fn normal(
    position: &Position,
    values: &[Vec<PartValue<u64>>],
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let all: Vec<&PartValue<u64>> = values.iter().flatten().collect();
    let sum = all.iter().fold(0, |sum, part| sum ^ part.value);
    let parts = parts(position);
    let several = all.len() > 1;
    let by_bouton = all.iter().all(|part| is_by_bouton(part));
    let heaps = are_nim_heaps(position, values);
    // State each theorem once, before the parts to which it applies.
    let mut stated = Vec::new();
    for part in &all {
        if let Evidence::Theorem(theorem) = part.evidence
            // Bouton's theorem is stated only if all parts are Nim heaps.
            && (by_bouton || !is_by_bouton(part))
            && !stated.contains(&theorem)
        {
            stated.push(theorem);
            steps.push(theorem_step(theorem));
        }
    }
    let mut explained: Vec<&Arc<dyn AnyTerm>> = Vec::new();
    for (part, term) in all.iter().zip(&parts).take(MAX_PARTS) {
        // Equal parts have the same explanation, so give it only once.
        if explained.iter().any(|other| other.same(&**term)) {
            continue;
        }
        explained.push(term);
        // The value that this part must have after a winning move.
        let wanted = (sum != 0).then_some(part.value ^ sum);
        let argument = term.argument(0, wanted);
        if several && !argument.is_empty() {
            steps.push(Step::new("about_part").with("part", term.text()));
        }
        let has_argument = !argument.is_empty();
        steps.extend(argument);
        match &part.evidence {
            Evidence::Theorem(theorem) => {
                let theorem_step_of_part = term.theorem_application(Play::Normal);
                // In a sum of Nim heaps the columns of binary digits explain everything. So only a
                // single Nim heap gets a step about its value.
                let heap = theorem_step_of_part.is_none() && theorem.method == BOUTON.method;
                if heap && !several && part.value > 0 {
                    let step = Step::new("nim_heap").with("part", term.text());
                    let step = step.with("value", part.value);
                    steps.push(step.with("last", part.value - 1));
                }
                // If the ruleset has explained this part, the step of the theorem is not needed.
                steps.extend(theorem_step_of_part.filter(|_| !has_argument));
                steps.extend(ordinal_sum_step(term, part.value, solver, limits)?);
            }
            Evidence::Period { period, .. } => match residue(term, part.value, period) {
                Some(step) => {
                    steps.push(step);
                    let listed = one_period(term, period, solver, limits)?;
                    // All heaps of one game have the same period, so list it only once.
                    steps.extend(listed.filter(|listed| !steps.contains(listed)));
                }
                None => by_options(term, part.value, several, solver, limits, steps)?,
            },
            Evidence::Recurrence | Evidence::Search => {
                by_options(term, part.value, several, solver, limits, steps)?;
            }
        }
    }
    if several {
        let numbers: Vec<u64> = all.iter().map(|part| part.value).collect();
        // The values of Nim heaps are their sizes, so they are not listed.
        if !by_bouton {
            let texts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            steps.push(
                Step::new("components")
                    .with("parts", texts)
                    .with("values", numbers.clone()),
            );
        }
        columns(&numbers, &parts, heaps, sum, steps);
    }
    Ok(())
}

/// Returns the step for an ordinal sum. It gives the values of the options of the base, and the
/// value of the top. Returns `None` if the base has too many options, or if the part is not an
/// ordinal sum.
fn ordinal_sum_step(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let Some(operands) = term.operands() else {
        return Ok(None);
    };
    // Sort the values that no option of G has. The value of G : *h is the one with index h, counted
    // from 0 (docs/theory.md, ordinal sums).
    let [base, top] = operands.map(|terms| Position::of_terms(terms.to_vec()));
    let grundy = &mut |to: &Position| solver.grundy(to, limits).map(Some);
    let Some(listed) = option_list::options(&base, MAX_OPTIONS_LISTED, grundy)? else {
        return Ok(None);
    };
    let option_values: BTreeSet<u64> = listed.into_iter().map(|(_, value)| value).collect();
    let code = match option_values.len() {
        0 => "ordinal_on_nothing",
        _ => "ordinal_missing",
    };
    let step = Step::new(code)
        .with("part", term.text())
        .with("base", base.to_string())
        .with("top", top.to_string())
        .with("taken", option_values.into_iter().collect::<Vec<u64>>());
    let step = step.with("skipped", solver.grundy(&top, limits)?);
    Ok(Some(step.with("value", value)))
}

/// Appends the reason for the value of a position whose outcome follows from a theorem. Appends
/// nothing if the value is unknown, or if the position has several parts.
pub(super) fn reason_for_value(
    position: &Position,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    // A theorem about outcomes applies to a position with one term. Its value is explained by the
    // options, if it was found.
    if let (&Some(GameValue::Nimber(value)), [part]) = (&solution.value, &parts(position)[..]) {
        by_options(part, value, false, solver, limits, steps)?;
    }
    Ok(())
}

/// Returns the step that derives the value of a heap from that of a heap in the first period.
/// Returns `None` if the heap is not larger than the first period.
pub(super) fn residue(term: &Arc<dyn AnyTerm>, value: u64, period: &Period) -> Option<Step> {
    let (_, size) = term.heap_rules()?;
    let beyond = size.checked_sub(period.preperiod)?;
    let (times, rest) = (beyond / period.period, beyond % period.period);
    let code = match (times, period.saltus) {
        // A value in the first period does not repeat an earlier one.
        (0, _) => return None,
        (_, 0) => "residue",
        _ => "residue_saltus",
    };
    let step = Step::new(code)
        .with("part", term.text())
        .with("size", size)
        .with("preperiod", period.preperiod)
        .with("period", period.period)
        .with("times", times)
        .with("rest", rest)
        .with("base", period.preperiod + rest)
        .with("theorem", period.theorem.name())
        .with("value", value);
    // With arithmetic periodicity the value grows by the saltus in each period.
    Some(if period.saltus == 0 {
        step
    } else {
        step.with("saltus", period.saltus)
            .with("base_value", value - period.saltus * times)
    })
}

/// Returns the step with the values of the first period, if the period is short.
fn one_period(
    term: &Arc<dyn AnyTerm>,
    period: &Period,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let Some((rules, _)) = term.heap_rules() else {
        return Ok(None);
    };
    if period.period > MAX_PERIOD_LISTED {
        return Ok(None);
    }
    let heaps = period.preperiod..period.preperiod + period.period;
    let theory = &mut solver.grundy_values().theory;
    let values: Result<Vec<u64>, Stop> =
        heaps.map(|size| theory.heap(rules, size, limits)).collect();
    Ok(Some(
        Step::new("one_period")
            .with("preperiod", period.preperiod)
            .with("values", values?),
    ))
}

/// Appends the step with the mex of the options, if there are at most [`MAX_OPTIONS_VALUED`]. For a
/// heap with more options, appends a step about the recurrence instead.
fn by_options(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    several: bool,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    // In a sum the step must name the part to which it belongs.
    let step = if several {
        mex_of(term, value, MAX_OPTIONS_LISTED, solver, limits)?
    } else {
        let part = Position::from(Arc::clone(term));
        mex_step(&part, value, MAX_OPTIONS_LISTED, solver, limits)?
    };
    if step.is_none() && term.heap_rules().is_some() {
        let step = Step::new("recurrence").with("part", term.text());
        steps.push(step.with("value", value));
    }
    steps.extend(step);
    Ok(())
}

/// Returns the mex step for one part of a sum. The step names the part, and lists at most
/// `max_options` options.
pub(super) fn mex_of(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    max_options: usize,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let part = Position::from(Arc::clone(term));
    let step = mex_step(&part, value, max_options, solver, limits)?;
    Ok(step.map(|step| {
        let code = match step.code {
            "terminal" => "terminal_of",
            "mex_many" => "mex_many_of",
            _ => "mex_of",
        };
        Step { code, ..step }.with("part", term.text())
    }))
}

/// Returns whether a value follows from Bouton's theorem.
fn is_by_bouton(part: &PartValue<u64>) -> bool {
    matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == BOUTON.method)
}

/// Returns whether all parts of a position are Nim heaps, so that each value is the size of a heap.
///
/// Bouton's theorem also gives the values of parts that are no Nim heaps but behave like Nim heaps,
/// such as a rook. For such a part `theorem_application` returns a step, and for a Nim heap it
/// returns `None`.
pub(super) fn are_nim_heaps(position: &Position, values: &[Vec<PartValue<u64>>]) -> bool {
    let by_bouton = values.iter().flatten().all(is_by_bouton);
    let is_heap = |term: &Arc<dyn AnyTerm>| term.theorem_application(Play::Normal).is_none();
    by_bouton && parts(position).iter().all(is_heap)
}

/// Appends the nim-sum in binary, and the leftmost column with an odd number of 1s. If `heaps` is
/// `true`, all parts are Nim heaps and are named by their sizes.
pub(super) fn columns(
    numbers: &[u64],
    parts: &[Arc<dyn AnyTerm>],
    heaps: bool,
    sum: u64,
    steps: &mut Vec<Step>,
) {
    let width = numbers
        .iter()
        .map(|n| 64 - n.leading_zeros())
        .max()
        .unwrap_or(0)
        .max(1) as usize;
    let rows: Vec<String> = numbers.iter().map(|n| format!("{n:0width$b}")).collect();
    steps.push(
        Step::new("nim_columns")
            .with("heaps", numbers.to_vec())
            .with("binary", rows)
            .with("sum_binary", format!("{sum:0width$b}"))
            .with("sum", sum),
    );
    if sum == 0 {
        let code = ["even_columns", "even_columns_heaps"][usize::from(heaps)];
        steps.push(Step::new(code));
        return;
    }
    // By Bouton's theorem, there is a winning move in every heap with a 1 in the leftmost odd
    // column.
    let bit = sum.ilog2();
    let with_one: Vec<u64> = (0..numbers.len())
        .filter(|&i| numbers[i] >> bit & 1 == 1)
        .map(|i| i as u64)
        .collect();
    let members = || with_one.iter().map(|&index| index as usize);
    let names: Vec<String> = members().map(|index| parts[index].text()).collect();
    let sizes: Vec<u64> = members().map(|index| numbers[index]).collect();
    let step = Step::new(["odd_column", "odd_column_heaps"][usize::from(heaps)])
        .with("column", 1u64 << bit)
        .with("ones", with_one.len())
        .with("in", with_one.clone())
        .with("parts", names);
    steps.push(if heaps {
        step.with("heaps", sizes)
    } else {
        step
    });
}

/// Returns a short name of a position: the name of the vertex if the game is an explicit graph, and
/// otherwise the notation.
pub(super) fn short_name(position: &Position) -> String {
    match position.only_term().and_then(|term| term.network()) {
        Some((network, vertex)) => network.names.get(vertex).to_owned(),
        None => position.to_string(),
    }
}

/// Returns the step that derives the value of a position as the mex of its options. The step lists
/// at most `max_options` options. If the mex depends on more options, the step gives only the
/// number of options.
///
/// Returns `None` if there are more than [`MAX_OPTIONS_VALUED`] options, or if a limit on positions
/// or memory is reached.
fn mex_step(
    position: &Position,
    value: u64,
    max_options: usize,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let grundy = &mut |to: &Position| solver.grundy(to, limits).map(Some);
    // If there are too many options, omit this step.
    let Some(listed) = option_list::options(position, MAX_OPTIONS_VALUED, grundy)? else {
        return Ok(None);
    };
    if listed.is_empty() {
        return Ok(Some(Step::new("terminal")));
    }
    let values: BTreeSet<u64> = listed.iter().map(|(_, value)| *value).collect();
    // The mex needs one option for each smaller value. Give only their number if there are too
    // many.
    if listed.len() > max_options && value > max_options as u64 {
        return Ok(Some(
            Step::new("mex_many")
                .with("count", listed.len())
                .with("last", value - 1)
                .with("missing", value),
        ));
    }
    // List one option for each value below the mex. Then list other options, up to `max_options`.
    let mut below = BTreeSet::new();
    let needed: Vec<bool> = listed
        .iter()
        .map(|&(_, of)| of < value && below.insert(of))
        .collect();
    let mut free_entries = max_options.saturating_sub(below.len());
    let mut pairs: Vec<Datum> = Vec::new();
    for ((to, value), needed) in listed.iter().zip(needed) {
        if needed || free_entries > 0 {
            free_entries -= usize::from(!needed);
            pairs.push(Datum::Text(format!("{} = {value}", short_name(to))));
        }
    }
    if listed.len() > pairs.len() {
        pairs.push("…".into());
    }
    Ok(Some(
        Step::new("mex")
            .with("options", Datum::List(pairs))
            .with("values", values.into_iter().collect::<Vec<u64>>())
            .with("missing", value),
    ))
}

/// Appends the explanation from Smith–Fraenkel values: the value of each part, and the sum of the
/// values.
pub(super) fn loopy(
    position: &Position,
    values: &[Vec<PartValue<LoopyPart>>],
    steps: &mut Vec<Step>,
) {
    steps.push(theorem_step(&SMITH_FRAENKEL));
    let values: Vec<&Loopy> = values
        .iter()
        .flatten()
        .map(|part| &part.value.value)
        .collect();
    let parts: Vec<String> = parts(position).iter().map(|part| part.text()).collect();
    let sum = values
        .iter()
        .fold(Loopy::Finite(0), |sum, value| sum.plus(value));
    if values.len() > 1 {
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        steps.push(
            Step::new("loopy_components")
                .with("parts", parts.clone())
                .with("values", texts),
        );
    }
    // If exactly one value is infinite, the player to move wins if its set K contains the sum of
    // the other values. With two infinite values the game is a draw.
    let infinite: Vec<usize> = (0..values.len())
        .filter(|&index| matches!(values[index], Loopy::Infinite(_)))
        .collect();
    let code = match (infinite.len(), values.len(), sum.outcome()) {
        (0, ..) => "loopy_finite",
        (1, 1, Outcome::N) => "loopy_zero_in_set",
        (1, 1, _) => "loopy_zero_not_in_set",
        (1, _, Outcome::N) => "loopy_others_in_set",
        (1, ..) => "loopy_others_not_in_set",
        _ => "loopy_two_infinities",
    };
    let mut step = Step::new(code).with("sum", sum.to_string());
    if let ([index], true) = (&infinite[..], values.len() > 1) {
        step = step
            .with("part", &parts[*index][..])
            .with("infinity", values[*index].to_string())
            .with("others", sum_of_others(&values, *index).to_string());
    }
    steps.push(step);
}

/// Returns the sum of all values except the one at `index`.
pub(super) fn sum_of_others(values: &[&Loopy], index: usize) -> Loopy {
    let others = values[..index].iter().chain(&values[index + 1..]);
    others.fold(Loopy::Finite(0), |sum, value| sum.plus(value))
}
