//! Labelling of all positions of a game graph, or of all positions reachable from a start position.

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
    /// The file for the table.
    pub output: Option<PathBuf>,
    /// The folder for the tablebase.
    pub tablebase: Option<PathBuf>,
    /// The file for the certificate of the labels.
    pub certificate: Option<PathBuf>,
    /// The format of the graph. `None` derives it from the file extension.
    pub format: Option<GraphFormat>,
    /// `true` if each row gets an optimal move.
    pub best_move: bool,
    /// The file for checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// The interval between checkpoints in seconds.
    pub every: f64,
    /// `true` if the labelling resumes from the checkpoint.
    pub resume: bool,
    /// Options of labelling by rank; `None` explores the reachable positions.
    pub by_ranks: Option<ByRanks>,
    /// The workers that share the labelling; `None` labels in this process alone.
    pub crew: Option<Crew>,
    /// Normal or misère play.
    pub play: Play,
}

/// The workers that label a game together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Number of workers in this process.
    pub workers: NonZeroUsize,
    /// The other processes, if there are any.
    pub hosts: Option<Hosts>,
    /// The file for progress metrics in the Prometheus text format.
    pub metrics: Option<PathBuf>,
    /// `true` if only the cost is estimated.
    pub plan: bool,
}

/// All processes of a labelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// The file with their addresses, one a line.
    pub file: PathBuf,
    /// The index of this process, starting at 0.
    pub process: usize,
    /// The file with the shared secret of the processes.
    pub secret_file: PathBuf,
}

/// Options of labelling by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRanks {
    /// `true` if Grundy values are computed as well.
    pub values: bool,
    /// `true` if only the cost is estimated.
    pub plan: bool,
}

/// The result of a labelling. It prints nothing if a file or a tablebase received the table.
#[derive(Debug)]
pub struct Labelling {
    found: LabelsFound,
    /// `true` if the table has already been written.
    done: bool,
}

/// The outcome of a labelling.
enum LabelsFound {
    /// A graph with its labels.
    Graph(Box<Table>),
    /// A ranked game with its labels.
    Ranked(RankedLabels),
    /// The rows that several workers found.
    Rows(Box<dyn Rows + Send>),
    /// The estimated cost.
    Plan(Box<dyn Report + Send>),
    /// Nothing in this process: the rows were streamed to their files, or another process has them.
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
    /// Returns the result for rows that several workers found and that are still to be printed.
    #[must_use]
    pub fn of_rows(rows: impl Rows + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Rows(Box::new(rows)),
            done: false,
        }
    }

    /// Returns the result for a labelling whose cost alone was estimated.
    #[must_use]
    pub fn of_plan(plan: impl Report + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Plan(Box::new(plan)),
            done: false,
        }
    }

    /// Returns the result for a table that is already written, here or by another process.
    #[must_use]
    pub fn elsewhere() -> Self {
        Self {
            found: LabelsFound::Elsewhere,
            done: true,
        }
    }

    /// Writes the table, unless it has already been written.
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
            // The table is in a file, so the answer itself is an empty object.
            _ if self.done => Box::new(Named::<()>(Vec::new())),
            LabelsFound::Graph(table) => Box::new(output::View(&**table)),
            LabelsFound::Ranked(labels) => Box::new(output::View(labels)),
            LabelsFound::Rows(rows) => Box::new(output::View(&**rows)),
            LabelsFound::Elsewhere => Box::new(Named::<()>(Vec::new())),
        }
    }

    /// Writes one row a line, so that the table can be streamed.
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

/// Labels a game, with `workers` if `asked` has a crew.
///
/// # Errors
/// Contradicting options, a file that cannot be read or written, and the limit that was reached.
pub fn label(
    asked: &LabelOptions,
    workers: Option<&dyn Workers>,
    reader: &Reader,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
    // All names are compared before any file is opened, since an output that is also an input would
    // be overwritten.
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
        // Checked before the work, since an existing folder would otherwise be reported only at its
        // end.
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
    // After the plan: a plan writes no certificate, so it is never refused for one.
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
    // The dense pass keeps one cell a position and derives the moves from the rank. Any other game
    // is explored into an explicit graph first.
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
    // The certificate lists the moves, so only a graph has one (see `check_certificate`).
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
            // Another source of rows never gets here: workers return above.
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
    // Removed only now: if writing an output fails, the checkpoint still saves the search.
    checkpoints.done();
    Ok(Labelling { found, done })
}

/// Rejects a certificate for a labelling that does not store the moves of each position.
fn check_certificate(
    asked: &LabelOptions,
    ranked: Option<&dyn RankedGame>,
) -> Result<(), Diagnostic> {
    if asked.certificate.is_none() {
        return Ok(());
    }
    let help = match &asked.crew {
        Some(_) => message!(
            "label it without {option} and {other}",
            option = Setting::typed("workers"),
            other = Setting::typed("hosts")
        ),
        None if ranked.is_some_and(ranked::is_dense) => message!(
            "leave {option} out, or {other}",
            option = Setting::new("ranked"),
            other = Setting::new("certificate")
        ),
        None => return Ok(()),
    };
    let message = message!("a certificate of labels needs the moves of each position");
    Err(Diagnostic::new(Kind::IllegalPosition, message).help(help))
}
