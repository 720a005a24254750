//! Labels all positions of a game graph, or all positions that can be reached from a start
//! position.

pub(crate) mod card;
mod certificate;
mod checkpoint;
pub mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
pub mod ranked;
pub mod rows;
pub mod source;
pub mod tablebase;
mod workers;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use grundy_core::message::Setting;
use grundy_core::ruleset::Ends;
use grundy_core::{Diagnostic, Kind, Labelled, Play, RankedGame, message};
use grundy_job::graph_file::GraphFormat;
use grundy_job::{Job, Progress, Reader};
use grundy_wording::Audience;
use grundy_wording::answer::OrderedMap;
use grundy_wording::report::{AnySerialize, Report, Words, to_text};

use checkpoint::Checkpoints;
use output::Format;
use plan::Plan;
use ranked::RankedLabels;
use rows::{Rows, Table};
use source::Source;
use workers::without_workers;

pub use checkpoint::difference;
pub use plan::mean_options;
pub use workers::{SharedWork, Workers};

/// The options of a labelling, which computes the outcome and the remoteness of each position of a
/// game.
#[derive(Clone, Debug)]
pub struct LabelOptions {
    /// A file with a graph, or a position in the notation.
    pub source: OsString,
    /// The file to which the table is written.
    pub output: Option<PathBuf>,
    /// The folder to which the tablebase is written.
    pub tablebase: Option<PathBuf>,
    /// The file to which a certificate of the labels is written.
    pub certificate: Option<PathBuf>,
    /// The format of the graph. If it is `None`, the file extension determines it.
    pub format: Option<GraphFormat>,
    /// `true` if each row contains an optimal move.
    pub best_move: bool,
    /// `true` if the row of each drawn position contains its draw level.
    pub draw_levels: bool,
    /// The file for checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// The interval between checkpoints in seconds.
    pub every: f64,
    /// `true` if the labelling resumes from the checkpoint, if one exists.
    pub resume: bool,
    /// Options of labelling by rank, that is, by the number that the rules give each position. If
    /// `None`, the positions are taken from a graph file or explored from a start position.
    pub by_ranks: Option<ByRanks>,
    /// Options of labelling by several workers, which share the positions of the game. If `None`,
    /// this process labels all positions itself.
    pub worker_options: Option<WorkerOptions>,
    /// The kind of play.
    pub play: Play,
}

/// Options of labelling by several workers, as given to one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerOptions {
    /// Number of workers (threads that each label a share of the positions) in this process.
    pub workers: NonZeroUsize,
    /// All processes that take part, if there are several.
    pub hosts: Option<Hosts>,
    /// The file to which progress metrics are written in the Prometheus text format.
    pub metrics: Option<PathBuf>,
    /// `true` if the cost of the labelling is only estimated, and nothing is labelled.
    pub plan: bool,
}

/// The list of all processes that share a labelling, and the place of this process in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// The file with the addresses of the processes, one on each line.
    pub file: PathBuf,
    /// The index of this process in the list of addresses in `file`, starting at 0.
    pub process: usize,
    /// The file with the secret that the processes share.
    pub secret_file: PathBuf,
}

/// Options of labelling by rank, in which positions are identified by the numbers that the rules
/// give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRanks {
    /// `true` if Grundy values are computed as well.
    pub values: bool,
    /// `true` if the cost of the labelling is only estimated, and nothing is labelled.
    pub plan: bool,
}

/// The result of a labelling, which is printed as a table. Nothing is printed if the table was
/// written to a file or a tablebase.
#[derive(Debug)]
pub struct Labelling {
    result: LabelResult,
    /// `true` if the table has already been written to a file or a tablebase.
    is_written: bool,
}

/// The data that a labelling produced.
enum LabelResult {
    /// An explicit game graph with the labels (outcome and remoteness) of its vertices.
    Graph(Box<Table>),
    /// A ranked game, whose rules number the positions, with the labels of all positions.
    Ranked(RankedLabels),
    /// The rows of a table that several workers have labelled.
    Rows(Box<dyn Rows + Send>),
    /// The estimated cost.
    Plan(Box<dyn Report + Send>),
    /// No data in this process: the rows were written to files as they arrived, or another process
    /// has them.
    NoRows,
}

impl fmt::Debug for LabelResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Graph(_) => "Graph",
            Self::Ranked(_) => "Ranked",
            Self::Rows(_) => "Rows",
            Self::Plan(_) => "Plan",
            Self::NoRows => "NoRows",
        })
    }
}

impl Labelling {
    /// Returns the result for rows that several workers have labelled and that are not yet printed.
    #[must_use]
    pub fn of_rows(rows: impl Rows + Send + 'static) -> Self {
        Self {
            result: LabelResult::Rows(Box::new(rows)),
            is_written: false,
        }
    }

