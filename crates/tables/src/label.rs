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

use grundy::message::Setting;
use grundy::{Diagnostic, Kind, Labelled, Play, RankedGame, message};
use grundy_job::graph_file::GraphFormat;
use grundy_job::{Job, Progress, Reader};
use grundy_wording::Audience;
use grundy_wording::answer::Named;
use grundy_wording::report::{AnySerialize, Report, Words, written};

use checkpoint::Checkpoints;
use output::Format;
use plan::Plan;
use ranked::RankedLabels;
use rows::{Rows, Table};
use source::Source;
use workers::without_workers;

pub use checkpoint::difference;
pub use plan::counted;
pub use workers::{SharedWork, Workers};

/// The options of a labelling.
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
    /// The file for checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// The interval between checkpoints in seconds.
    pub every: f64,
    /// `true` if the labelling resumes from the checkpoint, if one exists.
    pub resume: bool,
    /// Options of labelling by rank. If `None`, the reachable positions are explored instead.
    pub by_ranks: Option<ByRanks>,
    /// The workers that share the labelling. If `None`, one process labels the game alone.
    pub crew: Option<Crew>,
    /// The kind of play.
    pub play: Play,
}

/// The workers that label a game together, as seen by one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Number of workers in this process.
    pub workers: NonZeroUsize,
    /// All processes that take part, if there are several.
    pub hosts: Option<Hosts>,
    /// The file to which progress metrics are written in the Prometheus text format.
    pub metrics: Option<PathBuf>,
    /// `true` if the cost is only estimated.
    pub plan: bool,
}

/// All processes of a labelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// The file with the addresses of the processes, one on each line.
    pub file: PathBuf,
    /// The index of this process in the list, starting at 0.
    pub process: usize,
    /// The file with the secret that the processes share.
    pub secret_file: PathBuf,
}

/// Options of labelling by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRanks {
    /// `true` if Grundy values are computed as well.
    pub values: bool,
    /// `true` if the cost is only estimated.
    pub plan: bool,
}

/// The result of a labelling. Its output is empty if the table was written to a file or a
/// tablebase.
#[derive(Debug)]
pub struct Labelling {
    found: LabelsFound,
    /// `true` if the table has already been written to a file or a tablebase.
    done: bool,
}

/// The data that a labelling produced.
enum LabelsFound {
    /// A graph with its labels.
    Graph(Box<Table>),
    /// A ranked game with its labels.
    Ranked(RankedLabels),
    /// The rows of a table that several workers have labelled.
    Rows(Box<dyn Rows + Send>),
    /// The estimated cost.
    Plan(Box<dyn Report + Send>),
    /// No data in this process: the rows were written to files as they arrived, or another process
    /// has them.
    Elsewhere,
}

impl fmt::Debug for LabelsFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Graph(_) => "Graph",
            Self::Ranked(_) => "Ranked",
            Self::Rows(_) => "Rows",
            Self::Plan(_) => "Plan",
            Self::Elsewhere => "Elsewhere",
        })
    }
}

impl Labelling {
    /// Returns the result for rows from several workers that are still to be printed.
    #[must_use]
    pub fn of_rows(rows: impl Rows + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Rows(Box::new(rows)),
            done: false,
        }
    }

    /// Returns the result for a labelling that was only estimated.
    #[must_use]
    pub fn of_plan(plan: impl Report + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Plan(Box::new(plan)),
            done: false,
        }
    }

    /// Returns the result for a table that was already written, by this or another process.
    #[must_use]
    pub fn elsewhere() -> Self {
        Self {
            found: LabelsFound::Elsewhere,
            done: true,
        }
    }

    /// Writes the table to `out`, unless it has already been written to a file or a tablebase.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match &self.found {
            _ if self.done => Ok(()),
            LabelsFound::Graph(table) => output::write(&**table, format, out),
            LabelsFound::Ranked(labels) => output::write(labels, format, out),
            LabelsFound::Rows(rows) => output::write(&**rows, format, out),
            LabelsFound::Plan(_) | LabelsFound::Elsewhere => Ok(()),
        }
    }
}

impl Report for Labelling {
    fn plain(&self, audience: Audience) -> String {
        written(|out| self.write_plain(out, audience))
    }

    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        match &self.found {
            LabelsFound::Plan(plan) => plan.view(words),
            // The table was written to a file, so the answer is an empty object.
            _ if self.done => Box::new(Named::<()>(Vec::new())),
            LabelsFound::Graph(table) => Box::new(output::View(&**table)),
            LabelsFound::Ranked(labels) => Box::new(output::View(labels)),
            LabelsFound::Rows(rows) => Box::new(output::View(&**rows)),
            LabelsFound::Elsewhere => Box::new(Named::<()>(Vec::new())),
        }
    }

    /// Writes each row on a separate line, so that the table can be streamed.
    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match &self.found {
            LabelsFound::Plan(plan) => plan.write_json(out, audience),
            _ => self.write(Format::Json, out),
        }
    }

    fn is_data(&self) -> bool {
        !matches!(self.found, LabelsFound::Plan(_))
    }

    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match &self.found {
            LabelsFound::Plan(plan) => plan.write_plain(out, audience),
            _ => self.write(Format::Csv, out),
        }
    }
}

