//! The argument from tame values in misère play.

use super::values::{columns, parts};
use crate::algebra::Misere;
use crate::limits::{Limits, Stop};
use crate::position::{Position, Valued};
use crate::solve::{Solution, Solver};
use crate::step::Step;
use crate::values::tame::Tame;
use crate::values::{Evidence, PartValue};

/// Parts whose values are told one by one.
const PARTS_TOLD: usize = 20;

/// What the parts of a sum count as.
struct Count {
    /// Their Sprague–Grundy values.
    numbers: Vec<u64>,
    /// How many count as heaps of two or more.
    large: usize,
    /// Whether all are Nim heaps.
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
                matches!(part.evidence, Evidence::Theorem(theorem) if theorem.method == "bouton")
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
    steps: &mut Vec<Step>,
) {
    let count = Count::of(values);
    if !count.nim {
        steps.push(
            Step::new("tame")
                .with("values", count.numbers.clone())
                .with("firm", count.large),
        );
        let parts = parts(position);
        for (term, part) in parts.iter().zip(values.iter().flatten()).take(PARTS_TOLD) {
            if let (Misere::Tame { grundy, .. }, Some(nim_value)) =
                (part.value, part.value.misere_nim_value())
            {
                steps.push(
                    Step::new("tame_value")
                        .with("part", term.text())
                        .with("value", grundy)
                        .with("misere_value", nim_value),
                );
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
        return;
    }
    // With one large heap alone the columns say nothing: misère play departs from them here.
    if count.nim && count.large == 1 {
        steps.push(Step::new("misere_one_large").with("large", count.large));
        return;
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
    // That every move is mended is an argument of normal play; at the end of misère play to mend is to lose.
    for step in steps.iter_mut().filter(|step| step.code == "even_columns") {
        step.code = if count.nim {
            "even_columns_misere"
        } else {
            "even_columns_counts"
        };
    }
}

/// Why each winning move wins.
pub(super) fn reasons(
    solution: &Solution,
    solver: &mut Solver,
    limits: &Limits<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    for winning in solution.winning_moves() {
        let tame = solver.tame_values();
        let terms = winning.to.terms().iter();
        let left: Result<Vec<_>, Stop> = terms
            .map(|term| Valued::<Tame>::values(&**term, tame, limits))
            .collect();
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
        steps.push(super::reasons::repeated(
            step.with("to", winning.to.to_string()),
            winning,
        ));
    }
    Ok(())
}
