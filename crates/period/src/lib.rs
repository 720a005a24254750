//! Periods of families with one heap, such as `kayles(n)`, and the proofs of these periods.
//!
//! This crate is an implementation detail of the interfaces of grundy.

mod all;
mod certificate;
mod checkpoint;
mod export;
mod misere;
mod observed;
mod recognized;
mod record;
mod report;
mod search;
pub mod spelling;

use std::io::{self, Write};
use std::path::PathBuf;

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{CompactValues, HeapRules, Period, PeriodTheorem, Sequence, Store as _};
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Play, Stop, message};
use grundy_draw::plot::{PlottedPeriod, PlottedRare, SequencePlot};
pub use grundy_notation::family;
use grundy_notation::{Expression, Games as _};
use grundy_wording::answer::{DisplayText, OrderedMap, json_line};
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, translated, words};
use serde::Serialize;

use grundy_job::files::{self, Files};
use grundy_job::picture::{self as pictures, Picture};
use grundy_job::reader::with_source;
use grundy_job::{Job, Progress, Reader};

use checkpoint::PeriodSearch;
use record::{RecordState, ValueRecord};
use search::MisereSearch;

pub use all::CodeRow;
pub use misere::MisereOutcomes;
pub use recognized::{literal_family, recognized_family};
pub use record::Frequencies;
pub use report::{Alike, PeriodSurvey, RareHeaps, Repetition, proof_step};

/// The answer to a question about periods: the result of a search for the period of one family, or
/// the table of all octal codes.
#[derive(Debug)]
pub enum FoundPeriod {
    /// The values of a family in normal play.
    Values(PeriodSurvey),
    /// The outcomes of a family in misère play.
    Outcomes(MisereOutcomes),
    /// The table of octal codes with their periods.
    Codes(Vec<CodeRow>),
}

impl Report for FoundPeriod {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        match (self, words) {
            (Self::Values(survey), words) => {
                let stopped = survey.cut_short();
                let stopped = stopped
                    .map(|error| DiagnosticView::new(error, &survey.family, words.audience()));
                let theorem = survey.theorem.as_ref();
                let theorem_text = match words {
                    Words::Contract(_) => None,
                    Words::Shown(reader) => theorem_name(theorem, reader.language),
                };
                Box::new(FoundView {
                    found: survey,
                    theorem_text,
                    stopped,
                })
            }
            (Self::Outcomes(outcomes), Words::Contract(_)) => Box::new(outcomes),
            (Self::Outcomes(found), Words::Shown(reader)) => Box::new(FoundView {
                found,
                theorem_text: theorem_name(Some(&found.theorem), reader.language),
                stopped: None,
            }),
            (Self::Codes(rows), _) => Box::new(OrderedMap(vec![("codes", rows)])),
        }
    }

    /// Writes the table of codes with one JSON object on each line, and any other result as one
    /// object.
    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match self {
            Self::Codes(rows) => rows.iter().try_for_each(|row| json_line(out, row)),
            _ => json_line(out, &self.view(Words::Contract(audience))),
        }
    }

    fn has_rows(&self) -> bool {
        matches!(self, Self::Codes(_))
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        match self {
            Self::Values(survey) => survey.text(language),
            Self::Outcomes(outcomes) => outcomes.text(language),
            Self::Codes(rows) => all::table(rows, language),
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self, Self::Values(survey) if !survey.is_done())
    }

    fn stopped(&self) -> Option<&Diagnostic> {
        match self {
            Self::Values(survey) => survey.cut_short(),
            Self::Outcomes(_) | Self::Codes(_) => None,
        }
    }
}

/// A result that is serialized with the name of its theorem in a given language, and with the
/// limit that stopped the search.
#[derive(Serialize)]
struct FoundView<'a, T> {
    #[serde(flatten)]
    found: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    theorem_text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

