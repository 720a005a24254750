//! Questions about families of positions, and positions to practise on.

use std::path::PathBuf;

use grundy::Play;
use grundy_play::exercises::SheetPart;
use grundy_play::practice::HARDEST;
use serde::Deserialize;

use super::PlayWord;
use crate::keys::{at_most, required};

/// Values of a period that are computed where nothing is said.
const VALUES: u64 = 100_000;

/// Heaps of a quotient that are looked at where nothing is said.
const HEAPS: u64 = 10_000;

/// Most heaps of a quotient.
const MOST_HEAPS: u64 = u32::MAX as u64;

/// Seconds between two checkpoints where nothing is said.
const PAUSE: f64 = 180.0;

/// `table`: values of a family with one or two free variables.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct TableQuestion {
    /// The family, with free variables
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", arg(id = "expr", value_name = "EXPR"))]
    pub family: String,
    /// One or two ranges, such as n=0..100; both ends belong to it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(value_name = "VARIABLE=FROM..TO", required = true, num_args = 1..=2))]
    pub ranges: Vec<String>,
    /// Comma-separated values
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["bfile", "json"]))]
    pub csv: bool,
    /// Lines `n a(n)`, as in the OEIS
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "json"))]
    pub bfile: bool,
    /// Write a picture: a strip of outcomes for one variable, a heat map for two; `-` is standard
    /// output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// What the cells hold (default: Grundy values, and who wins where there are none)
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub of: Option<CellOf>,
    /// The genus of impartial games, that is, what they do in misère play beside heaps of Nim; the
    /// same as --of genus
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "of"))]
    pub genus: bool,
    /// Write all digits of a genus
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub full: bool,
    /// What the values seem to be
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["csv", "bfile"]))]
    pub pattern: bool,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub table: Option<PathBuf>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl TableQuestion {
    /// Returns the form of the answer for people.
    #[must_use]
    pub fn form(&self) -> TableForm {
        match (self.csv, self.bfile) {
            (true, _) => TableForm::Csv,
            (_, true) => TableForm::BFile,
            _ => TableForm::Text,
        }
    }

    /// Returns what the cells hold. `None` is Grundy values, and outcomes where there are none.
    #[must_use]
    pub fn of(&self) -> Option<CellOf> {
        if self.genus {
            Some(CellOf::Genus)
        } else {
            self.of
        }
    }
}

/// The content of the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum CellOf {
    /// The Grundy value
    Grundy,
    /// Who wins: N, P or D; L and R where the players have different moves
    Outcome,
    /// The canonical form
    Value,
    /// The temperature
    Temperature,
    /// The mean
    Mean,
    /// The atomic weight, of all-small games
    #[cfg_attr(feature = "clap", value(name = "atomic_weight"))]
    AtomicWeight,
    /// The genus, of impartial games in misère play
    Genus,
}

/// The forms of a table for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// Columns.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// Lines `n a(n)`, as in the OEIS.
    BFile,
}

/// `period`: the period of a one-heap family, proved.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PeriodQuestion {
    /// A one-heap family, with a free variable: kayles(n)
    #[serde(rename = "game", deserialize_with = "required")]
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "FAMILY", required_unless_present = "all")
    )]
    pub family: Option<String>,
    /// Compute at most so many values
    #[serde(default = "PeriodQuestion::usual_max")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = VALUES))]
    pub max: u64,
    /// Write a certificate of the proof
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// Write the state there now and then, and when the work is stopped
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE, requires = "checkpoint"))]
    pub every: f64,
    /// Go on from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, requires = "checkpoint"))]
    pub resume: bool,
    /// Keep only the smallest heaps and the last: for sequences longer than memory; values are
    /// written as they are computed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["svg", "all"]))]
    pub stream: bool,
    /// Write the values: .csv, .txt (b-file) or .bin (one, two, four or eight bytes each); .gz
    /// after that compresses
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub values: Option<PathBuf>,
    /// Count how often each value occurs
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub frequencies: bool,
    /// Write a picture of the values, the rare heaps and the time taken, as SVG; `-` is standard
    /// output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// The table of all octal codes of so many digits
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u32).range(1..=4), conflicts_with_all = ["family", "certificate", "checkpoint", "values", "frequencies", "svg"]))]
    pub all: Option<u32>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl PeriodQuestion {
    /// Asks for the period of a family in normal play, with at most 100 000 values.
    #[must_use]
    pub fn new(family: &str) -> Self {
        Self {
            family: Some(family.to_owned()),
            ..Self::default()
        }
    }

    fn usual_max() -> u64 {
        VALUES
    }
}

