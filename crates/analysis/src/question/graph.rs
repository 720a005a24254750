//! Questions about graphs of positions, tablebases and certificates.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use grundy::{Diagnostic, Kind, Play, message};
use grundy_job::graph_file::GraphFormat;
use grundy_tables::label::{ByRanks, Crew, Hosts, LabelOptions};
use serde::{Deserialize, Deserializer, Serialize};

use super::{PlayWord, is_usual};
use crate::keys::required;

/// Seconds between two checkpoints where nothing is said.
#[cfg(feature = "clap")]
const PAUSE: f64 = 60.0;

/// `label`: the labels of everything that can be reached.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("together").args(["workers", "hosts"]).multiple(true)))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("planned").args(["ranked", "workers", "hosts"]).multiple(true)))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("met").args(["process", "plan"]).multiple(true)))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct LabelQuestion {
    /// The moves: CSV or Parquet with columns `from` and `to`, DOT or JSON; `-` is standard input.
    /// Or a position, such as chomp(3, 4): everything that can be reached from it is labelled
    #[serde(rename = "game", deserialize_with = "path_or_text")]
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|EXPR"))]
    pub source: OsString,
    /// Write the table there: CSV, JSON or Parquet, by the ending
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub output: Option<PathBuf>,
    /// Write a tablebase: a folder of compressed blocks, for `grundy probe`
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub tablebase: Option<PathBuf>,
    /// Write a certificate of the labels
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// What a file is (default: by its ending, and CSV for standard input)
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub format: Option<GraphFormat>,
    /// Add a column `move`: an optimal move from each position
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub best_move: bool,
    /// Write the state there now and then, and when the work is stopped (default: beside the
    /// output, with `.checkpoint` added, when the work takes long)
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE))]
    pub every: f64,
    /// Go on from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub resume: bool,
    /// Label all positions by the ranks that the rules give them, reachable or not: a byte each and
    /// none of them stored
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub ranked: bool,
    /// With --ranked: Grundy values, too, which takes a look at every move
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "ranked"))]
    pub values: bool,
    /// Label with so many workers, of each process if there are several (needs the build in
    /// `cluster/`)
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub workers: Option<NonZeroUsize>,
    /// The addresses of all processes that label together, a line ADDR:PORT each; this one binds
    /// its own and no other
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "met"))]
    pub hosts: Option<PathBuf>,
    /// Which of them this is, from 0 on
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "I", requires = "hosts", requires = "secret_file")
    )]
    pub process: Option<usize>,
    /// A file with a secret that all of them know
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "hosts"))]
    pub secret_file: Option<PathBuf>,
    /// With --workers or --hosts: write how far all of them are there, as Prometheus text
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", requires = "together")
    )]
    pub metrics: Option<PathBuf>,
    /// With --ranked, --workers or --hosts: say how many positions and moves there are and what
    /// labelling them takes, and end
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "planned"))]
    pub plan: bool,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

fn path_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<OsString, D::Error> {
    String::deserialize(from).map(OsString::from)
}

impl LabelQuestion {
    /// Returns how positions are labelled by their ranks, if they are.
    #[must_use]
    pub fn by_ranks(&self) -> Option<ByRanks> {
        self.ranked.then_some(ByRanks {
            values: self.values,
            plan: self.plan,
        })
    }

    /// Returns the workers that label together, where there are several.
    #[must_use]
    pub fn crew(&self) -> Option<Crew> {
        let hosts = self.hosts.as_ref().map(|file| Hosts {
            file: file.clone(),
            // A plan contacts no other process.
            process: self.process.unwrap_or_default(),
            secret_file: self.secret_file.clone().unwrap_or_default(),
        });
        (hosts.is_some() || self.workers.is_some()).then(|| Crew {
            workers: self.workers.unwrap_or(NonZeroUsize::MIN),
            hosts,
            metrics: self.metrics.clone(),
            plan: self.plan,
        })
    }

    /// Returns the labelling to be done.
    pub(crate) fn options(&self) -> LabelOptions {
        LabelOptions {
            source: self.source.clone(),
            output: self.output.clone(),
            tablebase: self.tablebase.clone(),
            certificate: self.certificate.clone(),
            format: self.format,
            best_move: self.best_move,
            checkpoint: self.checkpoint.clone(),
            every: self.every,
            resume: self.resume,
            by_ranks: self.by_ranks(),
            crew: self.crew(),
            play: self.play,
        }
    }

    /// Rejects options of labelling by ranks or by workers where neither is asked for.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let together = self.workers.is_some() || self.hosts.is_some();
        if self.ranked || !self.values && (!self.plan || together) {
            return Ok(());
        }
        let message = message!("`values` and `plan` are asked of a table by ranks");
        Err(Diagnostic::new(Kind::Type, message).help(message!("say `ranked`, too")))
    }
}

/// `probe`: one position in a tablebase.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Probe {
    /// The tablebase, as `grundy label --tablebase` wrote it: its folder, or the address of one on
    /// a server
    #[serde(rename = "table", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(value_name = "DIR|URL", required = true))]
    pub directory: Option<PathBuf>,
    /// The position, in the notation or as the graph names it
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
    /// Look up the position alone, and not those one move away
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_moves: bool,
    /// Add to every answer of a batch how long it took, and in the end half of them, 99 of 100, and
    /// all
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(
        feature = "clap",
        arg(long, requires = "jsonl", conflicts_with = "position")
    )]
    pub stats: bool,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord", skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `tables`: the tablebases that may be asked, or one of them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TablesQuestion {
    /// One of them; without it all are listed.
    pub table: Option<PathBuf>,
}

/// `convert`: a tablebase as Parquet files, or back.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertQuestion {
    /// A tablebase, a folder or its address, or a folder with the parts of one
    #[cfg_attr(feature = "clap", arg(value_name = "DIR|URL|PARTS"))]
    pub from: PathBuf,
    /// The folder to be written: parts of a tablebase, or the tablebase of parts
    #[cfg_attr(feature = "clap", arg(value_name = "PARTS|DIR"))]
    pub to: PathBuf,
    /// Positions of a part
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value = "16777216")
    )]
    pub rows: NonZeroU64,
    /// Leave the names of positions out, where the rules number them
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_positions: bool,
}

/// `verify`: a check of a certificate or a tablebase.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Verify {
    /// The certificate, or a tablebase: its folder or its address
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR|URL"))]
    pub file: PathBuf,
    /// Check only so many entries of a tablebase, drawn at random
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub sample: Option<u64>,
    /// What they are drawn by
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
    pub seed: u64,
    /// Work on so many cores [default: all]
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<NonZeroUsize>,
}