fn theorem_name(theorem: Option<&DisplayText<PeriodTheorem>>, language: Language) -> Option<&str> {
    theorem.map(|DisplayText(theorem)| translated(theorem.name(), language))
}

/// The input of a search.
#[derive(Clone, Copy)]
struct Task<'a> {
    /// The family whose values are computed. If the family of the question was recognized, this is
    /// the built-in family.
    source: &'a str,
    /// The built-in family as which the family of the question was recognized.
    recognized: Option<&'a str>,
    options: &'a PeriodOptions,
    files: &'a Files,
    job: &'a Job,
    /// The language of the words in the plot.
    language: Language,
}

/// Returns the period of the values, if the values of the heaps up to `most` prove a period. At
/// least the first 512 values are examined.
///
/// ```
/// use grundy_job::Job;
/// use grundy_period::{family, prove_period};
/// let kayles = family("kayles(n)")?;
/// let (rules, _) = kayles.heap_rules().unwrap();
/// let period = prove_period(rules, 1_000, &Job::default()).unwrap();
/// assert_eq!((period.preperiod, period.period), (71, 12));
/// // No period of Grundy's game is known.
/// let grundys_game = family("grundys_game(n)")?;
/// let (rules, _) = grundys_game.heap_rules().unwrap();
/// assert!(prove_period(rules, 1_000, &Job::default()).is_none());
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn prove_period(rules: &HeapRules, most: u64, job: &Job) -> Option<Period> {
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    sequence.value(most, &job.limits()).ok()?;
    sequence.period().cloned()
}

/// Returns the repetition of the outcomes of a family. Returns `None` if the first 1,000 values do
/// not prove that the outcomes repeat.
///
/// ```
/// use grundy_core::Play;
/// use grundy_job::Job;
/// use grundy_period::{family, outcome_repetition};
/// let game = family("subtraction([1, 2], n)")?;
/// let (rules, _) = game.heap_rules().unwrap();
/// let repetition = outcome_repetition(rules, Play::Misere, &Job::default()).unwrap();
/// assert_eq!((repetition.preperiod, repetition.period), (0, 3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn outcome_repetition(rules: &HeapRules, play: Play, job: &Job) -> Option<Repetition> {
    let period = match play {
        Play::Misere => match search::misere(rules, TABLE_MAX, &job.limits()).ok()? {
            MisereSearch::Period(period) => period,
            MisereSearch::Wild { .. } | MisereSearch::Nothing { .. } => return None,
        },
        Play::Normal => prove_period(rules, TABLE_MAX, job)?,
    };
    // If there is a saltus, the values grow, and the period of the values is not that of the
    // outcomes.
    Some(Repetition::from(&period)).filter(|repetition| repetition.saltus == 0)
}

/// The options of a search for a period.
#[derive(Clone, Debug)]
pub struct PeriodOptions {
    /// A family with one heap and a free variable, such as `kayles(n)`.
    pub family: String,
    /// Largest number of values that are computed.
    pub max: u64,
    /// Largest number of values that are computed if a period can only be observed.
    pub observed_max: u64,
    /// The file to which the certificate of the proof is written.
    pub certificate: Option<PathBuf>,
    /// The file for checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// The interval between checkpoints in seconds.
    pub every: f64,
    /// `true` if the search resumes from the checkpoint.
    pub resume: bool,
    /// `true` if only the values of the smallest heaps and the most recently computed values are
    /// kept in memory.
    pub stream: bool,
    /// The file to which the values are written.
    pub values: Option<PathBuf>,
    /// `true` if the occurrences of each value are counted.
    pub frequencies: bool,
    /// The file to which a plot of the values is written. The name `-` is standard output.
    pub svg: Option<PathBuf>,
    /// The kind of play.
    pub play: Play,
}

