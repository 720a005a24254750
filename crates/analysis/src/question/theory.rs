//! Questions about matrices, trees, nimbers, values, and the games themselves.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use grundy_core::Play;
use grundy_matrix::dominance::Dominance;
use serde::{Deserialize, Deserializer};

use super::PlayWord;
use crate::keys::{at_most, some_at_most};

/// Default for the largest number of positions that `find` lists.
pub const FEW: usize = 5;

/// The last day whose values can be listed. On the next day there are too many for any computer.
pub const LAST_DAY: u32 = 3;

/// `matrix`: a question for the solution of a matrix game.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MatrixQuestion {
    /// The matrix: CSV, whitespace-separated, JSON or .nfg; `-` is standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: PathBuf,
    /// The content of the file, if the caller has already read it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub content: Option<Vec<u8>>,
    /// Show the tableaux of the simplex method, step by step
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub trace: bool,
    /// Write the graphical solution of a 2 by n or m by 2 game; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// Remove dominated strategies first, and show which strategies dominate them
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub dominance: Option<DominanceWord>,
    /// List the extreme optimal strategies, at most this many for each player
    #[serde(default, deserialize_with = "extreme")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIMIT"))]
    pub extreme: Option<NonZeroUsize>,
    /// Evaluate this strategy of the row player, such as 1/2,1/2
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "P", allow_hyphen_values = true)
    )]
    pub row_strategy: Option<String>,
    /// Evaluate this strategy of the column player
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "Q", allow_hyphen_values = true)
    )]
    pub col_strategy: Option<String>,
    /// Write a certificate of the solution
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub certificate: Option<PathBuf>,
}

fn extreme<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NonZeroUsize>, D::Error> {
    at_most::<10_000, usize, D>(from).map(NonZeroUsize::new)
}

/// The words for the kinds of [`Dominance`] in JSON and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DominanceWord {
    /// Another strategy is better against every choice of the opponent
    Strict,
    /// Another strategy is never worse and sometimes better
    Weak,
    /// A mixture of other strategies is better against every choice
    Mixed,
}

impl From<DominanceWord> for Dominance {
    fn from(word: DominanceWord) -> Self {
        match word {
            DominanceWord::Strict => Self::Strict,
            DominanceWord::Weak => Self::Weak,
            DominanceWord::Mixed => Self::Mixed,
        }
    }
}

/// `tree`: a question about the game tree of a small game.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct TreeQuestion {
    /// The position, in the notation, or an .efg file
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", arg(id = "expr", value_name = "EXPR|FILE.efg"))]
    pub source: String,
    /// Write a picture of the tree; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub svg: Option<PathBuf>,
    /// Draw equal positions of a layer once
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "svg"))]
    pub merge: bool,
    /// Show the moves that alpha-beta pruning skips, and why; a picture shows them dashed unless
    /// equal positions are merged
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub alpha_beta: bool,
    /// Print a strategy of each player that guarantees the value, as a table
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub table: bool,
    /// List this many strategies of each player, numbered from 0
    #[serde(default, deserialize_with = "some_at_most::<10_000, _, _>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIMIT"))]
    pub list: Option<u32>,
    /// List only strategies that guarantee the value of the game
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "list"))]
    pub optimal: bool,
    /// Play two strategies against each other, by their numbers or `best`, such as 0,best
    #[cfg_attr(feature = "clap", arg(long, value_name = "I,J"))]
    pub versus: Option<String>,
    /// Write the tree as an .efg file
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub efg: Option<PathBuf>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `nimber`: a question for the value of a nimber expression.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct NimberQuestion {
    /// The expression
    #[serde(rename = "game")]
    #[cfg_attr(
        feature = "clap",
        arg(id = "expr", value_name = "EXPR", allow_hyphen_values = true)
    )]
    pub expression: String,
    /// Explain the value: binary columns for sums; the distributive law and the rules for 2, 4, 16,
    /// 256, ... for at most 60 products; checks of quotients and roots
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub explain: bool,
}

/// `find`: a question for the positions with a given value, in a game that is played on squares.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FindQuestion {
    /// The name of a game on squares.
    pub game: String,
    /// The value that is searched for, written as in `literal`.
    pub equals: String,
    /// The largest board, such as `3x4`, or the length of the longest strip.
    pub within: String,
    /// Largest number of positions that are listed in the answer.
    #[serde(default = "few", deserialize_with = "at_most::<10_000, _, _>")]
    pub count: usize,
}

fn few() -> usize {
    FEW
}

/// `temperatures`: a question for the temperatures of a random sample of positions.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TemperaturesQuestion {
    /// The name of a game on squares.
    pub game: String,
    /// The size of the board, such as `3x4`, or the length of the strip.
    pub within: String,
    /// The number of positions in the sample.
    #[serde(default = "hundred", deserialize_with = "at_most::<1_000_000, _, _>")]
    pub count: u64,
    /// Seed of the sample. The same seed gives the same positions.
    #[serde(default)]
    pub seed: u64,
}

fn hundred() -> u64 {
    100
}

/// `born`: a question for all values born by a given day.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BornQuestion {
    /// The day, from 0 to [`LAST_DAY`].
    #[serde(
        default = "second",
        deserialize_with = "at_most::<{ LAST_DAY as u64 }, _, _>"
    )]
    pub day: u32,
    /// A file for a picture of the partial order of the values.
    pub svg: Option<PathBuf>,
}

fn second() -> u32 {
    2
}

/// `help`: a question for the rules of a game, or for the list of all games.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct HelpQuestion {
    /// The name of the game. `None` requests a list of all games.
    pub game: Option<String>,
}
