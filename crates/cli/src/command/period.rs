//! `grundy period`: the period of a one-heap family, with its proof.

mod all;
mod certificate;
mod checkpoint;
mod export;
mod record;
mod search;

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use grundy::heap::{HeapRules, Period, PeriodTheorem, Sequence, Stream};
use grundy::known_games::{Lookalike, lookalikes};
use grundy::pattern::{Finding, in_sequence};
use grundy::position::AnyTerm;
use grundy::theory::NormalPlay;
use grundy::{Kind, Play};
use grundy_notation::{Diagnostic, Expression};
use serde_json::{Value, json};

use checkpoint::Search;
use record::{Counts, Record, Recorded};

use crate::arguments::{Common, text};
use crate::failure::{Failure, exit_code};
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
        return misere(source, rules, arguments, common, session);
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

/// Patterns are looked for in so many values.
const LOOKED_AT: usize = 1 << 20;

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

/// What is said about a sequence in normal play.
struct Report<'a> {
    source: &'a str,
    proved: Option<&'a Period>,
    /// Preperiod, period and saltus as seen, without a proof.
    observed: Option<(u64, u64, u64)>,
    largest: u64,
    /// How many rare heaps there are, and what makes them rare.
    rare: Option<(usize, u64, bool)>,
    alike: Vec<Lookalike>,
    computed: u64,
}

impl<'a> Report<'a> {
    fn of_stream(source: &'a str, stream: &'a Stream, proved: Option<&'a Period>) -> Self {
        let first: Vec<u64> = stream.start().iter().take(LOOKED_AT).collect();
        Self {
            source,
            proved,
            observed: None,
            largest: stream.largest(),
            rare: stream
                .sparse_space()
                .map(|(classes, rares)| (rares.len(), classes.mask, classes.position)),
            alike: lookalikes(0, &first, Some(stream.rules())),
            computed: stream.count(),
        }
    }

    fn of_sequence(source: &'a str, sequence: &'a Sequence<NormalPlay>) -> Self {
        let values = sequence.values();
        let first: Vec<u64> = values.iter().take(LOOKED_AT).collect();
        let seen = || {
            in_sequence(0, &first)
                .into_iter()
                .find_map(|finding| match finding {
                    Finding::Period {
                        preperiod,
                        period,
                        saltus,
                    } => Some((preperiod, period, saltus)),
                    _ => None,
                })
        };
        let observed = match sequence.period() {
            None if first.len() == values.len() => seen(),
            _ => None,
        };
        Self {
            source,
            proved: sequence.period(),
            observed,
            largest: values.iter().max().unwrap_or(0),
            rare: sequence
                .state()
                .sparse_space()
                .map(|(classes, rares)| (rares.len(), classes.mask, classes.position)),
            alike: lookalikes(0, &first, Some(sequence.rules())),
            computed: values.len() as u64,
        }
    }

    fn as_json(&self) -> Value {
        let mut object = json!({ "family": self.source });
        match (self.proved, self.observed) {
            (Some(period), _) => {
                object["preperiod"] = period.preperiod.into();
                object["period"] = period.period.into();
                object["saltus"] = period.saltus.into();
                object["status"] = "proved".into();
                object["theorem"] = period.theorem.name().into();
                object["checked_to"] = period.checked_to.into();
            }
            (None, Some((preperiod, period, saltus))) => {
                object["preperiod"] = preperiod.into();
                object["period"] = period.into();
                object["saltus"] = saltus.into();
                object["status"] = "observed".into();
                object["checked_to"] = self.computed.into();
            }
            (None, None) => {
                object["status"] = "partial".into();
                object["checked_to"] = self.computed.into();
            }
        }
        object["largest"] = self.largest.into();
        if let Some((heaps, mask, position)) = self.rare {
            object["sparse_space"] =
                json!({"mask": mask, "position": position, "rare_heaps": heaps});
        }
        if !self.alike.is_empty() {
            object["same_as"] = self
                .alike
                .iter()
                .map(|game| json!({"family": game.family, "shift": game.shift}))
                .collect();
        }
        object
    }

