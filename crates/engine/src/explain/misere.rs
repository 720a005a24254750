//! The argument from tame misère values.

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

/// Number of parts for which the argument of their values is given.
const PARTS_TOLD: usize = 20;

/// Number of options that are listed with their values. A longer list is not readable.
const OPTIONS_TOLD: usize = 12;

/// The values of the parts of a tame sum, and the number of parts that behave like large Nim heaps.
struct Count {
    /// The Sprague–Grundy value of each part.
    numbers: Vec<u64>,
    /// Number of parts that behave like heaps of size at least 2.
    large: usize,
    /// `true` if all parts are Nim heaps.
    nim: bool,
}

impl Count {
    /// Collects the values of all parts of a sum.
    fn of(values: &[Vec<PartValue<Misere>>]) -> Self {
        let all = || values.iter().flatten();
        let tame = |part: &PartValue<Misere>| match part.value {
            Misere::Tame { grundy, fickle } => (grundy, fickle),
            // The sum is tame, so no part is wild. This value is never used.
            Misere::Wild => (0, false),
        };
        Self {
            numbers: all().map(|part| tame(part).0).collect(),
            // A firm part behaves like a heap of size at least 2, and a fickle part like a heap of
            // size 0 or 1.
            large: all().filter(|part| !tame(part).1).count(),
            nim: all().all(|part| {
                matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == BOUTON.method)
            }),
        }
    }

    /// Returns the number of parts of Sprague–Grundy value 1.
    fn ones(&self) -> usize {
        self.numbers.iter().filter(|&&n| n == 1).count()
    }

    /// Returns the nim-sum of the Sprague–Grundy values.
    fn sum(&self) -> u64 {
        self.numbers.iter().fold(0, |sum, n| sum ^ n)
    }
}

/// Appends the steps for the values of the parts, and the conclusion for the sum.
pub(super) fn values(
    position: &Position,
    values: &[Vec<PartValue<Misere>>],
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let count = Count::of(values);
    if count.nim {
        // A theorem may reduce another game to Nim heaps. It defines these heaps, so it is stated
        // first.
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
    // If all parts are fickle, the misère nim-value of the sum is 1 - x, where x is the parity of
    // the number of parts of value 1.
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
    // With one heap of size at least 2, the winning move in misère play differs from that in normal
    // play. So the columns of digits do not explain it.
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
        columns(&count.numbers, &parts(position), count.nim, sum, steps);
    }
    // In normal play every move from even columns can be answered so that all columns are even
    // again. Near the end of misère play this would lose, so the wording differs.
    for step in steps {
        step.code = match step.code {
            "even_columns_heaps" => "even_columns_misere",
            "even_columns" => "even_columns_counts",
            code => code,
        };
    }
    Ok(())
}

/// Returns the Sprague–Grundy value and the misère nim-value, or `None` for a wild value.
fn both(value: Misere) -> Option<(u64, u64)> {
    match value {
        Misere::Tame { grundy, .. } => Some((grundy, value.misere_nim_value()?)),
        Misere::Wild => None,
    }
}

/// Returns the reason for both values of a part: its place in a period, or its options if they are
/// few.
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
        // `residue` adds only one value, so remove it. The caller adds both values.
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

/// Returns the options of a part, each with both values. Returns `None` if there are too many
/// options or if one is not tame.
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

/// Appends the reason for each winning move.
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
            // The moves are known to win, so their reasons may be missing.
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