/// Returns the table of the periods of all octal codes with at most `digits` digits.
///
/// # Errors
/// A number of digits for which there is no table, or the limit that was reached.
///
/// # Examples
/// ```
/// use grundy_job::Job;
/// use grundy_period::{FoundPeriod, codes};
/// let FoundPeriod::Codes(rows) = codes(1, 200, &Job::default())? else { panic!("a table") };
/// // In 0.7 a move takes one chip, so the values alternate between 0 and 1.
/// let row = rows.iter().find(|row| row.code.0.to_string() == "0.7").unwrap();
/// assert_eq!((row.preperiod, row.period, row.largest), (Some(0), Some(2), 1));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn codes(digits: u32, max: u64, job: &Job) -> Result<FoundPeriod, Diagnostic> {
    all::rows(digits, max, job).map(FoundPeriod::Codes)
}

/// Searches for the period of a family. A family of a rule file that is recognized as a built-in
/// family has the period of that family. Otherwise, the period of rules given at run time can only
/// be observed.
///
/// If the plot goes to standard output, it is returned
/// together with the result. The caller then prints the plot in place of the result.
///
/// # Errors
/// A text that is not a family, a file that cannot be read or written, or the limit that was
/// reached.
///
/// # Examples
/// ```
/// use grundy_core::Play;
/// use grundy_job::{Job, Reader};
/// use grundy_period::{FoundPeriod, PeriodOptions, search};
/// let (family, max, play) = ("kayles(n)".to_owned(), 1_000, Play::Normal);
/// let [certificate, checkpoint, values, svg] = [const { None }; 4];
/// let [resume, stream, frequencies] = [false; 3];
/// let options = PeriodOptions {
///     family, max, observed_max: max, certificate, checkpoint, every: 180.0, resume, stream,
///     values, frequencies, svg, play,
/// };
/// let (found, _) = search(&options, &Reader::default(), &Job::default())?;
/// let FoundPeriod::Values(survey) = found else { panic!("play is normal") };
/// assert_eq!((survey.repetition.unwrap().period, survey.largest), (12, 8));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn search(
    options: &PeriodOptions,
    reader: &Reader,
    job: &Job,
) -> Result<(FoundPeriod, Option<Picture>), Diagnostic> {
    let files = reader.files();
    let written = [
        (Setting::new("values"), options.values.as_ref()),
        (Setting::new("certificate"), options.certificate.as_ref()),
        (Setting::new("svg"), options.svg.as_ref()),
        (
            Setting::command_line("checkpoint"),
            options.checkpoint.as_ref(),
        ),
    ];
    // Checked before the search, which may take hours.
    for file in written.iter().filter_map(|(_, file)| *file) {
        pictures::allowed(files, file)?;
    }
    reader.check_distinct([], written)?;
    let recognized = recognized_family(&options.family, reader, job)?;
    let source = recognized.as_deref().unwrap_or(&options.family);
    let task = Task {
        source,
        recognized: recognized.as_deref(),
        options,
        files,
        job,
        language: reader.language(),
    };
    let term = match family(source) {
        // Rules given at run time have values, but no theorem about their period.
        Err(_) if reader.has_games() && (uses_rules(source) || names_values(source, reader)) => {
            let survey = observed::survey(task, reader)?;
            survey.report(job, reader.audience());
            return Ok((FoundPeriod::Values(survey), None));
        }
        term => term.map_err(|error| with_source(error, source))?,
    };
    let (rules, _) = term.heap_rules().ok_or_else(|| not_a_heap(source))?;
    if options.certificate.is_some() {
        // Checked before the search, which may take hours.
        spelling::certificate_spelling(source)?;
    }
    if options.play == Play::Misere {
        let outcomes = misere::outcomes(task, rules).map(FoundPeriod::Outcomes)?;
        return Ok((outcomes, None));
    }
    let (search, recorded) = match &options.checkpoint {
        Some(file) if options.resume && !files::no_checkpoint_yet(file, job) => {
            checkpoint::read(task, file, rules)?
        }
        _ => (
            PeriodSearch::Whole(Sequence::new(rules.clone())),
            RecordState::default(),
        ),
    };
    let (survey, alone) = match search {
        PeriodSearch::Whole(sequence) if !options.stream => whole(task, sequence)?,
        search => (streamed(task, search, recorded)?, None),
    };
    survey.report(job, reader.audience());
    let partial = !survey.is_done();
    let alone = alone.map(|picture| Picture { partial, ..picture });
    Ok((FoundPeriod::Values(survey), alone))
}

