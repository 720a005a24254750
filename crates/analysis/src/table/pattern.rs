//! Patterns in the values of a table, in words.

use std::io::{self, Write};

use grundy_core::Outcome;
use grundy_core::heap::{HeapRules, Period, PeriodTheorem};
use grundy_core::known_games::equal_games;
use grundy_core::pattern::{
    Finding, Floor, Form, NumberSet, floor, in_outcomes, in_sequence, in_table, period, signed,
};
use grundy_core::step::Step;
use grundy_wording::{Language, phrase, words};
use serde::Serialize;

use crate::period::{Repetition, proof_step};

/// Largest number of terms in a line of terms.
const MAX_TERMS: usize = 60;

/// Number of terms in a search of the OEIS.
const SEARCHED_TERMS: usize = 12;

/// Least number of terms in a search of the OEIS.
const MIN_SEARCHED_TERMS: usize = 4;

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

    /// Returns the first numbers whose positions are P-positions, if the family has one variable
    /// and all outcomes are known.
    pub(super) fn p_numbers(&self) -> Option<Vec<u64>> {
        let ([first], [row]) = (&self.from[..], &self.rows[..]) else {
            return None;
        };
        let row: Vec<Outcome> = row
            .iter()
            .map(|cell| Some((*cell)?.0))
            .collect::<Option<_>>()?;
        let numbers = row.into_iter().zip(0..);
        let lost = numbers.filter(|(outcome, _)| *outcome == Outcome::P);
        Some(lost.map(|(_, i)| first + i).take(MAX_TERMS).collect())
    }

    /// Returns the addresses at which the OEIS shows sequences with these terms.
    pub(super) fn oeis(&self) -> Option<OeisSearches> {
        let searches = OeisSearches {
            grundy: self.sequence().and_then(|terms| oeis_search(&terms)),
            p_positions: self.p_numbers().and_then(|terms| oeis_search(&terms)),
        };
        let is_some = searches.grundy.is_some() || searches.p_positions.is_some();
        is_some.then_some(searches)
    }
}

/// The addresses of two searches in the OEIS.
#[derive(Debug, Serialize)]
pub(super) struct OeisSearches {
    /// The search for the Grundy values.
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<String>,
    /// The search for the P-positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    p_positions: Option<String>,
}

/// Returns the address of a search in the OEIS. Its hints advise to omit the first term, since
/// people disagree about where a sequence begins, and to omit 0 and 1 at the start.
fn oeis_search(terms: &[u64]) -> Option<String> {
    let small = terms.iter().take_while(|term| **term <= 1).count();
    // A sequence of 0 and 1 only would have no terms left.
    let omitted = match terms.len() - small {
        MIN_SEARCHED_TERMS.. => small.max(1),
        _ => 1,
    };
    let terms = terms.get(omitted..)?;
    let searched: Vec<String> = terms
        .iter()
        .take(SEARCHED_TERMS)
        .map(u64::to_string)
        .collect();
    let enough = searched.len() >= MIN_SEARCHED_TERMS;
    enough.then(|| format!("https://oeis.org/search?q={}", searched.join(",")))
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
    fn proved(text: Step) -> Self {
        Self {
            status: "proved",
            text,
        }
    }

    fn observed(text: Step) -> Self {
        Self {
            status: "observed",
            text,
        }
    }

    pub(super) fn is_proved(&self) -> bool {
        self.status == "proved"
    }

    /// Returns the statement as a line of a comment in a program.
    pub(super) fn comment(&self) -> String {
        format!("{}: {}", self.status, words(&self.text, Language::En))
    }

    pub(super) fn view(&self, language: Language) -> PatternFindingView {
        PatternFindingView {
            status: self.status,
            text: words(&self.text, language),
        }
    }
}