    /// Prints it, with the frequencies if there are any.
    fn print(&self, counts: Option<Counts>, common: &Common) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if common.json {
            let mut object = self.as_json();
            if let Some(counts) = counts {
                let pairs = counts.iter();
                object["frequencies"] = pairs.map(|(value, count)| json!([value, count])).collect();
            }
            writeln!(out, "{object}")?;
        } else {
            self.write(&mut out)?;
            if let Some(counts) = counts {
                writeln!(out, "value  heaps")?;
                for (value, count) in counts {
                    writeln!(out, "{value:>5}  {count}")?;
                }
            }
        }
        out.flush()
    }

    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let source = self.source;
        match (self.proved, self.observed) {
            (Some(period), _) => writeln!(out, "{source}: {}", words(period))?,
            (None, Some((preperiod, period, saltus))) => writeln!(
                out,
                "{source}: g(n + {period}) = g(n){} for n >= {preperiod}, observed in the first {} values, not proved",
                plus(saltus),
                self.computed
            )?,
            (None, None) => writeln!(
                out,
                "{source}: no period is seen in the first {} values",
                self.computed
            )?,
        }
        write!(out, "  largest value {}", self.largest)?;
        if let Some((heaps, mask, position)) = self.rare {
            let counted = if position {
                " and the parity of the heap"
            } else {
                ""
            };
            write!(
                out,
                "; rare heaps {heaps}, by the parity of g(n) and {mask:b} in binary{counted}"
            )?;
        }
        writeln!(out)?;
        for game in &self.alike {
            match game.shift {
                0 => writeln!(out, "  the first values are those of {}", game.family)?,
                shift => writeln!(
                    out,
                    "  the first values are those of {} on heaps {} by {}",
                    game.family,
                    if shift < 0 { "smaller" } else { "larger" },
                    shift.unsigned_abs()
                )?,
            }
        }
        Ok(())
    }

    /// Without a period the command has not done its work: it says so and ends as at a limit.
    fn end(&self, certificate: bool) -> ExitCode {
        let done = self.proved.is_some() || self.observed.is_some() && !certificate;
        if done {
            return ExitCode::SUCCESS;
        }
        let message = format!("no period is proved by the first {} values", self.computed);
        let diagnostic = Diagnostic::new(Kind::Limit, message).help("--max computes more values");
        eprint!("{}", diagnostic.render(""));
        ExitCode::from(exit_code(&diagnostic))
    }
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

/// The period of who wins a heap in misère play.
fn misere(
    source: &str,
    rules: &HeapRules,
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    if arguments.certificate.is_some()
        || arguments.checkpoint.is_some()
        || arguments.values.is_some()
        || arguments.plot.is_some()
        || arguments.stream
    {
        let message =
            "certificates, checkpoints, streams, values and plots are for normal play only";
        return Err(Diagnostic::new(Kind::Range, message).into());
    }
    let found = search::misere(rules, arguments.max, &session.long_limits())?;
    let Some(period) = found else {
        let message = format!("no period is proved by the first {} values", arguments.max);
        let diagnostic = Diagnostic::new(Kind::Limit, message).help("--max computes more values");
        return Err(Failure::input(diagnostic, source));
    };
    let mut out = io::stdout().lock();
    if common.json {
        let object = json!({
            "family": source,
            "play": "misere",
            "preperiod": period.preperiod,
            "period": period.period,
            "saltus": 0,
            "status": "proved",
            "theorem": period.theorem.name(),
            "checked_to": period.checked_to,
        });
        writeln!(out, "{object}")?;
    } else {
        let Period {
            preperiod,
            period,
            theorem,
            checked_to,
            ..
        } = period;
        writeln!(
            out,
            "{source} in misère play: who wins a heap of n repeats with period {period} for n >= {preperiod} ({theorem}, from the first {checked_to} values)"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn plus(saltus: u64) -> String {
    match saltus {
        0 => String::new(),
        saltus => format!(" + {saltus}"),
    }
}

/// The period as a sentence.
pub(crate) fn words(found: &Period) -> String {
    let Period {
        preperiod,
        period,
        saltus,
        theorem,
        checked_to,
    } = found;
    let holds = format!(
        "g(n + {period}) = g(n){} for n >= {preperiod}",
        plus(*saltus)
    );
    match theorem {
        PeriodTheorem::SparseWindow { rares, reach, .. } => format!(
            "{holds} ({theorem}, from the first {checked_to} values: {} rare heaps, witnesses up to {reach})",
            rares.len()
        ),
        _ => format!("{holds} ({theorem}, from the first {checked_to} values)"),
    }
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