/// Returns whether a family refers to rules given at run time.
fn uses_rules(source: &str) -> bool {
    Expression::parse(source).is_ok_and(|family| family.uses_rules())
}

/// Returns whether a family uses a function or a variable of a rule file, such as the set in
/// `subtraction(allowed, n)`.
fn names_values(source: &str, reader: &Reader) -> bool {
    let names = Expression::parse_or_guess(source).map(|expression| expression.variables());
    let is_value = |name: &String| !matches!(reader.argument(name), Ok(None));
    names.is_ok_and(|names| names.iter().any(is_value))
}

/// Runs a search that keeps only the values of the smallest heaps and the most recently computed
/// values in memory.
fn streamed(
    task: Task<'_>,
    search: PeriodSearch,
    recorded: RecordState,
) -> Result<PeriodSurvey, Diagnostic> {
    let options = task.options;
    // A checkpoint of a stream is resumed as a stream, even if the option is missing this time.
    if options.svg.is_some() {
        let message = message!(
            "the search runs as a stream, which does not store the values, so they cannot be drawn"
        );
        return Err(Diagnostic::new(Kind::Range, message).help(message!(
            "start over without {option} and {other}",
            option = Setting::new("stream"),
            other = Setting::command_line("resume")
        )));
    }
    ValueRecord::check(options)?;
    let (search, period, mut counts) = search::stream(task, search, recorded)?;
    if let PeriodSearch::Whole(sequence) = &search {
        // The search ended before it became a stream, so all values are in memory.
        if let Some(file) = &options.values {
            export::write(task.files, file, sequence.values())?;
        }
        counts = frequencies(options, sequence);
    }
    if let (Some(file), Some(period)) = (&options.certificate, &period) {
        let values = match &search {
            PeriodSearch::Whole(sequence) => sequence.values(),
            PeriodSearch::Stream(stream) => stream.start(),
        };
        certificate::write(task, file, period, values)?;
    }
    let counts = counts.filter(|_| options.frequencies);
    Ok(match &search {
        PeriodSearch::Whole(sequence) => PeriodSurvey::of_sequence(task, sequence, counts),
        PeriodSearch::Stream(stream) => PeriodSurvey::of_stream(task, stream, period, counts),
    })
}

/// Runs a search that keeps all values in memory.
fn whole(
    task: Task<'_>,
    mut sequence: Sequence<NormalPlay>,
) -> Result<(PeriodSurvey, Option<Picture>), Diagnostic> {
    let options = task.options;
    let seconds = search::run(task, &mut sequence)?;
    if let Some(file) = &options.values {
        export::write(task.files, file, sequence.values())?;
    }
    if let (Some(file), Some(period)) = (&options.certificate, sequence.period()) {
        certificate::write(task, file, period, sequence.values())?;
    }
    let counts = frequencies(options, &sequence);
    let survey = PeriodSurvey::of_sequence(task, &sequence, counts);
    let alone = pictures::put(task.files, options.svg.as_deref(), || {
        let svg = plot(task, &sequence, &survey, &seconds);
        Ok(Picture::svg(task.source, svg))
    })?;
    Ok((survey, alone))
}