/// Returns all statements about the values of a table.
///
/// The argument `proved` is the proved period of the values. The argument `outcome_period` is the
/// proved period of the outcomes. The argument `rules` is the ruleset, if the family consists of
/// heaps.
pub(super) fn findings(
    proved: Option<&Period>,
    outcome_period: Option<Repetition>,
    rules: Option<&HeapRules>,
    values: &TableValues,
) -> Vec<PatternFinding> {
    let ([first], [row]) = (&values.from[..], &values.rows[..]) else {
        let found = match values.from[..] {
            [a, b] => in_table((a, b), &values.rows),
            _ => Vec::new(),
        };
        let found = found.iter();
        return found
            .map(|finding| PatternFinding::observed(step(finding)))
            .collect();
    };
    // After a gap, the index of a value differs from its position. Hence a row with a gap is not
    // searched.
    let row: Option<Vec<_>> = row.iter().copied().collect();
    let row = row.unwrap_or_default();
    let outcomes: Vec<Outcome> = row.iter().map(|(outcome, _)| *outcome).collect();
    let grundy = values.sequence().unwrap_or_default();
    let mut found = Vec::new();
    let mut formula = None;
    if let Some(period) = proved {
        let (text, linear) = proved_period(*first, &grundy, period);
        found.push(PatternFinding::proved(text));
        formula = linear;
    }
    let residues = outcome_period.and_then(|repetition| residues(repetition, *first, &outcomes));
    // If a statement is proved, the same statement is not repeated as an observation.
    let known = residues.is_some();
    found.extend(residues.map(|finding| PatternFinding::proved(step(&finding))));
    // A table that is short for its rules shows patterns that end just beyond it.
    let end = first.saturating_add(outcomes.len() as u64);
    if rules.is_some_and(|rules| end < rules.least_observed()) {
        return found;
    }
    let observed = in_sequence(*first, &grundy);
    formula = formula.or_else(|| {
        observed.iter().find_map(|finding| match finding {
            Finding::Nim => Some(Floor {
                multiplier: 1,
                addend: 0,
                divisor: 1,
            }),
            Finding::Floor { floor, .. } => Some(*floor),
            _ => None,
        })
    });
    // Two games with equal values in this range can have different rules. Hence the statement is
    // only an observation. If the values are n + k, the reference to Nim would repeat this.
    let linear = formula.is_some_and(|floor| floor.multiplier == 1 && floor.divisor == 1);
    for game in equal_games(*first, &grundy, rules) {
        if linear && game.family == "nim(n)" {
            continue;
        }
        let text = match game.shift {
            0 => Step::new("pattern_values_of"),
            shift => {
                let sign = if shift < 0 { '-' } else { '+' };
                let shift = format!("{sign} {}", shift.unsigned_abs());
                Step::new("pattern_shifted").with("shift", shift)
            }
        };
        found.push(PatternFinding::observed(text.with("family", game.family)));
    }
    // If a period is proved, an observed period would only repeat it.
    let repeats = |finding: &Finding| {
        let periodic = matches!(
            finding,
            Finding::Period { .. } | Finding::Floor { .. } | Finding::Nim
        );
        proved.is_some() && periodic
    };
    let observed = observed.into_iter().filter(|finding| !repeats(finding));
    // The outcomes can have a simple pattern even if the values have none.
    let others = in_outcomes(*first, &outcomes);
    let others = others
        .into_iter()
        .filter(|finding| !known || !matches!(finding, Finding::Residues { .. }));
    found.extend(
        observed
            .chain(others)
            .map(|finding| PatternFinding::observed(step(&finding))),
    );
    found
}

/// Returns the statement on a proved period. If the values are the floor of a linear function, the
/// statement gives this function, which is then returned, too.
fn proved_period(first: u64, grundy: &[u64], period: &Period) -> (Step, Option<Floor>) {
    let repetition = Repetition::from(period);
    let finding = Finding::Period {
        preperiod: period.preperiod,
        period: period.period,
        saltus: period.saltus,
    };
    let is_sparse = matches!(period.theorem, PeriodTheorem::SparseWindow { .. });
    if let Some((floor, from)) = floor(first, grundy, &finding).filter(|_| !is_sparse) {
        let text = Step::new("pattern_formula_proved")
            .with("formula", floor.to_string())
            .with("from", from)
            .with("theorem", period.theorem.name())
            .with("checked", period.checked_to);
        return (text, Some(floor));
    }
    let text = proof_step(repetition, &period.theorem, period.checked_to);
    (text, None)
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
    let seen = period(first, &numbers.unwrap_or_default()).into_iter();
    let periods = seen.filter(|finding| matches!(finding, Finding::Period { saltus: 0, .. }));
    periods
        .map(|finding| PatternFinding::observed(step(&finding)))
        .collect()
}

/// Writes the first values and P-positions, the addresses of their searches in the OEIS, and then
/// the statements.
pub(super) fn write(
    out: &mut dyn Write,
    found: &[PatternFinding],
    values: &TableValues,
    language: Language,
) -> io::Result<()> {
    writeln!(out)?;
    let mut line = |step: Step| writeln!(out, "{}", words(&step, language));
    if let Some(grundy) = values.sequence() {
        line(Step::new("pattern_terms").with("terms", list(grundy.iter().take(MAX_TERMS))))?;
    }
    if let Some(numbers) = values.p_numbers().filter(|numbers| !numbers.is_empty()) {
        line(Step::new("pattern_p_positions").with("terms", list(&numbers)))?;
    }
    if let Some(OeisSearches {
        grundy,
        p_positions,
    }) = values.oeis()
    {
        if let Some(url) = grundy {
            line(Step::new("pattern_oeis_values").with("url", url))?;
        }
        if let Some(url) = p_positions {
            line(Step::new("pattern_oeis_p_positions").with("url", url))?;
        }
    }
    for PatternFinding { status, text } in found {
        let step = Step::new("pattern_finding")
            .with("status", *status)
            .with("finding", words(text, language));
        line(step)?;
    }
    if found.is_empty() {
        writeln!(out, "{}", phrase("pattern_none", language))?;
    }
    Ok(())
}

