//! The explanation from tame misère values.

use std::sync::Arc;

use super::option_list;
use super::values::{columns, parts, residue, short_name, theorem_step};
use crate::position::{AnyTerm, Position};
use crate::solve::{Solution, Solver};
use crate::theorem::BOUTON;
use crate::values::tame::Tame;
use crate::values::{Evidence, PartValue};
use grundy_base::limits::{Limits, Stop};
use grundy_base::step::{Datum, Step};
use grundy_heap::algebra::{Algebra, Misere, TamePlay};

/// Largest number of parts whose values are explained.
const MAX_PARTS: usize = 20;

/// Largest number of options of a part that are listed with their values. A longer list is not
/// readable.
const MAX_OPTIONS: usize = 12;

/// The values of the parts of a tame sum, and the number of parts that behave like large Nim heaps.
struct TameSum {
    /// The Sprague–Grundy value of each part.
    grundy_values: Vec<u64>,
    /// Number of parts that behave like heaps of size at least 2.
    large: usize,
    /// `true` if all parts are Nim heaps.
    all_nim: bool,
}

impl TameSum {
    /// Collects the values of all parts of a sum.
    fn of(values: &[Vec<PartValue<Misere>>]) -> Self {
        let all = || values.iter().flatten();
        let tame = |part: &PartValue<Misere>| match part.value {
            Misere::Tame { grundy, fickle } => (grundy, fickle),
            // This case does not occur: the sum is tame, so no part is wild.
            Misere::Wild => (0, false),
        };
        Self {
            grundy_values: all().map(|part| tame(part).0).collect(),
            // A firm part behaves like a heap of size at least 2, and a fickle part like a heap of
            // size 0 or 1.
            large: all().filter(|part| !tame(part).1).count(),
            all_nim: all().all(|part| {
                matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == BOUTON.method)
            }),
        }
    }

    /// Returns the number of parts of Sprague–Grundy value 1.
    fn ones(&self) -> usize {
        self.grundy_values.iter().filter(|&&n| n == 1).count()
    }

    /// Returns the nim-sum of the Sprague–Grundy values.
    fn sum(&self) -> u64 {
        self.grundy_values.iter().fold(0, |sum, n| sum ^ n)
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
    let tame_sum = TameSum::of(values);
    if tame_sum.all_nim {
        // A theorem may state that another game behaves like Nim heaps. It says what these heaps
        // are, so its step comes first.
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
    if !tame_sum.all_nim {
        steps.push(
            Step::new("tame")
                .with("values", tame_sum.grundy_values.clone())
                .with("firm", tame_sum.large),
        );
        let parts = parts(position);
        for (term, part) in parts.iter().zip(values.iter().flatten()).take(MAX_PARTS) {
            if let Some((value, misere_value)) = value_pair(part.value) {
                let step = reason_for_values(term, part, value, solver, limits)?;
                let step = step.with("value", value);
                steps.push(step.with("misere_value", misere_value));
            }
        }
    }
    // If all parts are fickle, the misère nim-value of the sum is 1 - x, where x is the number of
    // parts of value 1 modulo 2.
    if tame_sum.large == 0 {
        let code = match (tame_sum.all_nim, tame_sum.ones() % 2) {
            (true, 0) => "misere_all_ones_even",
            (true, _) => "misere_all_ones_odd",
            (false, 0) => "misere_count_even",
            (false, _) => "misere_count_odd",
        };
        steps.push(Step::new(code).with("ones", tame_sum.ones()));
        return Ok(());
    }
    // If only one heap has size at least 2, the winning move in misère play differs from that in
    // normal play. So the columns of binary digits do not explain the move.
    if tame_sum.all_nim && tame_sum.large == 1 {
        steps.push(Step::new("misere_one_large").with("large", tame_sum.large));
        return Ok(());
    }
    let code = if tame_sum.all_nim {
        "misere_heaps"
    } else {
        "misere_counts"
    };
    let sum = tame_sum.sum();
    steps.push(
        Step::new(code)
            .with("large", tame_sum.large)
            .with("sum", sum),
    );
    if tame_sum.grundy_values.len() > 1 {
        columns(
            &tame_sum.grundy_values,
            &parts(position),
            tame_sum.all_nim,
            sum,
            steps,
        );
    }
    // The step for normal play says that every move from even columns can be answered such that all
    // columns are even again. Near the end of misère play this would lose, so use another step.
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
fn value_pair(value: Misere) -> Option<(u64, u64)> {
    match value {
        Misere::Tame { grundy, .. } => Some((grundy, value.misere_nim_value()?)),
        Misere::Wild => None,
    }
}

/// Returns the step with the reason for the Sprague–Grundy value and the misère nim-value of a
/// part. If a period shows that the part has the same values as a smaller heap, this heap is the
/// reason. Otherwise the reason is the list of options. If [`options`] returns no list, or an empty
/// one, the step only names the part.
fn reason_for_values(
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
        // The step from `residue` has one value. Remove it, since the caller adds both values.
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

/// Returns the texts of the options of a part, each with its Sprague–Grundy value and its misère
/// nim-value. Returns `None` if there are more than [`MAX_OPTIONS`] options, or if an option is not
/// tame.
fn options(
    term: &Arc<dyn AnyTerm>,
    solver: &mut Solver,
    limits: &Limits<'_>,
) -> Result<Option<Vec<Datum>>, Stop> {
    let position = Position::from(Arc::clone(term));
    let options = option_list::options(&position, MAX_OPTIONS, &mut |to| {
        let mut sum = TamePlay::TERMINAL;
        for term in to.terms() {
            let values = solver.engine.parts::<Tame>(&**term, limits)?;
            sum = (values.iter()).fold(sum, |sum, part| TamePlay::add(sum, part.value));
        }
        Ok(value_pair(sum))
    })?;
    let text = |(to, (value, misere_value)): (Position, (u64, u64))| {
        Datum::Text(format!("{} = {value}|{misere_value}", short_name(&to)))
    };
    Ok(options.map(|options| options.into_iter().map(text).collect()))
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
        let tame_sum = match left {
            Ok(left) => TameSum::of(&left),
            // If a limit is reached, omit the reasons for this move and for further ones.
            Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(()),
            Err(stop) => return Err(stop),
        };
        let step = match (tame_sum.large, tame_sum.all_nim) {
            (0, true) => Step::new("reason_misere_ones").with("ones", tame_sum.ones()),
            (0, false) => Step::new("reason_misere_count").with("ones", tame_sum.ones()),
            (large, _) => Step::new("reason_misere_sum")
                .with("large", large)
                .with("values", tame_sum.grundy_values.clone()),
        };
        steps.push(super::steps::repeated(
            step.with("to", winning.to.to_string()),
            winning,
        ));
    }
    Ok(())
}