/// Returns a plot of the values, the period, the rare heaps, and the time taken.
fn plot(
    task: Task<'_>,
    sequence: &Sequence<NormalPlay>,
    survey: &PeriodSurvey,
    seconds: &[(u64, f64)],
) -> String {
    let values: Vec<u64> = sequence.values().iter().collect();
    let sparse = sequence.state().sparse_space();
    let rares = sparse.as_ref().map_or(&[][..], |(_, rares)| *rares);
    let rares: Vec<u64> = rares.iter().map(|&n| n as u64).collect();
    let plot = SequencePlot {
        title: task.source,
        values: &values,
        period: survey.repetition.map(|found| PlottedPeriod {
            preperiod: found.preperiod,
            period: found.period,
            saltus: found.saltus,
            proved: survey.theorem.is_some(),
        }),
        rare: sparse.map(|(classes, _)| PlottedRare {
            heaps: &rares,
            mask: classes.mask,
            position: classes.position,
        }),
        seconds,
    };
    grundy_draw::plot::sequence(&plot, &|step| words(step, task.language))
}

/// Counts the occurrences of each value, if this was requested.
fn frequencies(options: &PeriodOptions, sequence: &Sequence<NormalPlay>) -> Option<Frequencies> {
    options.frequencies.then(|| {
        let mut counts = Frequencies::new();
        record::count(sequence.values(), &mut counts);
        counts
    })
}

/// Returns the Grundy values of the heaps 0, 1, ..., count - 1 of a family such as `kayles(n)`.
/// Reports the progress to the job.
///
/// ```
/// use grundy_job::Job;
/// let values = grundy_period::sequence("kayles(n)", 8, &Job::default()).unwrap();
/// assert_eq!(values.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 1, 4, 3, 2]);
/// ```
///
/// # Complexity
/// The cost is that of [`Sequence::compute`] until a period is proved, and O(count) after that.
///
/// # Errors
/// A text that is not a family, or the limit that was reached.
pub fn sequence(family: &str, count: u64, job: &Job) -> Result<CompactValues, Diagnostic> {
    let term = self::family(family).map_err(|error| with_source(error, family))?;
    let (rules, _) = term.heap_rules().ok_or_else(|| not_a_heap(family))?;
    let limits = job.long_limits();
    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    let mut computed = 0;
    while sequence.period().is_none() && computed < count {
        // The values are computed in steps, so that progress can be reported.
        let tried = sequence.next_try();
        computed = count.min(tried).min(computed + STEP);
        if computed == tried {
            sequence.try_to_prove(&limits)?;
        } else {
            sequence.compute(computed, &limits)?;
        }
        job.report(&Progress::Computing {
            computed,
            of: count,
            note: None,
        });
    }
    let period = sequence.period().map(|found| (found.period, found.saltus));
    let mut values = sequence.into_values();
    let Some((period, saltus)) = period else {
        return Ok(values);
    };
    // From here on, every value follows from the period without computation.
    for n in values.count() as u64..count {
        // Appending a value is so fast that the limits are polled only after every `STEP` values.
        // The memory is checked at the same time.
        if n % STEP == 0 {
            limits.poll()?;
            limits.check(0, values.bytes())?;
        }
        let before = values.at((n - period) as usize);
        values.append(before.checked_add(saltus).ok_or(Stop::Overflow)?);
    }
    Ok(values)
}

/// Number of values from which `outcome_repetition` tries to prove that the outcomes of a family
/// repeat. The repetition is mentioned next to a table of the family. The computation takes only a
/// moment.
const TABLE_MAX: u64 = 1_000;

/// Number of values between two reports of progress.
const STEP: u64 = 10_000;

