//! The table of the periods of all octal codes with few digits.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{Code, HeapRules, PeriodTheorem, Sequence};
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Limits, Stop, message};
use grundy_wording::answer::DisplayText;
use grundy_wording::{Language, phrase, words};
use serde::{Serialize, Serializer};

use grundy_job::{Job, Progress};

/// A row of the table of octal codes and their periods. Its serialized form is the documented JSON.
#[derive(Clone, Debug, Serialize)]
pub struct CodeRow {
    /// The octal code that the row describes.
    pub code: DisplayText<Code>,
    /// The status of the result: `proved` or `partial`.
    pub status: &'static str,
    /// The preperiod, if a period is proved.
    pub preperiod: Option<u64>,
    /// The period, if one is proved.
    pub period: Option<u64>,
    /// The theorem by which the period is proved.
    pub theorem: Option<DisplayText<PeriodTheorem>>,
    /// Number of values that the proof needed. Without a proof, it is the number of values that
    /// were computed.
    pub checked_to: u64,
    /// The largest of the computed values.
    pub largest: u64,
    /// Number of rare heaps, if the sequence has a sparse space.
    pub rare_heaps: Option<usize>,
    /// An earlier code with the same values, possibly shifted by one or two heaps.
    pub same_as: Option<EqualCode>,
}

/// An earlier code with the same values up to a shift. Its value at n + `shift` equals the value at
/// n of the code to which the row belongs. The serialized form is English text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualCode {
    /// The earlier octal code with the same values.
    pub code: String,
    /// The difference in heap size. The heap n + `shift` of `code` has the same value as the heap n
    /// of the code of the row.
    pub shift: i64,
}

impl EqualCode {
    fn text(&self, language: Language) -> String {
        if self.shift == 0 {
            return self.code.clone();
        }
        let sign = if self.shift < 0 { '-' } else { '+' };
        let step = Step::new("period_code_alike")
            .with("code", &self.code[..])
            .with("shift", format!("{sign} {}", self.shift.abs()));
        words(&step, language)
    }
}

impl Serialize for EqualCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text(Language::En))
    }
}

/// Largest number of digits of a code. The table of all codes with at most this many digits has
/// 8191 rows.
const MAX_DIGITS: u32 = 4;

/// Number of values of each code that are compared, beginning with the first value. For example,
/// the codes 0.161 and 0.36 first differ at heap 519.
const COMPARED_VALUES: usize = 4096;

