//! Periods of families of any game, observed in their first values.
//!
//! The theorems about periods need the rules of a heap game. Under rules given at run time, and for
//! games that are not played with heaps, a period can only be observed.

use grundy_core::message::Setting;
use grundy_core::pattern;
use grundy_core::{Diagnostic, Kind, Play, Solver, Stop, message};
use grundy_job::Reader;
use grundy_job::reader::with_source;
use grundy_notation::Expression;

use super::Task;
use super::report::{PeriodSurvey, Repetition};

/// The number of values after which a period is first looked for.
const FIRST: u64 = 256;

/// Computes the values of the positions of a family for n = 0, 1, 2, ..., and looks for a period.
/// The search ends if the same period is found twice, the second time in twice as many values. If a
/// limit ends the search, the values computed so far and the first half of them are compared.
///
/// # Errors
/// A text that is not a family, an option that needs a proof, or an error of the rules. Also a
/// limit that was reached before the first value.
pub(super) fn survey(task: Task<'_>, reader: &Reader) -> Result<PeriodSurvey, Diagnostic> {
    check_options(task)?;
    let source = task.source;
    let expression = Expression::parse(source).map_err(|error| with_source(error, source))?;
    let variable = variable(&expression, reader).map_err(|error| with_source(error, source))?;
    let limits = task.job.limits();
    let mut solver = Solver::default();
    let mut values: Vec<u64> = Vec::new();
    let (mut next, mut seen) = (FIRST, None);
    let mut stopped = None;
    while (values.len() as u64) < task.options.observed_max {
        let n = values.len() as u64;
        let position = expression.position_with(&[(&variable, n)], reader);
        let position = position.map_err(|error| with_source(error, source))?;
        match solver.grundy(&position, &limits) {
            Ok(value) => values.push(value),
            Err(stop @ (Stop::Time | Stop::Positions(_) | Stop::Memory(_))) if n > 0 => {
                stopped = Some(stop);
                break;
            }
            Err(stop) => return Err(with_source(no_value(stop, n), source)),
        }
        if values.len() as u64 == next {
            let found = repetition(&values);
            if found.is_some() && found == seen {
                break;
            }
            seen = found;
            next *= 2;
        }
    }
    // A period that was not found before, in half as many values, may end soon.
    let before = seen
        .into_iter()
        .chain(repetition(&values[..values.len() / 2]));
    let before: Vec<Repetition> = before.collect();
    let observed = repetition(&values).filter(|found| before.contains(found));
    Ok(PeriodSurvey::of_values(task, &values, observed, stopped))
}

/// Returns the repetition of the values, if they contain twice the preperiod and the period.
fn repetition(values: &[u64]) -> Option<Repetition> {
    let found = Repetition::of_finding(&pattern::period(0, values)?)?;
    (2 * (found.preperiod + found.period) <= values.len() as u64).then_some(found)
}

/// Rejects options that the search for an observed period does not support.
fn check_options(task: Task<'_>) -> Result<(), Diagnostic> {
    let options = task.options;
    let refuse = |message| {
        let help = message!("omit the option");
        Err(Diagnostic::new(Kind::Type, message).help(help))
    };
    if options.play == Play::Misere {
        return refuse(message!(
            "in misère play, periods are available for one-heap families of the built-in games only"
        ));
    }
    let refused = [
        (options.certificate.is_some(), Setting::new("certificate")),
        (
            options.checkpoint.is_some(),
            Setting::command_line("checkpoint"),
        ),
        (options.stream, Setting::new("stream")),
        (options.values.is_some(), Setting::new("values")),
        (options.frequencies, Setting::new("frequencies")),
        (options.svg.is_some(), Setting::new("svg")),
    ];
    match refused.into_iter().find(|(is_set, _)| *is_set) {
        None => Ok(()),
        Some((_, option)) => refuse(message!(
            "the period of this family can only be observed, so {option} is not available",
            option
        )),
    }
}

/// Returns the name of the only free variable of a family.
fn variable(expression: &Expression, reader: &Reader) -> Result<String, Diagnostic> {
    let mut names = expression.free_variables(reader)?;
    if names.is_empty() {
        // The file may define the name of the variable, too.
        names = expression.variables();
    }
    // With the right variable bound, the expression is a position.
    let mut first_error = None;
    for name in &names {
        match expression.position_with(&[(name, 1)], reader) {
            Ok(_) => return Ok(name.clone()),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    let none = || {
        Diagnostic::new(
            Kind::Syntax,
            message!("a family must be one game with one free variable"),
        )
        .help(message!("write a family such as kayles(n)"))
    };
    Err(match first_error {
        Some(error) if names.len() == 1 => error,
        _ => none(),
    })
}

/// Returns the error for a position without a Grundy value.
fn no_value(stop: Stop, n: u64) -> Diagnostic {
    match stop {
        Stop::Cyclic | Stop::NotImpartial | Stop::NoValue => Diagnostic::new(
            Kind::NotImpartial,
            message!("the position with n = {n} has no Grundy value", n),
        )
        .help(message!(
            "periods exist for impartial games in which play ends"
        )),
        stop => Diagnostic::from(stop),
    }
}
