//! Questions about families of positions, and about exercises.

use std::path::PathBuf;

use grundy_core::Play;
use grundy_play::exercises::SheetPart;
use grundy_play::practice::HARDEST;
use serde::Deserialize;

use super::PlayWord;
use crate::keys::{at_most, required};
pub use crate::program::CodeLanguage;

/// Default for the number of values that are computed in a search for a period.
const VALUES: u64 = 100_000;

/// Default for the number of values, if a period can only be observed.
const OBSERVED: u64 = 10_000;

/// Default for the number of heap sizes that are examined for a quotient.
const HEAPS: u64 = 10_000;

/// Largest number of heap sizes that can be examined for a quotient.
const MOST_HEAPS: u64 = u32::MAX as u64;

/// Default number of seconds between two checkpoints.
const PAUSE: f64 = 180.0;

/// `table`: a question for the values of a family with one or two free variables.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct TableQuestion {
    /// The family, with free variables
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", arg(id = "expr", value_name = "EXPR"))]
    pub family: String,
    /// One or two inclusive ranges, such as n=0..100
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(value_name = "VARIABLE=FROM..TO", required = true, num_args = 1..=2))]
    pub ranges: Vec<String>,
    /// Write comma-separated values
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["bfile", "json"]))]
    pub csv: bool,
    /// Write lines `n a(n)`, as in the OEIS
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "json"))]
    pub bfile: bool,
    /// Write a picture: a strip of outcomes for one variable, a heat map for two; `-` is standard
    /// output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// The quantity in each cell (default: the Grundy value, or the outcome if there is none)
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub of: Option<CellOf>,
    /// The genus of impartial games, which describes misère play in sums with Nim heaps; the same
    /// as setting the quantity to genus
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "of"))]
    pub genus: bool,
    /// Write all digits of a genus
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub full: bool,
    /// Search the values for patterns
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["csv", "bfile"]))]
    pub pattern: bool,
    /// A file of values: reuse its values, and add new ones
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub table: Option<PathBuf>,
    /// Write a program that computes the values or outcomes, in this language; patterns become
    /// comments
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "LANGUAGE", conflicts_with_all = ["csv", "bfile", "svg", "genus"]))]
    pub code: Option<CodeLanguage>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl TableQuestion {
    /// Returns the format of the table.
    ///
    /// ```
    /// use grundy_analysis::question::{TableForm, TableQuestion};
    /// let question = TableQuestion { bfile: true, ..TableQuestion::default() };
    /// assert_eq!(question.form(), TableForm::BFile);
    /// assert_eq!(TableQuestion::default().form(), TableForm::Text);
    /// ```
    #[must_use]
    pub fn form(&self) -> TableForm {
        match (self.csv, self.bfile) {
            (true, _) => TableForm::Csv,
            (_, true) => TableForm::BFile,
            _ => TableForm::Text,
        }
    }

    /// Returns the requested quantity. `None` requests the Grundy value, or the outcome if there is
    /// no Grundy value.
    ///
    /// ```
    /// use grundy_analysis::question::{CellOf, TableQuestion};
    /// let question = TableQuestion { genus: true, ..TableQuestion::default() };
    /// assert_eq!(question.of(), Some(CellOf::Genus));
    /// assert_eq!(TableQuestion::default().of(), None);
    /// ```
    #[must_use]
    pub fn of(&self) -> Option<CellOf> {
        if self.genus {
            Some(CellOf::Genus)
        } else {
            self.of
        }
    }
}

/// The quantity in the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum CellOf {
    /// The Grundy value
    Grundy,
    /// The outcome: N, P or D; also L and R in partizan games
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
    /// The remoteness: the number of moves if the winner plays for a quick end and the loser for a
    /// late one
    Remoteness,
}

/// The formats of a table, other than JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// Lines `n a(n)`, as in the OEIS.
    BFile,
}

