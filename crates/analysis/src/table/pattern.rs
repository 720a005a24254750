//! Patterns in the values of a table, in words.

use std::io::{self, Write};

use grundy_core::Outcome;
use grundy_core::heap::HeapRules;
use grundy_core::known_games::equal_games;
use grundy_core::pattern::{Finding, in_outcomes, in_sequence, in_table};
use grundy_core::step::Step;
use grundy_wording::{Language, phrase, words};
use serde::Serialize;

use crate::period::Repetition;

/// The values of a table. There is one row for each value of the first variable.
#[derive(Clone, Debug, Default)]
pub(super) struct TableValues {
    pub(super) from: Vec<u64>,
    pub(super) rows: Vec<Vec<Option<(Outcome, Option<u64>)>>>,
}

impl TableValues {
    /// Returns the Grundy values, if the family has one variable and all values are known.
    fn sequence(&self) -> Option<Vec<u64>> {
        match (&self.from[..], &self.rows[..]) {
            ([_], [row]) => row
                .iter()
                .map(|cell| cell.and_then(|(_, grundy)| grundy))
                .collect(),
            _ => None,
        }
    }
}

/// A proved or observed statement about the values of a table, for example about their period.
#[derive(Clone, Debug)]
pub(super) struct PatternFinding {
    /// The word `proved` or `observed`.
    pub(super) status: &'static str,
    /// The statement.
    pub(super) text: Step,
}

/// A statement about the values of a table, as it appears in JSON.
#[derive(Serialize)]
pub(super) struct PatternFindingView {
    status: &'static str,
    text: String,
}

impl PatternFinding {
    pub(super) fn view(&self, language: Language) -> PatternFindingView {
        PatternFindingView {
            status: self.status,
            text: words(&self.text, language),
        }
    }
}

/// Returns all statements about the values of a table.
///
/// The argument `proved` states the proved period of the values. The argument `outcome_period` is
/// the proved period of the outcomes. The argument `rules` is the ruleset, if the family consists
/// of heaps.
pub(super) fn findings(
    proved: Option<Step>,
    outcome_period: Option<Repetition>,
    rules: Option<&HeapRules>,
    values: &TableValues,
) -> Vec<PatternFinding> {
    let mut found = Vec::new();
    let is_proved = proved.is_some();
    found.extend(proved.map(|text| PatternFinding {
        status: "proved",
        text,
    }));
    let observed = match (&values.from[..], &values.rows[..]) {
        ([first], [row]) => {
            // After a gap, the index of a value differs from its position. Hence a row with a gap
            // is not searched.
            let row: Option<Vec<_>> = row.iter().copied().collect();
            let row = row.unwrap_or_default();
            let outcomes: Vec<Outcome> = row.iter().map(|(outcome, _)| *outcome).collect();
            let residues =
                outcome_period.and_then(|repetition| residues(repetition, *first, &outcomes));
            // If a statement is proved, the same statement is not repeated as an observation.
            let known = residues.is_some();
            found.extend(residues.map(|finding| PatternFinding {
                status: "proved",
                text: step(&finding),
            }));
            let mut observed = Vec::new();
            if let Some(grundy) = values.sequence() {
                observed = in_sequence(*first, &grundy);
                // Two games with equal values in this range can have different rules. Hence the
                // statement is only an observation.
                for game in equal_games(*first, &grundy, rules) {
                    let text = match game.shift {
                        0 => Step::new("pattern_values_of"),
                        shift => {
                            let sign = if shift < 0 { '-' } else { '+' };
                            let shift = format!("{sign} {}", shift.unsigned_abs());
                            Step::new("pattern_shifted").with("shift", shift)
                        }
                    };
                    found.push(PatternFinding {
                        status: "observed",
                        text: text.with("family", game.family),
                    });
                }
            }
            // The outcomes can have a simple pattern even if the values have none.
            let others = in_outcomes(*first, &outcomes).into_iter();
            observed.extend(
                others.filter(|finding| !known || !matches!(finding, Finding::Residues { .. })),
            );
            observed
        }
        ([a, b], rows) => in_table((*a, *b), rows),
        _ => Vec::new(),
    };
    // If a period is proved, an observed period would only repeat it.
    let observed = observed
        .iter()
        .filter(|finding| !is_proved || !matches!(finding, Finding::Period { .. }));
    found.extend(observed.map(|finding| PatternFinding {
        status: "observed",
        text: step(finding),
    }));
    found
}