impl Default for PeriodQuestion {
    fn default() -> Self {
        Self {
            family: None,
            max: VALUES,
            certificate: None,
            checkpoint: None,
            every: PAUSE,
            resume: false,
            stream: false,
            values: None,
            frequencies: false,
            svg: None,
            all: None,
            play: Play::Normal,
        }
    }
}

/// `quotient`: the misère quotient of a family.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct QuotientQuestion {
    /// A family of heaps with a free variable, kayles(n), or a list of positions,
    /// `[chomp(3, 2), kayles(7)]`
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", arg(value_name = "FAMILY"))]
    pub family: String,
    /// Look at heaps of at most this size
    #[serde(
        default = "QuotientQuestion::usual_max",
        deserialize_with = "at_most::<MOST_HEAPS, _, _>"
    )]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = HEAPS))]
    pub max: u64,
    /// Write a certificate of the proof
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// Write the state there now and then, and when the work is stopped
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE, requires = "checkpoint"))]
    pub every: f64,
    /// Go on from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, requires = "checkpoint"))]
    pub resume: bool,
    /// Write a picture of the elements by layers, as SVG; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// Misère play: who makes the last move loses
    #[serde(default = "QuotientQuestion::usual_play", with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::always_misere()))]
    pub play: Play,
}

impl QuotientQuestion {
    /// Asks for the quotient of a family, with at most 10 000 heaps.
    #[must_use]
    pub fn new(family: &str) -> Self {
        Self {
            family: family.to_owned(),
            max: HEAPS,
            certificate: None,
            checkpoint: None,
            every: PAUSE,
            resume: false,
            svg: None,
            play: Play::Misere,
        }
    }

    fn usual_max() -> u64 {
        HEAPS
    }

    fn usual_play() -> Play {
        Play::Misere
    }
}

/// `exercises`: a sheet of exercises, with the answers apart.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ExercisesQuestion {
    /// A game such as nim, or a position with free variables, such as kayles(n)
    #[cfg_attr(feature = "clap", arg(value_name = "GAME"))]
    pub game: String,
    /// The ranges of the free variables, such as n=3..12
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(value_name = "VARIABLE=FROM..TO"))]
    pub ranges: Vec<String>,
    /// How many exercises
    #[serde(default = "usual_count", deserialize_with = "at_most::<1000, _, _>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = usual_count(), value_parser = clap::value_parser!(u64).range(1..=1000)))]
    pub count: u64,
    /// How difficult they are, from 0 to 10
    #[serde(
        default = "usual_level",
        deserialize_with = "at_most::<{ HARDEST as u64 }, _, _>"
    )]
    #[cfg_attr(feature = "clap", arg(long, value_name = "L", default_value_t = usual_level(), value_parser = clap::value_parser!(u8).range(..=i64::from(HARDEST))))]
    pub level: u8,
    /// The same number gives the same sheet (default: another one each time)
    #[cfg_attr(feature = "clap", arg(long, value_name = "S"))]
    pub seed: Option<u64>,
    /// Print this part alone
    #[cfg_attr(feature = "clap", arg(long, value_enum, conflicts_with = "json"))]
    pub only: Option<SheetPart>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

fn usual_count() -> u64 {
    10
}

pub(super) fn usual_level() -> u8 {
    3
}
