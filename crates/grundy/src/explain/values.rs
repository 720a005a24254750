//! The argument from values of parts: what each is worth and why, and how they add.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::algebra::Misere;
use crate::limits::{Halt, Limits, Stop, ended};
use crate::position::{AnyTerm, Position};
use crate::rules::Theorem;
use crate::solve::Solver;
use crate::step::{Datum, Step};
use crate::values::loopy::{Loopy, LoopyPart, SMITH_FRAENKEL};
use crate::values::{Evidence, PartValue};

/// Options listed in a `mex` step; a longer list helps nobody.
const OPTIONS_LISTED: usize = 24;

/// Parts whose own argument is told.
const PARTS_ARGUED: usize = 20;

/// The parts of all terms.
fn parts(position: &Position) -> Vec<Arc<dyn AnyTerm>> {
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
    let mut named = Vec::new();
    for (part, term) in all.iter().zip(&parts) {
        let text = term.text();
        match &part.evidence {
            Evidence::Theorem(theorem) if !named.contains(theorem) => {
                named.push(*theorem);
                steps.push(theorem_step(theorem));
            }
            Evidence::Period { period, .. } => {
                let size = term.heap_rules().map(|(_, size)| size);
                let mut step = Step::new("residue")
                    .with("part", text)
                    .with("preperiod", period.preperiod)
                    .with("period", period.period)
                    .with("saltus", period.saltus)
                    .with("value", part.value)
                    .with("theorem", period.theorem.name());
                if let Some(size) = size {
                    step = step
                        .with("size", size)
                        .with("remainder", size % period.period);
                }
                steps.push(step);
            }
            Evidence::Recurrence => steps.push(
                Step::new("recurrence")
                    .with("part", text)
                    .with("value", part.value),
            ),
            _ => {}
        }
    }
    for (term, values) in position.terms().iter().zip(values).take(PARTS_ARGUED) {
        for (index, part) in values.iter().enumerate().take(PARTS_ARGUED) {
            let wanted = (sum != 0).then_some(part.value ^ sum);
            steps.extend(term.argument(index, wanted));
        }
    }
    // One part without a theorem: the values of its options, and the least number missing.
    if let ([part], [only]) = (&all[..], &parts[..])
        && !matches!(part.evidence, Evidence::Theorem(_))
    {
        let only = Position::from(only.clone());
        steps.extend(mex_step(&only, part.value, solver, limits)?);
    }
    if all.len() > 1 {
        let bouton = all.iter().all(|part| {
            matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == "bouton")
        });
        let numbers: Vec<u64> = all.iter().map(|part| part.value).collect();
        if !bouton {
            let texts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            steps.push(
                Step::new("components")
                    .with("parts", texts)
                    .with("values", numbers.clone()),
            );
        }
        columns(&numbers, sum, steps);
    }
    Ok(())
}

fn columns(numbers: &[u64], sum: u64, steps: &mut Vec<Step>) {
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
    steps.push(
        Step::new("odd_column")
            .with("column", 1u64 << bit)
            .with("ones", with_one.len())
            .with("in", with_one.clone()),
    );
    for index in with_one {
        let from = numbers[index as usize];
        steps.push(
            Step::new("reduce")
                .with("heap", index)
                .with("from", from)
                .with("to", from ^ sum),
        );
    }
}

/// A vertex by its name where the game is an explicit graph, and any other position as it is written.
fn short_name(position: &Position) -> String {
    match position.only_term().and_then(|term| term.network()) {
        Some((network, vertex)) => network.names.get(vertex).to_owned(),
        None => position.to_string(),
    }
}

fn mex_step(
    position: &Position,
    value: u64,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Step>, Stop> {
    let mut listed: Vec<(String, u64)> = Vec::new();
    let mut count = 0usize;
    let flow = position.moves(position.first_player(), &mut |_, _, to| {
        count += 1;
        if count > 4 * OPTIONS_LISTED {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        match solver.grundy(&to, limits) {
            Ok(value) => listed.push((short_name(&to), value)),
            Err(stop) => return ControlFlow::Break(stop.into()),
        }
        ControlFlow::Continue(())
    });
    match ended(flow) {
        Ok(false) => {}
        // Too many options, or too much work for one step: the argument is shorter, and still one.
        Ok(true) | Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(None),
        Err(stop) => return Err(stop),
    }
    if listed.is_empty() {
        return Ok(Some(Step::new("terminal")));
    }
    let values: std::collections::BTreeSet<u64> = listed.iter().map(|(_, value)| *value).collect();
    let mut pairs: Vec<Datum> = listed
        .iter()
        .take(OPTIONS_LISTED)
        .map(|(text, value)| Datum::Text(format!("{text} = {value}")))
        .collect();
    if listed.len() > OPTIONS_LISTED {
        pairs.push("...".into());
    }
    Ok(Some(
        Step::new("mex")
            .with("options", Datum::List(pairs))
            .with("values", values.into_iter().collect::<Vec<u64>>())
            .with("missing", value),
    ))
}

pub(super) fn misere(values: &[Vec<PartValue<Misere>>], steps: &mut Vec<Step>) {
    let all: Vec<&PartValue<Misere>> = values.iter().flatten().collect();
    let tame = |part: &&PartValue<Misere>| match part.value {
        Misere::Tame { grundy, fickle } => (grundy, fickle),
        Misere::Wild => (0, false),
    };
    let numbers: Vec<u64> = all.iter().map(|part| tame(part).0).collect();
    let firm = all.iter().filter(|part| !tame(part).1).count();
    let nim = all.iter().all(
        |part| matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == "bouton"),
    );
    if !nim {
        steps.push(
            Step::new("tame")
                .with("values", numbers.clone())
                .with("firm", firm),
        );
    }
    let sum = numbers.iter().fold(0, |sum, n| sum ^ n);
    if firm == 0 {
        let ones = numbers.iter().filter(|&&n| n == 1).count();
        let code = if ones % 2 == 1 {
            "misere_all_ones_odd"
        } else {
            "misere_all_ones_even"
        };
        steps.push(Step::new(code).with("ones", ones));
    } else {
        steps.push(
            Step::new("misere_exception")
                .with("large", firm)
                .with("sum", sum),
        );
        if all.len() > 1 {
            columns(&numbers, sum, steps);
            // The columns name moves of normal play; near the end misère play departs from them.
            if firm == 1 {
                steps.retain(|step| step.code != "reduce");
                steps.push(Step::new("misere_last_large"));
            }
        }
    }
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
            Step::new("components")
                .with("parts", parts)
                .with("values", texts),
        );
    }
    let infinite = values
        .iter()
        .filter(|value| matches!(value, Loopy::Infinite(_)));
    let code = match (&sum, infinite.count()) {
        (Loopy::Finite(_), _) => "loopy_finite",
        (Loopy::Infinite(set), 1) if set.contains(&0) => "loopy_zero_in_set",
        (Loopy::Infinite(_), 1) => "loopy_zero_not_in_set",
        _ => "loopy_two_infinities",
    };
    steps.push(Step::new(code).with("sum", sum.to_string()));
}