/// Labels a game. `workers` do so if `asked` has a crew, and otherwise this process alone.
///
/// # Errors
/// Contradicting options, a file that cannot be read or written, or the limit that was reached.
pub fn label(
    asked: &LabelOptions,
    workers: Option<&dyn Workers>,
    reader: &Reader,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
    // All file names are compared before any file is opened, since an output could otherwise
    // overwrite an input.
    reader.check_apart(
        [(message!("the graph"), Path::new(&asked.source))],
        [
            (Setting::new("output"), asked.output.as_ref()),
            (Setting::typed("tablebase"), asked.tablebase.as_ref()),
            (Setting::new("certificate"), asked.certificate.as_ref()),
            (Setting::typed("checkpoint"), asked.checkpoint.as_ref()),
        ],
    )?;
    let format = asked.output.as_deref().map(Format::of).transpose()?;
    if let Some(folder) = &asked.tablebase {
        reader.files().on_disk(folder)?;
        // Checked before the labelling, since an existing folder would otherwise be reported only
        // at the end.
        grundy_tablebase::check_free(folder)?;
    }
    let limits = job.limits();
    let source = Source::of(asked, reader)?;
    let ranked = ranked::game(asked, &source)?;
    if let (Some(game), Some(ByRanks { plan: true, values }), None) =
        (&ranked, asked.by_ranks, &asked.crew)
    {
        return Plan::new(&**game, asked.play, values, job).map(Labelling::of_plan);
    }
    // Checked after the estimate, which writes no certificate and so must not be rejected because
    // of one.
    check_certificate(asked, ranked.as_deref())?;
    if let Some(crew) = &asked.crew {
        let workers = workers.ok_or_else(without_workers)?;
        return workers.label(&SharedWork {
            asked,
            crew,
            source: &source,
            ranked,
            format,
            reader,
            job,
        });
    }
    let of = source.identity(asked, reader);
    let mut checkpoints = Checkpoints::new(asked, of, reader, job)?;
    // A dense pass has one cell for each entry, and computes moves from the rank. Any other game is
    // first explored into an explicit graph.
    let found = match ranked {
        Some(game) if ranked::is_dense(&*game) => {
            LabelsFound::Ranked(ranked::label(game, asked, &mut checkpoints, job)?)
        }
        ranked => {
            let game = source.graph(asked, ranked.as_ref(), &mut checkpoints, reader, job)?;
            job.report(&Progress::Doing(message!("labelling")));
            let labelled = Labelled::new(&game, asked.play, &limits);
            LabelsFound::Graph(Box::new(Table {
                game,
                labelled: labelled.map_err(|stop| checkpoints.refused(stop))?,
                play: asked.play,
                best_move: asked.best_move,
            }))
        }
    };
    job.report(&Progress::Doing(message!("writing")));
    let done = asked.tablebase.is_some() || asked.output.is_some();
    // The certificate lists the moves, so it exists only for a graph (see `check_certificate`).
    if let (Some(file), LabelsFound::Graph(table)) = (&asked.certificate, &found) {
        certificate::write(table, file, &job.long_limits(), reader.files())?;
    }
    if let Some(folder) = &asked.tablebase {
        let written = tablebase::Written {
            folder,
            source: &source,
            asked,
            reader,
            limits: &job.long_limits(),
            pauses: None,
        };
        match &found {
            LabelsFound::Graph(table) => written.graph(table)?,
            LabelsFound::Ranked(labels) => written.ranked(labels)?,
            // These cases cannot occur here: with workers, the function has already returned.
            LabelsFound::Rows(_) | LabelsFound::Plan(_) | LabelsFound::Elsewhere => {}
        }
    }
    if let (Some(file), Some(format)) = (&asked.output, format) {
        match &found {
            LabelsFound::Graph(table) => output::to_file(&**table, format, file, reader.files())?,
            LabelsFound::Ranked(labels) => output::to_file(labels, format, file, reader.files())?,
            LabelsFound::Rows(_) | LabelsFound::Plan(_) | LabelsFound::Elsewhere => {}
        }
    }
    // The checkpoint is removed only after all outputs are written. If writing fails, it still
    // contains the graph.
    checkpoints.done();
    Ok(Labelling { found, done })
}

/// Returns an error if a certificate is requested, but the labelling does not store the moves.
fn check_certificate(
    asked: &LabelOptions,
    ranked: Option<&dyn RankedGame>,
) -> Result<(), Diagnostic> {
    if asked.certificate.is_none() {
        return Ok(());
    }
    let help = match &asked.crew {
        Some(_) => message!(
            "label the game without {option} and {other}",
            option = Setting::typed("workers"),
            other = Setting::typed("hosts")
        ),
        None if ranked.is_some_and(ranked::is_dense) => message!(
            "omit {option} or {other}",
            option = Setting::new("ranked"),
            other = Setting::new("certificate")
        ),
        None => return Ok(()),
    };
    let message = message!("a certificate of labels requires the moves of each position");
    Err(Diagnostic::new(Kind::IllegalPosition, message).help(help))
}
