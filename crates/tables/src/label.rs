//! Labelling: every position of a game graph, or of what can be reached from a position, labelled.

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

/// A labelling to be done.
#[derive(Clone, Debug)]
pub struct LabelOptions {
    /// A file with a graph, or a position.
    pub source: OsString,
    /// A file for the table.
    pub output: Option<PathBuf>,
    /// A folder for a tablebase.
    pub tablebase: Option<PathBuf>,
    /// A file for a certificate of the labels.
    pub certificate: Option<PathBuf>,
    /// The format of the graph. `None` is that of the ending.
    pub format: Option<GraphFormat>,
    /// Add an optimal move from each position.
    pub best_move: bool,
    /// A file for checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints.
    pub every: f64,
    /// Resume from the checkpoint.
    pub resume: bool,
    /// Label all positions by their ranks.
    pub by_ranks: Option<ByRanks>,
    /// Label with several workers.
    pub crew: Option<Crew>,
    /// Normal or misère play.
    pub play: Play,
}

/// Workers that label a game together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Number of workers in this process.
    pub workers: NonZeroUsize,
    /// The other processes, if there are any.
    pub hosts: Option<Hosts>,
    /// A file for the progress, as Prometheus text.
    pub metrics: Option<PathBuf>,
    /// Report only the cost.
    pub plan: bool,
}

/// All processes of a labelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// A file with their addresses, a line each.
    pub file: PathBuf,
    /// Number of this process, from 0.
    pub process: usize,
    /// A file with the secret that these processes share.
    pub secret_file: PathBuf,
}

/// Options of labelling by ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRanks {
    /// Find Grundy values, too.
    pub values: bool,
    /// Report only the cost.
    pub plan: bool,
}

/// A labelled game. Where it was written to a file or a tablebase there is nothing more to say.
#[derive(Debug)]
pub struct Labelling {
    found: LabelsFound,
    /// `true` if the table has been written already.
    done: bool,
}

/// What was found out.
enum LabelsFound {
    /// A graph with its labels.
    Graph(Box<Table>),
    /// A game by ranks with its labels.
    Ranked(RankedLabels),
    /// The rows that several workers found.
    Rows(Box<dyn Rows + Send>),
    /// What labelling it would take.
    Plan(Box<dyn Report + Send>),
    /// Nothing here: it was written as it came, or by another process.
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
    /// Returns a table that several workers found, where it is the answer.
    #[must_use]
    pub fn of_rows(rows: impl Rows + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Rows(Box::new(rows)),
            done: false,
        }
    }

    /// Returns the cost of a labelling that was not done.
    #[must_use]
    pub fn of_plan(plan: impl Report + Send + 'static) -> Self {
        Self {
            found: LabelsFound::Plan(Box::new(plan)),
            done: false,
        }
    }

    /// Returns a table that was written to its places, or by another process.
    #[must_use]
    pub fn elsewhere() -> Self {
        Self {
            found: LabelsFound::Elsewhere,
            done: true,
        }
    }

    /// Writes the table where it is the answer.
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
            // The table is in a file.
            _ if self.done => Box::new(Named::<()>(Vec::new())),
            LabelsFound::Graph(table) => Box::new(output::View(&**table)),
            LabelsFound::Ranked(labels) => Box::new(output::View(labels)),
            LabelsFound::Rows(rows) => Box::new(output::View(&**rows)),
            LabelsFound::Elsewhere => Box::new(Named::<()>(Vec::new())),
        }
    }

    /// The table has a row a line.
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

/// Labels a game, with `workers` where it is asked for several of them.
///
/// # Errors
/// Options that contradict each other, a file that cannot be read or written, or the limit that was
/// reached.
pub fn label(
    asked: &LabelOptions,
    workers: Option<&dyn Workers>,
    reader: &Reader,
    job: &Job,
) -> Result<Labelling, Diagnostic> {
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
        // Said before the work, not after it.
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
    checkpoints.done();
    Ok(Labelling { found, done })
}

/// Rejects a certificate of a labelling that does not look at the moves of each position.
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
