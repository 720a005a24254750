//! Questions about one position or two.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use grundy::Play;
use grundy::solve::Wanted;
use grundy_forms::text::Literal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{PlayWord, PositionSource, is_usual};

/// `solve`: who wins, the value, every winning move.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct Solve {
    #[serde(rename = "game", skip_serializing_if = "PositionSource::is_unwritten")]
    #[cfg_attr(feature = "clap", command(flatten))]
    #[allow(
        missing_docs,
        reason = "a doc comment would be the help of the command"
    )]
    pub source: PositionSource,
    /// Stop at who wins
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub outcome: bool,
    /// Stop at who wins and the value: look for no winning moves
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "outcome"))]
    pub no_moves: bool,
    /// Also count the moves left with best play, by searching the whole sum
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub remoteness: bool,
    /// Also tell the genus, in misère play
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub genus: bool,
    /// A file with values and who wins: what is in it is not worked out again, what is new is
    /// added, so that a stopped search goes on
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", conflicts_with = "jsonl")
    )]
    pub table: Option<PathBuf>,
    /// Let so many cores look at one position where work can be shared out [default: 1]
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", conflicts_with = "jsonl")
    )]
    pub threads: Option<NonZeroUsize>,
    /// The expected answer.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub expect: Option<Value>,
    /// Add to every answer of a batch what it took
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"]))]
    pub stats: bool,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord", skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl Solve {
    /// Asks who wins a position in normal play, with the value and the winning moves.
    #[must_use]
    pub fn new(expression: &str) -> Self {
        Self {
            source: expression.into(),
            ..Self::default()
        }
    }

    /// Returns how much of the answer is wanted.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        match (self.outcome, self.no_moves) {
            (true, _) => Wanted::Outcome,
            (_, true) => Wanted::Value,
            _ => Wanted::Moves,
        }
    }
}

/// `explain`: the answer of `solve`, and the reasons.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Explain {
    #[serde(rename = "game")]
    #[cfg_attr(feature = "clap", command(flatten))]
    #[allow(
        missing_docs,
        reason = "a doc comment would be the help of the command"
    )]
    pub source: PositionSource,
    /// Prove the value m from the moves alone: every position of the game tree with its value, and
    /// the second player's answer to every move in the sum with a Nim heap of m
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "misere"))]
    pub proof: bool,
    /// Return pictures with the steps.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub pictures: bool,
    /// Write pictures into a folder: the position, and one for each step that has one
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub svg: Option<PathBuf>,
    /// Write everything as one page to print, with the pictures; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub html: Option<PathBuf>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `value`: the canonical form, the thermograph, and what is asked of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct ValueQuestion {
    #[serde(rename = "game", skip_serializing_if = "PositionSource::is_unwritten")]
    #[cfg_attr(feature = "clap", command(flatten))]
    #[allow(
        missing_docs,
        reason = "a doc comment would be the help of the command"
    )]
    pub source: PositionSource,
    /// Cool the value first: each move costs so much
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "T", allow_hyphen_values = true)
    )]
    pub cool: Option<String>,
    /// Heat it: each move gives its player this game
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "G", allow_hyphen_values = true)
    )]
    pub heat: Option<String>,
    /// Overheat it: an integer n becomes n times S, and each move gives its player T
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "S,T", allow_hyphen_values = true)
    )]
    pub overheat: Option<String>,
    /// The Norton product by a game
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "U", allow_hyphen_values = true)
    )]
    pub norton: Option<String>,
    /// Cool it by its own temperature
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub freeze: bool,
    /// Write the form in braces alone, with numbers
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub form: bool,
    /// Also typeset the form for LaTeX
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub latex: bool,
    /// Draw the thermograph; `-` is standard output
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", conflicts_with = "jsonl")
    )]
    pub svg: Option<PathBuf>,
    /// The expected answer.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub expect: Option<Value>,
    /// Add to every answer of a batch what it took
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"]))]
    pub stats: bool,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", conflicts_with_all = ["jsonl", "find", "random", "born"]))]
    pub table: Option<PathBuf>,
    /// Compute only these, comma-separated (default: all that are cheap)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["find", "random", "born"]))]
    pub of: Vec<Quantity>,
    /// Write all digits of the genus, in misère play
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["find", "random", "born"]))]
    pub full: bool,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord", skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// A quantity that `value` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::ValueEnum),
    value(rename_all = "snake_case")
)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The outcome
    Outcome,
    /// The canonical form
    Form,
    /// The left stop and the right stop
    Stops,
    /// The mean
    Mean,
    /// The temperature
    Temperature,
    /// The walls of the thermograph
    Thermograph,
    /// The number that it is infinitesimally close to
    NumberPart,
    /// The atomic weight, of all-small games
    AtomicWeight,
    /// The simplest game that differs by an infinitesimal
    Reduced,
    /// The day on which it is born
    Birthday,
    /// The maximal incentives of both players
    Incentives,
    /// The expansion in powers of up
    Uptimal,
}

