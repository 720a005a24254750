//! The table of all octal codes of a few digits.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy::algebra::NormalPlay;
use grundy::heap::{Code, HeapRules, Period, Sequence};
use grundy::{Diagnostic, Kind, Limits, Stop};
use serde_json::{Value, json};

use crate::job::{Job, Progress};

/// What is known of one code.
#[derive(Clone, Debug)]
pub struct Row {
    /// The code.
    pub code: Code,
    /// Its period, where one is proved.
    pub period: Option<Period>,
    /// How many values were computed.
    pub computed: u64,
    /// The largest of them.
    pub largest: u64,
    /// How many rare heaps there are, where they were looked for.
    pub rare: Option<usize>,
    /// An earlier code with the same values, perhaps on heaps larger or smaller by one or two.
    pub same_as: Option<String>,
}

/// Most digits of a code in the table, which then has 8191 rows.
const DIGITS: u32 = 4;

/// Values compared between codes: 0.161 and 0.36 differ for the first time at heap 519.
const COMPARED: usize = 4096;

/// What is known of every code of at most so many digits.
pub(super) fn rows(digits: u32, max: u64, job: &Job) -> Result<Vec<Row>, Diagnostic> {
    if !(1..=DIGITS).contains(&digits) {
        let message = format!("the table is for codes of 1 to {DIGITS} digits");
        return Err(Diagnostic::new(Kind::Range, message));
    }
    let codes = codes(digits);
    let found: Mutex<Vec<(usize, (Row, Vec<u64>))>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let limits = job.long_limits();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    // One game after the other, on every core: within a game each value waits for the one before.
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
                    // Told under the lock, so that the numbers come in order.
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
    found.sort_by_key(|(index, _)| *index);
    let (mut rows, first): (Vec<Row>, Vec<Vec<u64>>) =
        found.into_iter().map(|(_, row)| row).unzip();
    find_cousins(&mut rows, &first);
    Ok(rows)
}

/// 0.1 to 0.77... and 4.0 to 4.77..., without those that end in 0 beside 4.0.
fn codes(digits: u32) -> Vec<Code> {
    let mut codes = Vec::new();
    for whole in ["0", "4"] {
        for length in 1..=digits {
            for number in 0..8u32.pow(length) {
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

/// What is known of a code, and the first values.
fn row(code: &Code, max: u64, limits: &Limits<'_>) -> Result<(Row, Vec<u64>), Stop> {
    let rules = HeapRules::TakeAndBreak(code.clone());
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    while sequence.period().is_none() && sequence.next_try() <= max {
        sequence.try_to_prove(limits)?;
    }
    if sequence.period().is_none() {
        sequence.compute(max, limits)?;
        sequence.prove(limits)?;
    }
    let computed = sequence.values().len() as u64;
    let largest = sequence.values().iter().max().unwrap_or(0);
    let rare = sequence
        .state()
        .sparse_space()
        .map(|(_, rares)| rares.len());
    sequence.compute(COMPARED as u64, limits)?;
    let first = sequence.values().iter().take(COMPARED).collect();
    let row = Row {
        code: code.clone(),
        computed,
        largest,
        rare,
        period: sequence.period().cloned(),
        same_as: None,
    };
    Ok((row, first))
}

/// Names, for each code, an earlier one with the same values, perhaps on heaps larger or smaller by one or two.
fn find_cousins(rows: &mut [Row], first: &[Vec<u64>]) {
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
        if let Some(&(other, shift)) = found {
            let code = &rows[other].code;
            rows[index].same_as = Some(match shift {
                0 => code.to_string(),
                shift => format!(
                    "{code} at n {} {}",
                    if shift < 0 { '-' } else { '+' },
                    shift.abs()
                ),
            });
            continue;
        }
        for shift in [0i64, -1, 1, -2, 2] {
            // The value of n here would be that of n + shift there.
            let key = (KEY.start as i64 + shift) as usize..(KEY.end as i64 + shift) as usize;
            earlier
                .entry(first[index][key].to_vec())
                .or_default()
                .push((index, shift));
        }
    }
}

impl Row {
    pub(super) fn as_json(&self) -> Value {
        let period = self.period.as_ref();
        json!({
            "code": self.code.to_string(),
            "status": if period.is_some() { "proved" } else { "partial" },
            "preperiod": period.map(|period| period.preperiod),
            "period": period.map(|period| period.period),
            "theorem": period.map(|period| period.theorem.name()),
            "checked_to": period.map_or(self.computed, |period| period.checked_to),
            "largest": self.largest,
            "rare_heaps": self.rare,
            "same_as": self.same_as,
        })
    }
}

/// The rows as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| code | status | preperiod | period | largest | rare | theorem | same as |\n|---|---|---|---|---|---|---|---|\n",
    );
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    for row in rows {
        let period = row.period.as_ref();
        let status = if period.is_some() { "proved" } else { "open" };
        let theorem = period.map_or_else(
            || format!("first {} values", row.computed),
            |period| period.theorem.code().to_owned(),
        );
        let _ = writeln!(
            out,
            "| {} | {status} | {} | {} | {} | {} | {theorem} | {} |",
            row.code,
            number(period.map(|period| period.preperiod)),
            number(period.map(|period| period.period)),
            row.largest,
            number(row.rare.map(|heaps| heaps as u64)),
            row.same_as.as_deref().unwrap_or_default(),
        );
    }
    out
}