fn list<'a>(numbers: impl IntoIterator<Item = &'a u64>) -> String {
    let texts: Vec<String> = numbers.into_iter().map(u64::to_string).collect();
    texts.join(", ")
}

fn step(finding: &Finding) -> Step {
    match finding {
        Finding::Nim => Step::new("pattern_nim"),
        Finding::BinaryDigits => Step::new("pattern_binary_digits"),
        Finding::Ruler => Step::new("pattern_ruler"),
        Finding::Floor { floor, from } => Step::new("pattern_formula")
            .with("formula", floor.to_string())
            .with("from", *from),
        Finding::Logarithm { plus, from } => Step::new("pattern_formula")
            .with("formula", format!("floor(log2(n)){}", signed(*plus)))
            .with("from", *from),
        Finding::SquareRoot { plus, from } => Step::new("pattern_formula")
            .with("formula", format!("floor(sqrt(n)){}", signed(*plus)))
            .with("from", *from),
        Finding::TrailingZeros { shift, plus, from } => {
            let step = match plus {
                0 => Step::new("pattern_trailing_zeros"),
                plus => Step::new("pattern_trailing_zeros_plus").with("plus", signed(*plus)),
            };
            step.with("of", format!("n{}", signed(*shift as i64)))
                .with("from", *from)
        }
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
        } => match (&remainders[..], modulus) {
            ([], _) => Step::new("pattern_no_p").with("from", *from),
            (_, 1) => Step::new("pattern_all_p").with("from", *from),
            _ => Step::new("pattern_residues")
                .with("from", *from)
                .with("remainders", list(remainders))
                .with("modulus", *modulus),
        },
        Finding::Set { set, from } => set_step(*set).with("from", *from),
        Finding::WythoffPairs { pairs } => Step::new("pattern_wythoff").with("pairs", *pairs),
        Finding::NimSum => Step::new("pattern_nim_sum"),
        &Finding::NimSumOfRemainders { row, column } => match (row, column) {
            (1, _) => Step::new("pattern_remainder")
                .with("form", "b")
                .with("modulus", column),
            (_, 1) => Step::new("pattern_remainder")
                .with("form", "a")
                .with("modulus", row),
            _ => Step::new("pattern_nim_sum_of_remainders")
                .with("row", row)
                .with("column", column),
        },
        &Finding::PeriodicTable { row, column } => match (row, column) {
            (1, _) => Step::new("pattern_depends")
                .with("form", "b")
                .with("modulus", column),
            (_, 1) => Step::new("pattern_depends")
                .with("form", "a")
                .with("modulus", row),
            _ => Step::new("pattern_depends_on_both")
                .with("row", row)
                .with("column", column),
        },
        Finding::ConstantTable { value } => {
            Step::new("pattern_constant_table").with("value", *value)
        }
        Finding::FormResidues {
            form,
            modulus,
            remainders,
        } => form_step(*form, *modulus, remainders),
        Finding::PairResidues { modulus, pairs } => {
            let pairs = pairs.iter().map(|(a, b)| format!("({a}, {b})"));
            Step::new("pattern_pair_residues")
                .with("pairs", pairs.collect::<Vec<_>>().join(", "))
                .with("modulus", *modulus)
        }
        // This version has no words for this kind of finding.
        _ => Step::new("pattern_none"),
    }
}

/// Returns the statement that the P-positions are the elements of a set.
fn set_step(set: NumberSet) -> Step {
    match set {
        NumberSet::Squares => Step::new("pattern_squares"),
        NumberSet::Triangular => Step::new("pattern_triangular"),
        NumberSet::Fibonacci => Step::new("pattern_fibonacci"),
        NumberSet::Powers { base } => Step::new("pattern_powers").with("base", base),
        NumberSet::PowersMinusOne { base } => {
            Step::new("pattern_powers_minus_one").with("base", base)
        }
        NumberSet::EvenTrailingZeros => Step::new("pattern_even_zeros"),
        NumberSet::OddTrailingZeros => Step::new("pattern_odd_zeros"),
        NumberSet::LowerWythoff => Step::new("pattern_lower_wythoff"),
        NumberSet::UpperWythoff => Step::new("pattern_upper_wythoff"),
        // This version has no words for this set.
        _ => Step::new("pattern_none"),
    }
}

/// Returns the statement that the remainders of a linear form decide which positions are lost.
fn form_step(form: Form, modulus: u64, remainders: &[u64]) -> Step {
    match (remainders, modulus) {
        ([], _) => Step::new("pattern_no_p_in_table"),
        (_, 1) => Step::new("pattern_all_p_in_table"),
        (remainders, _) => Step::new("pattern_form_residues")
            .with("form", form.to_string())
            .with("remainders", list(remainders))
            .with("modulus", modulus),
    }
}
