//! The table of all octal codes of a few digits.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy::heap::{Code, HeapRules, Period, Sequence};
use grundy::theory::NormalPlay;
use grundy::{Limits, Stop};
use indicatif::ProgressBar;
use serde_json::json;

use crate::arguments::Common;
use crate::failure::Failure;
use crate::session::Session;

/// What is known of one code.
struct Row {
    code: Code,
    period: Option<Period>,
    computed: u64,
    largest: u64,
    rare: Option<usize>,
    first: Vec<u64>,
    same_as: Option<String>,
}

/// Values compared between codes: 0.161 and 0.36 differ for the first time at heap 519.
const COMPARED: usize = 4096;

pub(super) fn run(
    digits: u32,
    max: u64,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let codes = codes(digits);
    let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let limits = session.long_limits();
    let bar = ProgressBar::new(codes.len() as u64);
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
                if let Ok(mut rows) = rows.lock() {
                    rows.push((index, row));
                }
                bar.inc(1);
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .filter_map(|handle| handle.join().ok())
            .collect()
    });
    bar.finish_and_clear();
    results.into_iter().collect::<Result<(), Stop>>()?;
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by_key(|(index, _)| *index);
    let mut rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    find_cousins(&mut rows);
    write(rows, common)?;
    Ok(ExitCode::SUCCESS)
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

fn row(code: &Code, max: u64, limits: &Limits<'_>) -> Result<Row, Stop> {
    let rules = HeapRules::TakeAndBreak(code.clone());
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    while sequence.period().is_none() && sequence.next_try() <= max {
        sequence.try_to_prove(limits)?;
    }
    if sequence.period().is_none() {
        sequence.compute(max, limits)?;
        sequence.prove();
    }
    let computed = sequence.values().len() as u64;
    let largest = sequence.values().iter().max().unwrap_or(0);
    let rare = sequence
        .state()
        .sparse_space()
        .map(|(_, rares)| rares.len());
    sequence.compute(COMPARED as u64, limits)?;
    Ok(Row {
        code: code.clone(),
        computed,
        first: sequence.values().iter().take(COMPARED).collect(),
        largest,
        rare,
        period: sequence.period().cloned(),
        same_as: None,
    })
}

/// Names, for each code, an earlier one with the same values, perhaps on heaps larger or smaller by one or two.
fn find_cousins(rows: &mut [Row]) {
    const KEY: std::ops::Range<usize> = 64..192;
    let mut earlier: HashMap<Vec<u64>, Vec<(usize, i64)>> = HashMap::new();
    for index in 0..rows.len() {
        let found = earlier.get(&rows[index].first[KEY]).and_then(|candidates| {
            let same = |&&(other, shift): &&(usize, i64)| {
                let (own, other) = (&rows[index].first, &rows[other].first);
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
                .entry(rows[index].first[key].to_vec())
                .or_default()
                .push((index, shift));
        }
    }
}

fn write(rows: Vec<Row>, common: &Common) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    if !common.json {
        writeln!(
            out,
            "| code | status | preperiod | period | largest | rare | theorem | same as |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    }
    for row in rows {
        let status = if row.period.is_some() {
            "proved"
        } else {
            "open"
        };
        if common.json {
            let object = json!({
                "code": row.code.to_string(),
                "status": if row.period.is_some() { "proved" } else { "partial" },
                "preperiod": row.period.as_ref().map(|period| period.preperiod),
                "period": row.period.as_ref().map(|period| period.period),
                "theorem": row.period.as_ref().map(|period| period.theorem.name()),
                "checked_to": row.period.as_ref().map_or(row.computed, |period| period.checked_to),
                "largest": row.largest,
                "rare_heaps": row.rare,
                "same_as": row.same_as,
            });
            writeln!(out, "{object}")?;
            continue;
        }
        let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        writeln!(
            out,
            "| {} | {status} | {} | {} | {} | {} | {} | {} |",
            row.code,
            number(row.period.as_ref().map(|period| period.preperiod)),
            number(row.period.as_ref().map(|period| period.period)),
            row.largest,
            number(row.rare.map(|heaps| heaps as u64)),
            row.period.as_ref().map_or_else(
                || format!("first {} values", row.computed),
                |period| period.theorem.code().to_owned()
            ),
            row.same_as.unwrap_or_default(),
        )?;
    }
    out.flush()
}