    /// Returns the result for a labelling that was only estimated.
    #[must_use]
    pub fn of_plan(plan: impl Report + Send + 'static) -> Self {
        Self {
            result: LabelResult::Plan(Box::new(plan)),
            is_written: false,
        }
    }

    /// Returns the result for a table that was already written, by this or another process.
    #[must_use]
    pub fn without_rows() -> Self {
        Self {
            result: LabelResult::NoRows,
            is_written: true,
        }
    }

    /// Writes the table to `out`, unless it has already been written to a file or a tablebase.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match &self.result {
            _ if self.is_written => Ok(()),
            LabelResult::Graph(table) => output::write(&**table, format, out),
            LabelResult::Ranked(labels) => output::write(labels, format, out),
            LabelResult::Rows(rows) => output::write(&**rows, format, out),
            LabelResult::Plan(_) | LabelResult::NoRows => Ok(()),
        }
    }
}

impl Report for Labelling {
    fn plain(&self, audience: Audience) -> String {
        to_text(|out| self.write_plain(out, audience))
    }

    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        match &self.result {
            LabelResult::Plan(plan) => plan.view(words),
            // The table was written to a file, so the answer is an empty object.
            _ if self.is_written => Box::new(OrderedMap::<()>(Vec::new())),
            LabelResult::Graph(table) => Box::new(output::View::new(&**table, words)),
            LabelResult::Ranked(labels) => Box::new(output::View::new(labels, words)),
            LabelResult::Rows(rows) => Box::new(output::View::new(&**rows, words)),
            LabelResult::NoRows => Box::new(OrderedMap::<()>(Vec::new())),
        }
    }

    /// Writes each row on a separate line, so that the table can be streamed.
    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match &self.result {
            LabelResult::Plan(plan) => plan.write_json(out, audience),
            _ => self.write(Format::Json, out),
        }
    }

    fn is_data(&self) -> bool {
        !matches!(self.result, LabelResult::Plan(_))
    }

    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match &self.result {
            LabelResult::Plan(plan) => plan.write_plain(out, audience),
            _ => self.write(Format::Csv, out),
        }
    }
}

/// Labels a game: with `workers` if `options` has worker options, and otherwise in this process
/// alone.
///
/// # Errors
/// Contradicting options, a file that cannot be read or written, or the limit that was reached.
pub fn label(
    options: &LabelOptions,
    workers: Option<&dyn Workers>,
    reader: &Reader,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
    // All file names are compared before any file is opened, since an output could otherwise
    // overwrite an input.
    reader.check_distinct(
        [(message!("the graph"), Path::new(&options.source))],
        [
            (Setting::new("output"), options.output.as_ref()),
            (
                Setting::command_line("tablebase"),
                options.tablebase.as_ref(),
            ),
            (Setting::new("certificate"), options.certificate.as_ref()),
            (
                Setting::command_line("checkpoint"),
                options.checkpoint.as_ref(),
            ),
        ],
    )?;
    let format = options.output.as_deref().map(Format::of).transpose()?;
    if let Some(folder) = &options.tablebase {
        reader.files().on_disk(folder)?;
        // Checked before the labelling, since an existing folder would otherwise be reported only
        // at the end.
        grundy_tablebase::check_free(folder)?;
    }
    let limits = job.limits();
    let source = Source::of(options, reader)?;
    let ranked = ranked::game(options, &source)?;
    if let (Some(game), Some(ByRanks { plan: true, values }), None) =
        (&ranked, options.by_ranks, &options.worker_options)
    {
        return Plan::new(&**game, options.play, values, job).map(Labelling::of_plan);
    }
    // Checked after the estimate, which writes no certificate and so must not be rejected because
    // of one.
    check_certificate(options, ranked.as_deref())?;
    check_endless(options, &source)?;
    check_draw_levels(options, &source)?;
    if let Some(worker_options) = &options.worker_options {
        let workers = workers.ok_or_else(without_workers)?;
        return workers.label(&SharedWork {
            options,
            worker_options,
            source: &source,
            ranked,
            format,
            reader,
            job,
        });
    }
    let identity = source.identity(options, reader);
    let mut checkpoints = Checkpoints::new(options, identity, reader, job)?;
    // A dense pass has one cell for each entry, and computes moves from the rank. Any other game is
    // first explored into an explicit graph.
    let result = match ranked {
        Some(game) if ranked::is_dense(&*game) => {
            LabelResult::Ranked(ranked::label(game, options, &mut checkpoints, job)?)
        }
        ranked => {
            let (game, notes) =
                source.graph(options, ranked.as_ref(), &mut checkpoints, reader, job)?;
            job.report(&Progress::Doing(message!("labelling")));
            let labelled = Labelled::new(&game, options.play, &limits);
            let labelled = labelled.map_err(|stop| checkpoints.stopped(stop))?;
            let levels = options.draw_levels.then(|| {
                let levels = labelled.draw_levels(&game.graph, &limits);
                levels.map_err(|stop| checkpoints.stopped(stop))
            });
            LabelResult::Graph(Box::new(Table {
                game,
                labelled,
                draw_levels: levels.transpose()?,
                play: options.play,
                best_move: options.best_move,
                notes,
            }))
        }
    };
    job.report(&Progress::Doing(message!("writing")));
    let is_written = options.tablebase.is_some() || options.output.is_some();
    // The certificate lists the moves, so it exists only for a graph (see `check_certificate`).
    if let (Some(file), LabelResult::Graph(table)) = (&options.certificate, &result) {
        certificate::write(table, file, &job.long_limits(), reader.files())?;
    }
    if let Some(folder) = &options.tablebase {
        let output = tablebase::TablebaseOutput {
            folder,
            source: &source,
            options,
            reader,
            limits: &job.long_limits(),
            schedule: None,
        };
        match &result {
            LabelResult::Graph(table) => output.graph(table)?,
            LabelResult::Ranked(labels) => output.ranked(labels)?,
            // These cases cannot occur here: with workers, the function has already returned.
            LabelResult::Rows(_) | LabelResult::Plan(_) | LabelResult::NoRows => {}
        }
    }
    if let (Some(file), Some(format)) = (&options.output, format) {
        match &result {
            LabelResult::Graph(table) => output::to_file(&**table, format, file, reader.files())?,
            LabelResult::Ranked(labels) => output::to_file(labels, format, file, reader.files())?,
            LabelResult::Rows(_) | LabelResult::Plan(_) | LabelResult::NoRows => {}
        }
    }
    // The checkpoint is removed only after all outputs are written. If writing fails, it still
    // contains the graph.
    checkpoints.remove();
    Ok(Labelling { result, is_written })
}