/// Returns a row for each code with at most `digits` digits.
pub(super) fn rows(digits: u32, max: u64, job: &Job) -> Result<Vec<CodeRow>, Diagnostic> {
    if !(1..=MAX_DIGITS).contains(&digits) {
        let message = message!(
            "a table of all codes is available for lengths of 1 to {digits} digits",
            digits = MAX_DIGITS
        );
        return Err(Diagnostic::new(Kind::Range, message));
    }
    let codes = codes(digits);
    let found: Mutex<Vec<(usize, (CodeRow, Vec<u64>))>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let limits = job.long_limits();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // Different codes are computed in parallel. Within a code this is impossible, since each value
    // depends on those before it.
    let results: Vec<Result<(), Stop>> = std::thread::scope(|scope| {
        let work = || -> Result<(), Stop> {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(code) = codes.get(index) else {
                    return Ok(());
                };
                let row = row(code, max, &limits)?;
                if let Ok(mut found) = found.lock() {
                    found.push((index, row));
                    // The lock is held while progress is reported, so that the counts arrive in
                    // order.
                    job.report(&Progress::Computing {
                        computed: found.len() as u64,
                        of: codes.len() as u64,
                        note: None,
                    });
                }
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .filter_map(|handle| handle.join().ok())
            .collect()
    });
    results.into_iter().collect::<Result<(), Stop>>()?;
    let mut found = found.into_inner().unwrap_or_default();
    // Workers finish in any order. The table, and the search for codes with the same values, need
    // the order of the codes.
    found.sort_by_key(|(index, _)| *index);
    let (mut rows, first): (Vec<CodeRow>, Vec<Vec<u64>>) =
        found.into_iter().map(|(_, row)| row).unzip();
    find_equal_codes(&mut rows, &first);
    Ok(rows)
}

/// Returns the codes 0.1 to 0.77... and 4.0 to 4.77... Codes that end in 0 are omitted, except
/// for 4.0.
fn codes(digits: u32) -> Vec<Code> {
    let mut codes = Vec::new();
    for whole in ["0", "4"] {
        for length in 1..=digits {
            for number in 0..8u32.pow(length) {
                // A 0 at the end does not change the rules. The code 4.0 is kept, since 4 is not
                // among the codes.
                if number.is_multiple_of(8) && !(whole == "4" && length == 1) {
                    continue;
                }
                let text = format!("{whole}.{number:0width$o}", width = length as usize);
                codes.extend(Code::parse(&text));
            }
        }
    }
    codes
}

/// Returns the row of a code, and the first values of the code for the comparison with other codes.
fn row(code: &Code, max: u64, limits: &Limits<'_>) -> Result<(CodeRow, Vec<u64>), Stop> {
    let rules = HeapRules::TakeAndBreak(code.clone());
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    // Proofs are tried at the lengths in the schedule of the sequence, so that an early period is
    // found from few values.
    while sequence.period().is_none() && sequence.next_try() <= max {
        sequence.try_to_prove(limits)?;
    }
    // The schedule rarely contains `max` itself, so the values up to `max` and a last proof follow.
    if sequence.period().is_none() {
        sequence.compute(max, limits)?;
        sequence.prove(limits)?;
    }
    // The number is stored before the comparison computes more values, which must not be counted.
    let computed = sequence.values().len() as u64;
    let largest = sequence.values().iter().max().unwrap_or(0);
    let rare = sequence
        .state()
        .sparse_space()
        .map(|(_, rares)| rares.len());
    sequence.compute(COMPARED_VALUES as u64, limits)?;
    let first = sequence.values().iter().take(COMPARED_VALUES).collect();
    let period = sequence.period();
    let row = CodeRow {
        code: DisplayText(code.clone()),
        status: if period.is_some() {
            "proved"
        } else {
            "partial"
        },
        preperiod: period.map(|period| period.preperiod),
        period: period.map(|period| period.period),
        theorem: period.map(|period| DisplayText(period.theorem.clone())),
        checked_to: period.map_or(computed, |period| period.checked_to),
        largest,
        rare_heaps: rare,
        same_as: None,
    };
    Ok((row, first))
}

/// Sets `same_as` of each code that has the same values as an earlier code, possibly shifted by one
/// or two heaps.
fn find_equal_codes(rows: &mut [CodeRow], first: &[Vec<u64>]) {
    // The hash key consists of 128 values, so that there are few candidates. It begins above heap
    // 2, since a shifted key must not begin below heap 0.
    const KEY: std::ops::Range<usize> = 64..192;
    let mut earlier: HashMap<Vec<u64>, Vec<(usize, i64)>> = HashMap::new();
    for index in 0..rows.len() {
        let found = earlier.get(&first[index][KEY]).and_then(|candidates| {
            let same = |&&(other, shift): &&(usize, i64)| {
                let (own, other) = (&first[index], &first[other]);
                let (skip, ahead) = (shift.min(0).unsigned_abs(), shift.max(0).unsigned_abs());
                let own = own.iter().skip(skip as usize);
                own.zip(other.iter().skip(ahead as usize))
                    .all(|(a, b)| a == b)
            };
            candidates
                .iter()
                .filter(same)
                .min_by_key(|(other, shift)| (shift.abs(), *other))
        });
        // A code that equals an earlier one is not entered. So `same_as` always refers to the first
        // of several equal codes.
        if let Some(&(other, shift)) = found {
            let code = rows[other].code.0.to_string();
            rows[index].same_as = Some(EqualCode { code, shift });
            continue;
        }
        for shift in [0i64, -1, 1, -2, 2] {
            // A later code with this key has at n the value that this code has at n + `shift`.
            let key = (KEY.start as i64 + shift) as usize..(KEY.end as i64 + shift) as usize;
            earlier
                .entry(first[index][key].to_vec())
                .or_default()
                .push((index, shift));
        }
    }
}

/// Formats the rows as a table.
pub(super) fn table(rows: &[CodeRow], language: Language) -> String {
    let mut out = phrase("period_codes", language) + "\n|---|---|---|---|---|---|---|---|\n";
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    for row in rows {
        let (status, theorem) = if let Some(DisplayText(theorem)) = &row.theorem {
            ("period_code_proved", theorem.code().to_owned())
        } else {
            let step = Step::new("period_code_first").with("checked", row.checked_to);
            ("period_code_open", words(&step, language))
        };
        let status = phrase(status, language);
        let same_as = row.same_as.as_ref().map(|same| same.text(language));
        let _ = writeln!(
            out,
            "| {} | {status} | {} | {} | {} | {} | {theorem} | {} |",
            row.code.0,
            number(row.preperiod),
            number(row.period),
            row.largest,
            number(row.rare_heaps.map(|heaps| heaps as u64)),
            same_as.unwrap_or_default(),
        );
    }
    out
}
