//! `grundy period`: the period of a one-heap family, with its proof.

mod all;
mod certificate;
mod checkpoint;
mod export;
mod misere;
mod record;
mod report;
mod search;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use grundy::heap::Sequence;
use grundy::position::AnyTerm;
use grundy::theory::NormalPlay;
use grundy::{Kind, Play};
use grundy_notation::{Diagnostic, Expression};

use checkpoint::Search;
use record::{Counts, Record, Recorded};
use report::Report;
pub(crate) use report::words;

use crate::arguments::{Common, text};
use crate::failure::Failure;
use crate::session::Session;
use crate::whole_file;

pub(crate) fn run(
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    if let Some(digits) = arguments.all {
        return all::run(digits, arguments.max, common, session);
    }
    let source = match &arguments.family {
        Some(family) => text(family)?,
        None => return Err(Diagnostic::new(Kind::Syntax, "a family is missing").into()),
    };
    let term = family(source).map_err(|diagnostic| Failure::input(diagnostic, source))?;
    let (rules, _) = term.heap_rules().ok_or_else(|| not_a_heap(source))?;
    if common.play() == Play::Misere {
        return misere::run(source, rules, arguments, common, session);
    }
    let (search, recorded) = match &arguments.checkpoint {
        Some(file) if arguments.resume && !whole_file::no_checkpoint_yet(file) => {
            checkpoint::read(file, source, rules)?
        }
        _ => (
            Search::Whole(Sequence::new(rules.clone())),
            Recorded::default(),
        ),
    };
    let sequence = match search {
        Search::Whole(sequence) if !arguments.stream => sequence,
        search => return streamed(search, recorded, source, arguments, common, session),
    };
    whole(sequence, source, arguments, common, session)
}

/// The search with only the smallest heaps and the last kept.
fn streamed(
    search: Search,
    recorded: Recorded,
    source: &str,
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    // A checkpoint of a stream is gone on with as a stream, whether or not --stream was said again.
    if arguments.plot.is_some() {
        let message = "a stream does not keep the values: it cannot plot them";
        return Err(Diagnostic::new(Kind::Range, message)
            .help("begin again without --stream and --resume")
            .into());
    }
    Record::check(arguments)?;
    let (search, period, mut counts) =
        search::stream(search, recorded, source, arguments, session)?;
    if let Search::Whole(sequence) = &search {
        // It has not come so far that anything was forgotten.
        if let Some(file) = &arguments.values {
            export::write(file, sequence.values())?;
        }
        counts = frequencies(arguments, sequence);
    }
    if let (Some(file), Some(period)) = (&arguments.certificate, &period) {
        let values = match &search {
            Search::Whole(sequence) => sequence.values(),
            Search::Stream(stream) => stream.start(),
        };
        certificate::write(file, source, period, values)?;
    }
    let report = match &search {
        Search::Whole(sequence) => Report::of_sequence(source, sequence),
        Search::Stream(stream) => Report::of_stream(source, stream, period.as_ref()),
    };
    report.print(counts.filter(|_| arguments.frequencies), common)?;
    Ok(report.end(arguments.certificate.is_some()))
}

/// The search with all values kept.
fn whole(
    mut sequence: Sequence<NormalPlay>,
    source: &str,
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let seconds = search::run(&mut sequence, source, arguments, session)?;
    if let Some(file) = &arguments.plot {
        plot(file, source, &sequence, &seconds)?;
    }
    if let Some(file) = &arguments.values {
        export::write(file, sequence.values())?;
    }
    let report = Report::of_sequence(source, &sequence);
    if let (Some(file), Some(period)) = (&arguments.certificate, sequence.period()) {
        certificate::write(file, source, period, sequence.values())?;
    }
    report.print(frequencies(arguments, &sequence), common)?;
    Ok(report.end(arguments.certificate.is_some()))
}

/// Writes a plot of the values, the rare heaps and the time taken.
fn plot(
    file: &Path,
    source: &str,
    sequence: &Sequence<NormalPlay>,
    seconds: &[(u64, f64)],
) -> Result<(), Failure> {
    let values: Vec<u64> = sequence.values().iter().collect();
    let rares = sequence.state().sparse_space().map_or(&[][..], |(_, r)| r);
    let rares: Vec<u64> = rares.iter().map(|&n| n as u64).collect();
    let svg = grundy_draw::plot::sequence(&grundy_draw::plot::Sequence {
        title: source,
        values: &values,
        rares: &rares,
        seconds,
    });
    let svg = svg.map_err(|error| Diagnostic::new(Kind::Io, error))?;
    whole_file::write(file, |out| out.write_all(svg.as_bytes()))
}

/// How often each value occurs, if that was asked.
fn frequencies(
    arguments: &crate::arguments::Period,
    sequence: &Sequence<NormalPlay>,
) -> Option<Counts> {
    arguments.frequencies.then(|| {
        let mut counts = Counts::new();
        record::count(sequence.values(), &mut counts);
        counts
    })
}

/// The term of a family: its one free variable, whatever its name, is a heap.
pub(crate) fn family(source: &str) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let expression = Expression::parse(source)?;
    let names = expression.variables();
    let at = |heap: u64| {
        let bindings: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), heap)).collect();
        expression.position(&bindings)
    };
    let position = at(1)?;
    let [term] = &position.terms[..] else {
        return Err(one_variable());
    };
    if names.len() != 1 {
        return Err(one_variable());
    }
    // The sequence is that of the heaps 0, 1, 2, ...: no arithmetic may come between.
    let alone = [0, 2, 3, 1000, (1 << 40) + 7, u64::MAX]
        .iter()
        .all(|&heap| {
            at(heap).is_ok_and(|position| match &position.terms[..] {
                [term] => term.heap_rules().is_none_or(|(_, size)| size == heap),
                _ => false,
            })
        });
    if !alone && term.heap_rules().is_some() {
        let message = "the variable of a family stands alone, without arithmetic";
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(0..source.len())
            .help("such as kayles(n)"));
    }
    Ok(Arc::clone(term))
}

fn one_variable() -> Diagnostic {
    Diagnostic::new(Kind::Syntax, "a family is one game with one free variable")
        .help("such as kayles(n)")
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
