//! The argument from values of parts: what each is worth and why, and how they add.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::few;
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

/// Options listed in a `mex` step; a longer list helps nobody.
const OPTIONS_LISTED: usize = 24;

/// Options whose values are looked at for it.
const OPTIONS_VALUED: usize = 400;

/// The longest period whose values are listed.
const PERIOD_LISTED: u64 = 34;

/// Parts whose own argument is told.
const PARTS_ARGUED: usize = 20;

/// Returns the parts of all terms.
pub(super) fn parts(position: &Position) -> Vec<Arc<dyn AnyTerm>> {
    let terms = position.terms().iter();
    terms.flat_map(|term| term.parts()).collect()
}

pub(super) fn theorem_step(theorem: &Theorem) -> Step {
    Step::new("theorem")
        .with("name", theorem.name)
        .with("statement", theorem.statement)
        .with("source", theorem.source)
}

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
    let is_heap = |part: &PartValue<u64>| matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == BOUTON.method);
    let heaps = all.iter().all(|part| is_heap(part));
    let mut named = Vec::new();
    for part in &all {
        if let Evidence::Theorem(theorem) = part.evidence
            // Bouton's theorem speaks of Nim alone.
            && (heaps || !is_heap(part))
            && !named.contains(&theorem)
        {
            named.push(theorem);
            steps.push(theorem_step(theorem));
        }
    }
    let mut told: Vec<&Arc<dyn AnyTerm>> = Vec::new();
    for (part, term) in all.iter().zip(&parts).take(PARTS_ARGUED) {
        // Of equal parts the first stands for all.
        if told.iter().any(|other| other.same(&**term)) {
            continue;
        }
        told.push(term);
        let wanted = (sum != 0).then_some(part.value ^ sum);
        let argument = term.argument(0, wanted);
        if several && !argument.is_empty() {
            steps.push(Step::new("about_part").with("part", term.text()));
        }
        let argued = !argument.is_empty();
        steps.extend(argument);
        match &part.evidence {
            Evidence::Theorem(theorem) => {
                let reckoned = term.reckon(Play::Normal);
                // In a sum of Nim heaps the columns say all that there is to say.
                let heap = reckoned.is_none() && theorem.method == BOUTON.method;
                if heap && !several && part.value > 0 {
                    let step = Step::new("nim_heap").with("part", term.text());
                    let step = step.with("value", part.value);
                    steps.push(step.with("last", part.value - 1));
                }
                // What has an argument of its own has no need of one more step.
                steps.extend(reckoned.filter(|_| !argued));
                steps.extend(missing(term, part.value, solver, limits)?);
            }
            Evidence::Period { period, .. } => match residue(term, part.value, period) {
                Some(step) => {
                    steps.push(step);
                    let listed = one_period(term, period, solver, limits)?;
                    // Heaps of one game have one period.
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
        if !heaps {
            let texts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            steps.push(
                Step::new("components")
                    .with("parts", texts)
                    .with("values", numbers.clone()),
            );
        }
        columns(&numbers, &parts, sum, steps);
    }
    Ok(())
}

/// Returns the numbers of an ordinal sum: what the options of the base are worth, and the top;
/// nothing where they are many.
fn missing(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let Some(operands) = term.operands() else {
        return Ok(None);
    };
    let [base, top] = operands.map(|terms| Position::of_terms(terms.to_vec()));
    let grundy = &mut |to: &Position| solver.grundy(to, limits).map(Some);
    let Some(listed) = few::options(&base, OPTIONS_LISTED, grundy)? else {
        return Ok(None);
    };
    let taken: BTreeSet<u64> = listed.into_iter().map(|(_, value)| value).collect();
    let code = match taken.len() {
        0 => "ordinal_on_nothing",
        _ => "ordinal_missing",
    };
    let step = Step::new(code)
        .with("part", term.text())
        .with("base", base.to_string())
        .with("top", top.to_string())
        .with("taken", taken.into_iter().collect::<Vec<u64>>());
    let step = step.with("skipped", solver.grundy(&top, limits)?);
    Ok(Some(step.with("value", value)))
}

/// Where the value of a position comes from that is told beside a theorem about who wins.
pub(super) fn of_one(
    position: &Position,
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    if let (&Some(GameValue::Nimber(value)), [part]) = (&solution.value, &parts(position)[..]) {
        by_options(part, value, false, solver, limits, steps)?;
    }
    Ok(())
}

/// Returns the place of a heap in its period; nothing where it lies before that.
pub(super) fn residue(term: &Arc<dyn AnyTerm>, value: u64, period: &Period) -> Option<Step> {
    let (_, size) = term.heap_rules()?;
    let beyond = size.checked_sub(period.preperiod)?;
    let (times, rest) = (beyond / period.period, beyond % period.period);
    let code = match (times, period.saltus) {
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
    Some(if period.saltus == 0 {
        step
    } else {
        step.with("saltus", period.saltus)
            .with("base_value", value - period.saltus * times)
    })
}

/// Returns the values of the first period, where it is short enough to be written on the board.
fn one_period(
    term: &Arc<dyn AnyTerm>,
    period: &Period,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let Some((rules, _)) = term.heap_rules() else {
        return Ok(None);
    };
    if period.period > PERIOD_LISTED {
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

/// The values of the options and the least number missing, where they are few enough to be told;
/// else where the value comes from.
fn by_options(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    several: bool,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let step = if several {
        mex_of(term, value, OPTIONS_LISTED, solver, limits)?
    } else {
        let part = Position::from(Arc::clone(term));
        mex_step(&part, value, OPTIONS_LISTED, solver, limits)?
    };
    if step.is_none() && term.heap_rules().is_some() {
        let step = Step::new("recurrence").with("part", term.text());
        steps.push(step.with("value", value));
    }
    steps.extend(step);
    Ok(())
}

/// Returns the options of a part among others, with the least number missing; `most` of them are
/// listed.
pub(super) fn mex_of(
    term: &Arc<dyn AnyTerm>,
    value: u64,
    most: usize,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let part = Position::from(Arc::clone(term));
    let step = mex_step(&part, value, most, solver, limits)?;
    Ok(step.map(|step| {
        let code = match step.code {
            "terminal" => "terminal_of",
            "mex_many" => "mex_many_of",
            _ => "mex_of",
        };
        Step { code, ..step }.with("part", term.text())
    }))
}

pub(super) fn columns(
    numbers: &[u64],
    parts: &[Arc<dyn AnyTerm>],
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
        steps.push(Step::new("even_columns"));
        return;
    }
    let bit = sum.ilog2();
    let with_one: Vec<u64> = (0..numbers.len())
        .filter(|&i| numbers[i] >> bit & 1 == 1)
        .map(|i| i as u64)
        .collect();
    let names: Vec<String> = with_one
        .iter()
        .map(|&index| parts[index as usize].text())
        .collect();
    steps.push(
        Step::new("odd_column")
            .with("column", 1u64 << bit)
            .with("ones", with_one.len())
            .with("in", with_one.clone())
            .with("parts", names),
    );
}

/// Returns a vertex by its name where the game is an explicit graph, and any other position as it
/// is written.
pub(super) fn short_name(position: &Position) -> String {
    match position.only_term().and_then(|term| term.network()) {
        Some((network, vertex)) => network.names.get(vertex).to_owned(),
        None => position.to_string(),
    }
}

/// Returns the values of the options and the least number missing: the options one by one where
/// they are few enough for a board, else how many there are.
fn mex_step(
    position: &Position,
    value: u64,
    most: usize,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let grundy = &mut |to: &Position| solver.grundy(to, limits).map(Some);
    // Where there are too many the argument is shorter, and still one.
    let Some(listed) = few::options(position, OPTIONS_VALUED, grundy)? else {
        return Ok(None);
    };
    if listed.is_empty() {
        return Ok(Some(Step::new("terminal")));
    }
    let values: BTreeSet<u64> = listed.iter().map(|(_, value)| *value).collect();
    if listed.len() > most && value > most as u64 {
        return Ok(Some(
            Step::new("mex_many")
                .with("count", listed.len())
                .with("last", value - 1)
                .with("missing", value),
        ));
    }
    // One option for each number below the mex; and as many others as there is room for.
    let mut below = BTreeSet::new();
    let needed: Vec<bool> = listed
        .iter()
        .map(|&(_, of)| of < value && below.insert(of))
        .collect();
    let mut room = most.saturating_sub(below.len());
    let mut pairs: Vec<Datum> = Vec::new();
    for ((to, value), needed) in listed.iter().zip(needed) {
        if needed || room > 0 {
            room -= usize::from(!needed);
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

/// The values of games that need not end, and how they add.
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
            .with("others", others(&values, *index).to_string());
    }
    steps.push(step);
}

/// Returns the sum of all values but one.
pub(super) fn others(values: &[&Loopy], index: usize) -> Loopy {
    let kept = values[..index].iter().chain(&values[index + 1..]);
    kept.fold(Loopy::Finite(0), |sum, value| sum.plus(value))
}
