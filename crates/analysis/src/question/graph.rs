//! Questions about graphs of positions, tablebases and certificates.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use grundy_core::{Diagnostic, Kind, Play, message};
use grundy_job::graph_file::GraphFormat;
use grundy_tables::label::{ByRanks, Hosts, LabelOptions, WorkerOptions};
use serde::{Deserialize, Deserializer, Serialize};

use super::{PlayWord, is_usual};
use crate::keys::required;

/// Default number of seconds between two checkpoints.
#[cfg(feature = "clap")]
const PAUSE: f64 = 60.0;

/// `label`: a question for labels of all reachable positions.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("together").args(["workers", "hosts"]).multiple(true)))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("planned").args(["ranked", "workers", "hosts"]).multiple(true)))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("met").args(["process", "plan"]).multiple(true)))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct LabelQuestion {
    /// A file of moves: CSV or Parquet with columns `from` and `to`, DOT or JSON; `-` is standard
    /// input. Or a position, such as chomp(3, 4), to label all positions reachable from it
    #[serde(rename = "game", deserialize_with = "path_or_text")]
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|EXPR"))]
    pub source: OsString,
    /// Write the table to this file: CSV, JSON or Parquet, by its extension
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub output: Option<PathBuf>,
    /// Write a tablebase: a folder of compressed blocks, for `probe`
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub tablebase: Option<PathBuf>,
    /// Write a certificate of the labels
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// Format of the file (default: by its extension, and CSV for standard input)
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub format: Option<GraphFormat>,
    /// Add a column `move` with an optimal move from each position
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub best_move: bool,
    /// Add columns `draw_level` and `draw_remoteness`: how far a draw is from positions in which a
    /// player can make a mistake
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub draw_levels: bool,
    /// Write the state to this file at intervals, and when the work is stopped (default: the output
    /// with `.checkpoint` appended, if the work takes long)
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Number of seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE))]
    pub every: f64,
    /// Resume from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub resume: bool,
    /// Label all positions by rank, including unreachable ones, with one byte for each position;
    /// needs rules that assign a rank to every position
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub ranked: bool,
    /// When labelling by rank, also compute Grundy values (this visits every move)
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "ranked"))]
    pub values: bool,
    /// Label with this many workers in each process (needs the build in `cluster/`)
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub workers: Option<NonZeroUsize>,
    /// The addresses of all processes of a distributed labelling, one ADDR:PORT a line; each
    /// process binds only its own
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "met"))]
    pub hosts: Option<PathBuf>,
    /// The index of this process in the list of addresses, counted from 0
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "I", requires = "hosts", requires = "secret_file")
    )]
    pub process: Option<usize>,
    /// A file with a secret that all processes share
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "hosts"))]
    pub secret_file: Option<PathBuf>,
    /// Write the progress of all workers to this file as Prometheus text; needs several workers or
    /// processes
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", requires = "together")
    )]
    pub metrics: Option<PathBuf>,
    /// Print the number of positions and moves and the resources for labelling them, then exit;
    /// needs labelling by rank or several workers
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "planned"))]
    pub plan: bool,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

fn path_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<OsString, D::Error> {
    String::deserialize(from).map(OsString::from)
}

impl LabelQuestion {
    /// Returns the settings of a labelling by rank, which labels all positions in the order of
    /// their indices (ranks), if it was requested.
    ///
    /// ```
    /// use grundy_analysis::question::LabelQuestion;
    /// let question = LabelQuestion { ranked: true, values: true, ..LabelQuestion::default() };
    /// assert!(question.by_ranks().is_some_and(|options| options.values && !options.plan));
    /// assert_eq!(LabelQuestion::default().by_ranks(), None);
    /// ```
    #[must_use]
    pub fn by_ranks(&self) -> Option<ByRanks> {
        self.ranked.then_some(ByRanks {
            values: self.values,
            plan: self.plan,
        })
    }