fn not_a_heap(source: &str) -> Diagnostic {
    Diagnostic::new(Kind::Type, message!("not a one-heap family"))
        .at(0..source.len())
        .help(message!(
            "use a heap game such as take_and_break(\"0.137\", n) or subtraction([1, 3], n)"
        ))
        .with_source(source)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use grundy_wording::report::to_text;

    use super::*;

    fn period_options(family: &str, max: u64) -> PeriodOptions {
        PeriodOptions {
            family: family.to_owned(),
            max,
            observed_max: max,
            certificate: None,
            checkpoint: None,
            every: 180.0,
            resume: false,
            stream: false,
            values: None,
            frequencies: false,
            svg: None,
            play: Play::Normal,
        }
    }

    fn json(found: &FoundPeriod) -> String {
        to_text(|out| found.write_json(out, Audience::default()))
    }

    #[test]
    fn an_unproved_period_is_partial_and_noted() {
        let reports: Arc<Mutex<Vec<Progress>>> = Arc::default();
        let listener = Arc::clone(&reports);
        let job = Job::default()
            .with_progress(move |progress| listener.lock().unwrap().push(progress.clone()));
        let (found, _) = search(
            &period_options("grundys_game(n)", 300),
            &Reader::default(),
            &job,
        )
        .unwrap();
        assert!(found.is_partial());
        assert!(json(&found).contains(r#""status":"partial""#));
        let reports = reports.lock().unwrap();
        let [first, .., Progress::Note(note)] = &reports[..] else {
            panic!("{reports:?}");
        };
        let begun = Progress::Computing {
            computed: 0,
            of: 300,
            note: None,
        };
        assert_eq!(*first, begun);
        assert!(note.contains("the first 300 values do not prove a period"));
        let proved = period_options("kayles(n)", 100_000);
        let (found, _) = search(&proved, &Reader::default(), &Job::default()).unwrap();
        assert!(!found.is_partial());
    }

    #[test]
    fn output_without_permission_is_rejected_before_any_work() {
        // The family is invalid as well. The error about the file shows that the file is checked
        // first.
        let mut options = period_options("no family", 100_000);
        options.values = Some("never.csv".into());
        let error = search(&options, &Reader::default(), &Job::default()).unwrap_err();
        assert_eq!(error.message, "never.csv: file access is not permitted");
    }

    #[test]
    fn a_family_is_one_heap_under_constant_rules() {
        // Variables in the rules, arithmetic with the heap, sums, and constants are rejected.
        let refused = [
            "subtraction([n+1], n)",
            "subtraction([1, n], n)",
            "all_but([n+1], n)",
            "kayles(n + n*(n-2)*(n-3)*(1000-n))",
            "kayles(n + 0)",
            "kayles(n) + kayles(n)",
            "kayles(3)",
        ];
        for family in refused {
            assert!(self::family(family).is_err(), "{family}");
        }
        for family in ["kayles(n)", "subtraction([1, 3], heap)", "(kayles(n))"] {
            assert!(self::family(family).is_ok(), "{family}");
        }
    }

    #[test]
    fn sequences_match_the_definition_before_and_in_the_period() {
        let families = [
            "kayles(n)",
            "take_and_break(\"0.07\", n)",
            "take_and_break(\"4.4\", n)",
            "subtraction([2, 5, 7], n)",
            "all_but([2, 4], n)",
            "grundys_game(n)",
            "laskers_nim(n)",
        ];
        for family in families {
            let term = self::family(family).unwrap();
            let (rules, _) = term.heap_rules().unwrap();
            let plain =
                grundy_core::heap::plain(rules, 3000, &grundy_core::Limits::none()).unwrap();
            let plain: Vec<u64> = plain.iter().collect();
            // These counts are around the first attempt at a proof (128 values), and far beyond the
            // periods.
            for count in [0, 1, 127, 128, 129, 500, 3000] {
                let values = sequence(family, count, &Job::default()).unwrap();
                let expected = &plain[..count as usize];
                assert!(
                    values.iter().eq(expected.iter().copied()),
                    "{family} {count}"
                );
            }
        }
    }

    #[test]
    fn the_table_of_codes_is_bounded() {
        // The codes with one digit are 0.1 to 0.7 and 4.0 to 4.7, which are 15.
        for (digits, rows) in [(0, None), (1, Some(15)), (5, None)] {
            let found = codes(digits, 500, &Job::default()).ok();
            let lines = found.map(|found| json(&found).lines().count());
            assert_eq!(lines, rows, "{digits}");
        }
    }
}