/// `period`: a question for the period of a one-heap family, with a proof.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PeriodQuestion {
    /// A one-heap family with a free variable: kayles(n). With a rule file, any family: game(moves,
    /// n)
    #[serde(rename = "game", deserialize_with = "required")]
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "FAMILY", required_unless_present = "all")
    )]
    pub family: Option<String>,
    /// Compute at most this many values (with a rule file, 10000 by default)
    #[serde(default = "PeriodQuestion::usual_max")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = VALUES))]
    pub max: u64,
    /// Write a certificate of the proof
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// Write the state to this file at intervals, and when the work is stopped
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Number of seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE, requires = "checkpoint"))]
    pub every: f64,
    /// Resume from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, requires = "checkpoint"))]
    pub resume: bool,
    /// Keep only the values of the smallest and of the last heaps in memory, for very long
    /// sequences; write each value when it is computed
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["svg", "all"]))]
    pub stream: bool,
    /// Write the values: .csv, .txt (b-file) or .bin (one, two, four or eight bytes each);
    /// compressed if .gz is appended
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub values: Option<PathBuf>,
    /// Count the occurrences of each value
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub frequencies: bool,
    /// Write a picture of the values, the time taken and, if there are any, the rare heaps, as SVG;
    /// `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// Write a program that computes the values by the period, in this language
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "LANGUAGE", conflicts_with_all = ["svg", "all"]))]
    pub code: Option<CodeLanguage>,
    /// Write a table of all octal codes with this number of digits
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u32).range(1..=4), conflicts_with_all = ["family", "certificate", "checkpoint", "values", "frequencies", "svg"]))]
    pub all: Option<u32>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl PeriodQuestion {
    /// Creates a question about a family in normal play. At most 100,000 values are computed.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::PeriodQuestion};
    /// use grundy_wording::Language;
    /// let answer = Analyst::default().answer(&PeriodQuestion::new("kayles(n)"), &Job::default())?;
    /// assert!(answer.json(Language::En).contains(r#""preperiod":71,"period":12"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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

    /// Returns the largest number of values of a family whose period can only be observed. By
    /// default it is smaller than for heaps, since these values take longer.
    ///
    /// ```
    /// use grundy_analysis::question::PeriodQuestion;
    /// let question = PeriodQuestion::new("game(moves, n)");
    /// assert_eq!(question.observed_max(), 10_000);
    /// assert_eq!(PeriodQuestion { max: 50, ..question }.observed_max(), 50);
    /// ```
    #[must_use]
    pub fn observed_max(&self) -> u64 {
        if self.max == VALUES {
            OBSERVED
        } else {
            self.max
        }
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
            code: None,
            all: None,
            play: Play::Normal,
        }
    }
}

/// `quotient`: a question for the misère quotient of a family.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct QuotientQuestion {
    /// A family of heaps with a free variable, kayles(n), or a list of positions,
    /// `[chomp(3, 2), kayles(7)]`
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", arg(value_name = "FAMILY"))]
    pub family: String,
    /// Examine heaps of at most this size
    #[serde(
        default = "QuotientQuestion::usual_max",
        deserialize_with = "at_most::<MOST_HEAPS, _, _>"
    )]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = HEAPS))]
    pub max: u64,
    /// Write a certificate of the proof
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
    /// Write the state to this file at intervals, and when the work is stopped
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub checkpoint: Option<PathBuf>,
    /// Number of seconds between two checkpoints
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t = PAUSE, requires = "checkpoint"))]
    pub every: f64,
    /// Resume from the checkpoint
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, requires = "checkpoint"))]
    pub resume: bool,
    /// Write a picture of the elements in layers, as SVG; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// Misère play: the player who makes the last move loses
    #[serde(default = "QuotientQuestion::usual_play", with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::always_misere()))]
    pub play: Play,
}

impl QuotientQuestion {
    /// Creates a question about a family. Heaps of size at most 10,000 are examined.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::QuotientQuestion};
    /// use grundy_wording::Language;
    /// // The misère quotient of this octal game has 20 elements.
    /// let question = QuotientQuestion::new("take_and_break('0.123', n)");
    /// let answer = Analyst::default().answer(&question, &Job::default())?;
    /// assert!(answer.json(Language::En).contains(r#""order":20"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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

/// `exercises`: a sheet of exercises, followed by the answers.
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
    /// Number of exercises
    #[serde(default = "usual_count", deserialize_with = "at_most::<1000, _, _>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = usual_count(), value_parser = clap::value_parser!(u64).range(1..=1000)))]
    pub count: u64,
    /// Difficulty, from 0 to 10
    #[serde(
        default = "usual_level",
        deserialize_with = "at_most::<{ HARDEST as u64 }, _, _>"
    )]
    #[cfg_attr(feature = "clap", arg(long, value_name = "L", default_value_t = usual_level(), value_parser = clap::value_parser!(u8).range(..=i64::from(HARDEST))))]
    pub level: u8,
    /// Seed: the same number gives the same sheet (default: a random seed)
    #[cfg_attr(feature = "clap", arg(long, value_name = "S"))]
    pub seed: Option<u64>,
    /// Print only this part
    #[cfg_attr(feature = "clap", arg(long, value_enum, conflicts_with = "json"))]
    pub only: Option<SheetPart>,
    /// Misère play: the player who makes the last move loses
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
