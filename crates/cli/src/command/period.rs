//! `grundy period`: the period of a one-heap family, with its proof.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use grundy::heap::{HeapTheory, Period, Sequence, Store as _};
use grundy::position::AnyTerm;
use grundy::theory::{NormalPlay, TamePlay};
use grundy::{Kind, Limits, Play, Stop};
use grundy_notation::{Diagnostic, Expression};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::arguments::{Common, text};
use crate::failure::Failure;
use crate::session::Session;
use crate::whole_file;

pub(crate) fn run(
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let source = text(&arguments.family)?;
    let term = family(source).map_err(|diagnostic| Failure::input(diagnostic, source))?;
    let (rules, _) = term.heap_rules().ok_or_else(|| not_a_heap(source))?;
    let limits = session.limits();
    let (period, values) = match common.play() {
        Play::Normal => {
            let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
            let period = search(&mut sequence, arguments.max, &limits)?;
            (period, sequence.values().iter().collect())
        }
        Play::Misere => (
            search(
                &mut Sequence::<TamePlay>::new(rules.clone()),
                arguments.max,
                &limits,
            )?,
            Vec::new(),
        ),
    };
    let Some(period) = period else {
        let diagnostic = Diagnostic::new(
            Kind::Limit,
            format!("no period is proved by the first {} values", arguments.max),
        )
        .help("--max computes more values");
        return Err(Failure::input(diagnostic, source));
    };
    if let Some(file) = &arguments.certificate {
        if common.play() == Play::Misere {
            return Err(Diagnostic::new(
                Kind::Range,
                "there are certificates for normal play only",
            )
            .into());
        }
        write_certificate(file, source, &period, &values)?;
    }
    let mut out = io::stdout().lock();
    if common.json {
        let object = json!({
            "family": source,
            "preperiod": period.preperiod,
            "period": period.period,
            "saltus": period.saltus,
            "status": "proved",
            "theorem": period.theorem.name(),
            "checked_to": period.checked_to,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{source}: {}", words(&period))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The period as a sentence.
pub(crate) fn words(period: &Period) -> String {
    let Period {
        preperiod,
        period,
        saltus,
        theorem,
        checked_to,
    } = period;
    let plus = if *saltus == 0 {
        String::new()
    } else {
        format!(" + {saltus}")
    };
    format!(
        "g(n + {period}) = g(n){plus} for n >= {preperiod} ({theorem}, from the first {checked_to} values)"
    )
}

fn search<T: HeapTheory>(
    sequence: &mut Sequence<T>,
    max: u64,
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    while sequence.period().is_none() && (sequence.values().count() as u64) < max {
        sequence.try_to_prove(limits)?;
    }
    Ok(sequence.period().cloned())
}

/// The term of a family: its one free variable, whatever its name, is a heap.
pub(crate) fn family(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let expression = Expression::parse(source)?;
    let names = expression.variables();
    let bindings: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let position = expression.position(&bindings)?;
    match &position.terms[..] {
        [term] if names.len() == 1 => Ok(Arc::clone(term)),
        _ => Err(
            Diagnostic::new(Kind::Syntax, "a family is one game with one free variable")
                .help("such as kayles(n)"),
        ),
    }
}

fn not_a_heap(source: &str) -> Failure {
    let diagnostic = Diagnostic::new(
        Kind::Type,
        "this is not a family of one heap with rules for heaps",
    )
    .at(0..source.len())
    .help("take_and_break(\"0.137\", n), subtraction([1, 3], n) and the like have periods");
    Failure::input(diagnostic, source)
}

fn write_certificate(
    file: &Path,
    source: &str,
    period: &Period,
    values: &[u64],
) -> Result<(), Failure> {
    let count = (period.preperiod + period.period) as usize;
    let certificate: Value = json!({
        "kind": "period",
        "family": source,
        "preperiod": period.preperiod,
        "period": period.period,
        "saltus": period.saltus,
        "theorem": period.theorem.code(),
        "values": values[..count.min(values.len())],
    });
    whole_file::write(file, |out| writeln!(out, "{certificate}"))
}
