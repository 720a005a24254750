//! The argument from tame values in misère play.

use std::sync::Arc;

use super::few;
use super::values::{columns, parts, residue, short_name, theorem_step};
use crate::position::{AnyTerm, Position};
use crate::solve::{Solution, Solver};
use crate::theorem::BOUTON;
use crate::values::tame::Tame;
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::step::{Datum, Step};
use grundy_heap::algebra::{Algebra, Misere, TamePlay};

/// Parts whose values are told one by one.
const PARTS_TOLD: usize = 20;

/// Options that are told with what they are worth; of a longer list nobody sees the end.
const OPTIONS_TOLD: usize = 12;

/// What the parts of a sum count as.
struct Count {
    /// Their Sprague–Grundy values.
    numbers: Vec<u64>,
    /// How many count as heaps of two or more.
    large: usize,
    /// `true` if all are Nim heaps.
    nim: bool,
}

impl Count {
    fn of(values: &[Vec<PartValue<Misere>>]) -> Self {
        let all = || values.iter().flatten();
        let tame = |part: &PartValue<Misere>| match part.value {
            Misere::Tame { grundy, fickle } => (grundy, fickle),
            Misere::Wild => (0, false),
        };
        Self {
            numbers: all().map(|part| tame(part).0).collect(),
            large: all().filter(|part| !tame(part).1).count(),
            nim: all().all(|part| {
                matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == BOUTON.method)
            }),
        }
    }

    fn ones(&self) -> usize {
        self.numbers.iter().filter(|&&n| n == 1).count()
    }

    fn sum(&self) -> u64 {
        self.numbers.iter().fold(0, |sum, n| sum ^ n)
    }
}

/// What the parts are worth, and what follows for the sum.
pub(super) fn values(
    position: &Position,
    values: &[Vec<PartValue<Misere>>],
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let count = Count::of(values);
    if count.nim {
        // Bouton's theorem about other things than heaps says first what counts as a heap.
        for part in values.iter().flatten() {
            if let Evidence::Theorem(theorem) = part.evidence
                && theorem.statement != BOUTON.statement
            {
                let step = theorem_step(theorem);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
    }
    if !count.nim {
        steps.push(
            Step::new("tame")
                .with("values", count.numbers.clone())
                .with("firm", count.large),
        );
        let parts = parts(position);
        for (term, part) in parts.iter().zip(values.iter().flatten()).take(PARTS_TOLD) {
            if let Some((value, misere_value)) = both(part.value) {
                let step = argument(term, part, value, solver, limits)?;
                let step = step.with("value", value);
                steps.push(step.with("misere_value", misere_value));
            }
        }
    }
    if count.large == 0 {
        let code = match (count.nim, count.ones() % 2) {
            (true, 0) => "misere_all_ones_even",
            (true, _) => "misere_all_ones_odd",
            (false, 0) => "misere_count_even",
            (false, _) => "misere_count_odd",
        };
        steps.push(Step::new(code).with("ones", count.ones()));
        return Ok(());
    }
    // With one large heap alone the columns say nothing: misère play departs from them here.
    if count.nim && count.large == 1 {
        steps.push(Step::new("misere_one_large").with("large", count.large));
        return Ok(());
    }
    let code = if count.nim {
        "misere_heaps"
    } else {
        "misere_counts"
    };
    let sum = count.sum();
    steps.push(Step::new(code).with("large", count.large).with("sum", sum));
    if count.numbers.len() > 1 {
        columns(&count.numbers, &parts(position), sum, steps);
    }
    // That every move is mended is an argument of normal play; at the end of misère play to mend is
    // to lose.
    for step in steps.iter_mut().filter(|step| step.code == "even_columns") {
        step.code = if count.nim {
            "even_columns_misere"
        } else {
            "even_columns_counts"
        };
    }
    Ok(())
}

/// Returns the Sprague–Grundy value with that of misère play.
fn both(value: Misere) -> Option<(u64, u64)> {
    match value {
        Misere::Tame { grundy, .. } => Some((grundy, value.misere_nim_value()?)),
        Misere::Wild => None,
    }
}

/// Where the two values of a part come from: its place in a period, its options where they are few,
/// or the same rule as ever.
fn argument(
    term: &Arc<dyn AnyTerm>,
    part: &PartValue<Misere>,
    value: u64,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Step, Stop> {
    if let Evidence::Period { period, .. } = &part.evidence
        && period.saltus == 0
        && let Some(step) = residue(term, value, period)
    {
        let args = step.args.into_iter().filter(|(name, _)| *name != "value");
        return Ok(Step {
            code: "residue_tame",
            args: args.collect(),
        });
    }
    let step = match options(term, solver, limits)? {
        Some(options) if !options.is_empty() => {
            Step::new("tame_options").with("options", Datum::List(options))
        }
        _ => Step::new("tame_value"),
    };
    Ok(step.with("part", term.text()))
}

/// Returns the options of a part, each with both values; nothing where they are too many or are not
/// tame.
fn options(
    term: &Arc<dyn AnyTerm>,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Vec<Datum>>, Stop> {
    let position = Position::from(Arc::clone(term));
    let told = few::options(&position, OPTIONS_TOLD, &mut |to| {
        let mut sum = TamePlay::TERMINAL;
        for term in to.terms() {
            let values = solver.engine.parts::<Tame>(&**term, limits)?;
            sum = (values.iter()).fold(sum, |sum, part| TamePlay::add(sum, part.value));
        }
        Ok(both(sum))
    })?;
    let text = |(to, (value, misere_value)): (Position, (u64, u64))| {
        Datum::Text(format!("{} = {value}|{misere_value}", short_name(&to)))
    };
    Ok(told.map(|told| told.into_iter().map(text).collect()))
}

/// Why each winning move wins.
pub(super) fn reasons(
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    for winning in solution.winning_moves() {
        let left = solver.engine.terms::<Tame>(winning.to.terms(), limits);
        let count = match left {
            Ok(left) => Count::of(&left),
            Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(()),
            Err(stop) => return Err(stop),
        };
        let step = match (count.large, count.nim) {
            (0, true) => Step::new("reason_misere_ones").with("ones", count.ones()),
            (0, false) => Step::new("reason_misere_count").with("ones", count.ones()),
            (large, _) => Step::new("reason_misere_sum")
                .with("large", large)
                .with("values", count.numbers.clone()),
        };
        steps.push(super::steps::repeated(
            step.with("to", winning.to.to_string()),
            winning,
        ));
    }
    Ok(())
}