impl Quantity {
    /// Returns its name in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Form => "form",
            Self::Stops => "stops",
            Self::Mean => "mean",
            Self::Temperature => "temperature",
            Self::Thermograph => "thermograph",
            Self::NumberPart => "number_part",
            Self::AtomicWeight => "atomic_weight",
            Self::Reduced => "reduced",
            Self::Birthday => "birthday",
            Self::Incentives => "incentives",
            Self::Uptimal => "uptimal",
        }
    }
}

/// Changes of a value before it is reported, and how it is written.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct Telling {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// Write the form in braces alone.
    pub braces: bool,
    /// Typeset the form.
    pub latex: bool,
    /// The quantities to compute; if it is empty, all that are cheap.
    pub of: Vec<Quantity>,
    /// Compute the thermograph for a picture, however long it is.
    pub picture: bool,
    /// Normal or misère play.
    pub play: Play,
    /// Write all digits of the genus, in misère play.
    pub full: bool,
}

impl Telling {
    /// Returns whether a quantity is named, or none is.
    #[must_use]
    pub fn wants(&self, quantity: Quantity) -> bool {
        self.of.is_empty() || self.of.contains(&quantity)
    }
}

/// A change of a value.
#[derive(Clone, Debug)]
pub enum Change {
    /// Cooling by a temperature.
    Cool(grundy::Dyadic),
    /// Heating by a game.
    Heat(Literal),
    /// Overheating from one game to another.
    Overheat(Literal, Literal),
    /// The Norton product by a game.
    Norton(Literal),
    /// Cooling by its own temperature.
    Freeze,
}

/// `compare`: the relation of two games.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CompareQuestion {
    /// A game
    #[serde(rename = "game")]
    #[cfg_attr(
        feature = "clap",
        arg(id = "expr", value_name = "EXPR", allow_hyphen_values = true)
    )]
    pub first: String,
    /// The game it is compared with
    #[serde(rename = "with")]
    #[cfg_attr(
        feature = "clap",
        arg(id = "with", value_name = "EXPR", allow_hyphen_values = true)
    )]
    pub second: String,
    /// Why: how the difference of the two is won, with an answer to each move of the one who loses
    /// it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub explain: bool,
    /// A file with values: those in it are not worked out again, and new ones are added
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub table: Option<PathBuf>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `draw`: a picture of a position, of its game graph, or of thermographs.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct Draw {
    #[serde(default, rename = "game")]
    #[cfg_attr(feature = "clap", command(flatten))]
    #[allow(
        missing_docs,
        reason = "a doc comment would be the help of the command"
    )]
    pub source: PositionSource,
    /// Write the number of its move at every edge of Hackenbush
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub labels: bool,
    /// Draw the game graph: every position that can be reached, with who wins and the value
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub graph: bool,
    /// The form of the picture.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub form: Drawing,
    /// Write the game graph in the language of Graphviz
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["json", "terminal"]))]
    pub dot: bool,
    /// Draw with characters, for a terminal
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["json", "graph"]))]
    pub terminal: bool,
    /// Use ASCII characters only
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, requires = "terminal"))]
    pub ascii: bool,
    /// Write the picture for LaTeX, in the language of TikZ
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["json", "terminal", "dot", "graph"]))]
    pub tikz: bool,
    /// Write the picture to a file; `-` is standard output
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", conflicts_with_all = ["json", "terminal", "dot", "tikz"]))]
    pub svg: Option<PathBuf>,
    /// Write the expression above the picture
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub title: bool,
    /// Mark the winning moves, by an outline and a star
    #[serde(default, rename = "moves")]
    #[cfg_attr(feature = "clap", arg(long = "moves", id = "moves", conflicts_with_all = ["terminal", "dot", "graph"]))]
    pub winning: bool,
    /// Draw a button for every move that has no place of its own in the picture, such as the split
    /// of a heap
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["terminal", "dot", "graph"]))]
    pub buttons: bool,
    /// Draw on dark ground
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["terminal", "dot"]))]
    pub dark: bool,
    /// Draw the thermographs of these games instead, all in one picture
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long = "thermograph", id = "thermograph", value_name = "EXPR", num_args = 1.., allow_hyphen_values = false, conflicts_with_all = ["expr", "picture", "labels", "graph", "dot", "terminal", "title", "moves", "buttons"]))]
    pub thermographs: Vec<String>,
    /// Misère play: who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl Draw {
    /// Returns the form of the picture.
    #[must_use]
    pub fn form(&self) -> Drawing {
        match (self.dot, self.terminal, self.tikz) {
            (true, ..) => Drawing::Dot,
            (_, true, _) => Drawing::Terminal,
            (.., true) => Drawing::Tikz,
            _ => self.form,
        }
    }
}

/// The forms of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// SVG.
    #[default]
    Svg,
    /// The language of Graphviz.
    Dot,
    /// TikZ, for LaTeX.
    Tikz,
    /// Characters, for a terminal.
    Terminal,
}