/// Returns a statement on the P-positions: the remainders of their indices modulo the least period
/// of the outcomes. The list `outcomes` begins with the outcome of the position with index `first`.
/// Returns `None` if the list does not contain a whole period of `repetition`.
fn residues(repetition: Repetition, first: u64, outcomes: &[Outcome]) -> Option<Finding> {
    let beginning = repetition.preperiod.max(first);
    let start = usize::try_from(beginning - first).ok()?;
    let period = usize::try_from(repetition.period).ok()?;
    let losing: Vec<bool> = outcomes
        .iter()
        .map(|&outcome| outcome == Outcome::P)
        .collect();
    let once = losing.get(start..start.checked_add(period)?)?;
    // Different values can have the same outcome. Hence the period of the outcomes may be a proper
    // divisor of this period, and it may begin earlier.
    let divides = |&modulus: &usize| {
        period.is_multiple_of(modulus) && (modulus..period).all(|n| once[n] == once[n - modulus])
    };
    let modulus = (1..=period).find(divides)?;
    // Extend the periodic part towards smaller positions as long as their outcomes match.
    let before = (0..start)
        .rev()
        .take_while(|&n| losing[n] == losing[n + modulus]);
    let from = first + (start - before.count()) as u64;
    let mut remainders: Vec<u64> = (beginning..)
        .zip(&once[..modulus])
        .filter(|(_, losing)| **losing)
        .map(|(n, _)| n % modulus as u64)
        .collect();
    remainders.sort_unstable();
    Some(Finding::Residues {
        modulus: modulus as u64,
        remainders,
        from,
    })
}

/// Returns a list with a statement on the period of the genera. The list is empty if a genus is
/// unknown or no period was found. The argument `genera` begins with the genus of position `first`.
pub(super) fn in_genera(first: u64, genera: &[Option<String>]) -> Vec<PatternFinding> {
    let mut distinct: Vec<&str> = Vec::new();
    let numbers = genera.iter().map(|genus| {
        let genus = genus.as_deref()?;
        let known = distinct.iter().position(|known| *known == genus);
        let number = known.unwrap_or_else(|| {
            distinct.push(genus);
            distinct.len() - 1
        });
        Some(number as u64)
    });
    let numbers: Option<Vec<u64>> = numbers.collect();
    // Each genus is replaced by an arbitrary number, so only equality is meaningful. A period with
    // a nonzero saltus would depend on this choice.
    let seen = in_sequence(first, &numbers.unwrap_or_default()).into_iter();
    let periods = seen.filter(|finding| matches!(finding, Finding::Period { saltus: 0, .. }));
    let observed = periods.map(|finding| PatternFinding {
        status: "observed",
        text: step(&finding),
    });
    observed.collect()
}

/// Writes the first values in the format of the OEIS search, and then the statements.
pub(super) fn write(
    out: &mut dyn Write,
    found: &[PatternFinding],
    values: &TableValues,
    language: Language,
) -> io::Result<()> {
    writeln!(out)?;
    if let Some(grundy) = values.sequence() {
        let terms: Vec<String> = grundy.iter().take(60).map(u64::to_string).collect();
        let step = Step::new("pattern_terms").with("terms", terms.join(", "));
        writeln!(out, "{}", words(&step, language))?;
    }
    for PatternFinding { status, text } in found {
        let step = Step::new("pattern_finding")
            .with("status", *status)
            .with("finding", words(text, language));
        writeln!(out, "{}", words(&step, language))?;
    }
    if found.is_empty() {
        writeln!(out, "{}", phrase("pattern_none", language))?;
    }
    Ok(())
}

fn step(finding: &Finding) -> Step {
    match finding {
        Finding::Nim => Step::new("pattern_nim"),
        Finding::BinaryDigits => Step::new("pattern_binary_digits"),
        Finding::Ruler => Step::new("pattern_ruler"),
        &Finding::Period {
            preperiod,
            period,
            saltus,
        } => Repetition {
            preperiod,
            period,
            saltus,
        }
        .step(),
        Finding::Residues {
            modulus,
            remainders,
            from,
        } => {
            let list: Vec<String> = remainders.iter().map(u64::to_string).collect();
            if list.is_empty() {
                return Step::new("pattern_no_p").with("from", *from);
            }
            Step::new("pattern_residues")
                .with("from", *from)
                .with("remainders", list.join(", "))
                .with("modulus", *modulus)
        }
        Finding::Powers { base } => Step::new("pattern_powers").with("base", *base),
        Finding::WythoffPairs { pairs } => Step::new("pattern_wythoff").with("pairs", *pairs),
        Finding::NimSum => Step::new("pattern_nim_sum"),
        // This version has no words for this kind of finding.
        _ => Step::new("pattern_none"),
    }
}