/// Rejects the options that do not support a game in which a player wins endless play.
fn check_endless(options: &LabelOptions, source: &Source) -> Result<(), Diagnostic> {
    if source.nature().endless.is_none() {
        return Ok(());
    }
    let refused = [
        (options.by_ranks.is_some(), Setting::new("ranked")),
        (options.certificate.is_some(), Setting::new("certificate")),
        (
            options.tablebase.is_some(),
            Setting::command_line("tablebase"),
        ),
        (
            options.worker_options.is_some(),
            Setting::command_line("workers"),
        ),
    ];
    let Some((_, option)) = refused.into_iter().find(|(is_set, _)| *is_set) else {
        return Ok(());
    };
    let message = message!(
        "{option} does not support games in which a player wins endless play",
        option
    );
    Err(Diagnostic::new(Kind::IllegalPosition, message)
        .help(message!("omit {option} to print the labels", option)))
}

/// Rejects draw levels for games and options that do not support them.
fn check_draw_levels(options: &LabelOptions, source: &Source) -> Result<(), Diagnostic> {
    if !options.draw_levels {
        return Ok(());
    }
    let levels = Setting::new("draw_levels");
    let nature = source.nature();
    if nature.ends == Ends::Payoff || nature.endless.is_some() {
        let message = message!("draw levels exist only in games in which endless play is a draw");
        return Err(Diagnostic::new(Kind::IllegalPosition, message)
            .help(message!("omit {option}", option = levels)));
    }
    let (ranked, workers) = (options.by_ranks.is_some(), options.worker_options.is_some());
    if ranked || workers {
        let other = if ranked {
            Setting::new("ranked")
        } else {
            Setting::command_line("workers")
        };
        let message = message!(
            "draw levels need the moves of each position, which these options do not store"
        );
        return Err(
            Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                "omit {option} or {other}",
                option = levels,
                other
            )),
        );
    }
    Ok(())
}

/// Returns an error if a certificate is requested, but this kind of labelling does not store the
/// moves, which a certificate must list.
fn check_certificate(
    options: &LabelOptions,
    ranked: Option<&dyn RankedGame>,
) -> Result<(), Diagnostic> {
    if options.certificate.is_none() {
        return Ok(());
    }
    let help = match &options.worker_options {
        Some(_) => message!(
            "label the game without {option} and {other}",
            option = Setting::command_line("workers"),
            other = Setting::command_line("hosts")
        ),
        None if ranked.is_some_and(ranked::is_dense) => message!(
            "omit {option} or {other}",
            option = Setting::new("ranked"),
            other = Setting::new("certificate")
        ),
        None => return Ok(()),
    };
    let message = message!(
        "a certificate of labels lists the moves of each position, but these options do not store the moves"
    );
    Err(Diagnostic::new(Kind::IllegalPosition, message).help(help))
}