    /// Returns the settings of the workers of a distributed labelling, if it was requested.
    ///
    /// ```
    /// use grundy_analysis::question::LabelQuestion;
    /// let workers = std::num::NonZeroUsize::new(4);
    /// let question = LabelQuestion { workers, ..LabelQuestion::default() };
    /// assert_eq!(question.worker_options().map(|options| options.workers), workers);
    /// assert_eq!(LabelQuestion::default().worker_options(), None);
    /// ```
    #[must_use]
    pub fn worker_options(&self) -> Option<WorkerOptions> {
        let hosts = self.hosts.as_ref().map(|file| Hosts {
            file: file.clone(),
            // `process` may be missing if only a plan is requested, which contacts no other
            // process.
            process: self.process.unwrap_or_default(),
            secret_file: self.secret_file.clone().unwrap_or_default(),
        });
        (hosts.is_some() || self.workers.is_some()).then(|| WorkerOptions {
            workers: self.workers.unwrap_or(NonZeroUsize::MIN),
            hosts,
            metrics: self.metrics.clone(),
            plan: self.plan,
        })
    }

    /// Returns all settings of the labelling.
    pub(crate) fn options(&self) -> LabelOptions {
        LabelOptions {
            source: self.source.clone(),
            output: self.output.clone(),
            tablebase: self.tablebase.clone(),
            certificate: self.certificate.clone(),
            format: self.format,
            best_move: self.best_move,
            draw_levels: self.draw_levels,
            checkpoint: self.checkpoint.clone(),
            every: self.every,
            resume: self.resume,
            by_ranks: self.by_ranks(),
            worker_options: self.worker_options(),
            play: self.play,
        }
    }

    /// Rejects `values` if no labelling by rank was requested. Rejects `plan` if neither a
    /// labelling by rank nor one by several workers was requested.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        // On the command line, clap checks this. Other interfaces have no such rules, so the check
        // is repeated.
        let together = self.workers.is_some() || self.hosts.is_some();
        if self.ranked || !self.values && (!self.plan || together) {
            return Ok(());
        }
        let message = message!(
            "`values` requires labelling by rank, and `plan` requires labelling by rank or by several workers"
        );
        Err(Diagnostic::new(Kind::Type, message).help(message!("set `ranked`")))
    }
}

/// `probe`: a question for the entry of a position in a tablebase.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Probe {
    /// The tablebase: a folder written by `label`, or the address of a tablebase on a server
    #[serde(rename = "table", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(value_name = "DIR|URL", required = true))]
    pub directory: Option<PathBuf>,
    /// The position, in the notation or by its name in the graph
    #[serde(
        rename = "game",
        deserialize_with = "required",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "POSITION", required_unless_present = "jsonl")
    )]
    pub position: Option<String>,
    /// Look up only the position itself, not its options
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_moves: bool,
    /// Add the time taken to each answer of a batch, and at the end the median, the 99th percentile
    /// and the total
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(
        feature = "clap",
        arg(long, requires = "jsonl", conflicts_with = "position")
    )]
    pub stats: bool,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord", skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `tables`: a question for the available tablebases, or for one of them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TablesQuestion {
    /// The requested tablebase. `None` requests a list of all tablebases.
    pub table: Option<PathBuf>,
}

/// `convert`: a request to export a tablebase to Parquet files, or to import it from them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertQuestion {
    /// A tablebase (a folder or its address), or a folder with the Parquet files of a tablebase
    #[cfg_attr(feature = "clap", arg(value_name = "DIR|URL|PARTS"))]
    pub from: PathBuf,
    /// The folder to write: the Parquet files of a tablebase, or the tablebase
    #[cfg_attr(feature = "clap", arg(value_name = "PARTS|DIR"))]
    pub to: PathBuf,
    /// Number of positions in each file
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value = "16777216")
    )]
    pub rows: NonZeroU64,
    /// Leave out the names of the positions if the rules assign a rank to every position
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_positions: bool,
}

/// `verify`: a request to check a certificate or a tablebase.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Verify {
    /// The certificate, or a tablebase: its folder or its address
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR|URL"))]
    pub file: PathBuf,
    /// Check only this many random entries of a tablebase
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub sample: Option<u64>,
    /// Seed of the random entries
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
    pub seed: u64,
    /// Use this many threads [default: all cores]
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<NonZeroUsize>,
}
