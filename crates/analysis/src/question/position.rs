//! Questions about one or two positions.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use grundy_core::Play;
use grundy_core::solve::Detail;
use grundy_forms::text::Literal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{PlayWord, PositionSource, is_usual};

/// `solve`: a question for the outcome, the value and every winning move.
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
    /// Compute only the outcome
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub outcome: bool,
    /// Compute only the outcome and the value, not the winning moves
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "outcome"))]
    pub no_moves: bool,
    /// Also compute the remoteness, which is the number of remaining moves under best play, by
    /// searching the whole sum
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub remoteness: bool,
    /// Also compute the genus, in misère play
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub genus: bool,
    /// A file of values and outcomes: reuse its results, and add new ones, so that a stopped search
    /// can be resumed
    #[serde(skip)]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", conflicts_with = "jsonl")
    )]
    pub table: Option<PathBuf>,
    /// Search a position with this many threads, where the search supports it [default: 1]
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
    /// Add the cost to each answer of a batch
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"]))]
    pub stats: bool,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord", skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl Solve {
    /// Creates a question for the outcome, the value and the winning moves of a position in normal
    /// play.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let answer = Analyst::default().answer(&Solve::new("kayles(9)"), &Job::default())?;
    /// assert!(answer.json(Language::En).contains(r#""grundy":4"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(expression: &str) -> Self {
        Self {
            source: expression.into(),
            ..Self::default()
        }
    }

    /// Returns the requested part of the answer: only the outcome, the outcome and the value, or
    /// these two and the winning moves.
    ///
    /// ```
    /// use grundy_analysis::question::Solve;
    /// use grundy_core::solve::Detail;
    /// let question = Solve::new("nim(3, 4, 5)");
    /// assert_eq!(question.wanted(), Detail::Moves);
    /// assert_eq!(Solve { no_moves: true, ..question }.wanted(), Detail::Value);
    /// ```
    #[must_use]
    pub fn wanted(&self) -> Detail {
        match (self.outcome, self.no_moves) {
            (true, _) => Detail::Outcome,
            (_, true) => Detail::Value,
            _ => Detail::Moves,
        }
    }
}

/// `explain`: a question for the answer of `solve` and the reasons for it.
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
    /// Prove the value m from the moves alone: list every position with its value, and the reply
    /// to each move in the position plus nim(m)
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "misere"))]
    pub proof: bool,
    /// `true` if the answer contains pictures: one of the position, and one of each step that can
    /// be drawn.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub pictures: bool,
    /// Write pictures into a folder: a picture of the position, and the picture of each step that
    /// can be drawn
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub svg: Option<PathBuf>,
    /// Write a single page to print, with the pictures; `-` is standard output
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub html: Option<PathBuf>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `value`: a question for the canonical form, the thermograph and quantities derived from them.
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
    /// Cool the value first: each move costs this number
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "T", allow_hyphen_values = true)
    )]
    pub cool: Option<String>,
    /// Heat the value first: each move gives its player this game
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "G", allow_hyphen_values = true)
    )]
    pub heat: Option<String>,
    /// Overheat the value first: an integer n becomes n times S, and each move gives its player T
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "S,T", allow_hyphen_values = true)
    )]
    pub overheat: Option<String>,
    /// Take the Norton product with this game first
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "U", allow_hyphen_values = true)
    )]
    pub norton: Option<String>,
    /// Cool the value first by its own temperature
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub freeze: bool,
    /// Write the form with braces and numbers only
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
    /// Add the cost to each answer of a batch
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, requires = "jsonl", conflicts_with_all = ["expr", "picture"]))]
    pub stats: bool,
    /// A file of values: reuse its values, and add new ones
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", conflicts_with_all = ["jsonl", "find", "random", "born"]))]
    pub table: Option<PathBuf>,
    /// Compute only these quantities, comma-separated (default: all cheap ones)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["find", "random", "born"]))]
    pub of: Vec<Quantity>,
    /// Write all digits of the genus, in misère play
    #[serde(default, skip_serializing_if = "is_usual")]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["find", "random", "born"]))]
    pub full: bool,
    /// Misère play: the player who makes the last move loses
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
    /// The number to which the game is infinitesimally close
    NumberPart,
    /// The atomic weight, of all-small games
    AtomicWeight,
    /// The reduced form: the simplest game whose difference from this game is infinitesimal
    Reduced,
    /// The birthday: the depth of the canonical form
    Birthday,
    /// The maximal incentives of both players
    Incentives,
    /// The expansion in powers of up
    Uptimal,
}

impl Quantity {
    /// Returns the name of the quantity in JSON.
    ///
    /// ```
    /// use grundy_analysis::question::Quantity;
    /// assert_eq!(Quantity::AtomicWeight.name(), "atomic_weight");
    /// ```
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

/// A request for quantities of a value. It lists the changes that are applied to the value first
/// (such as cooling), the quantities, and their format.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub struct ValueRequest {
    /// The changes of the value, in the order in which they are applied.
    pub changes: Vec<ValueChange>,
    /// `true` if the form is written with braces and numbers only.
    pub braces: bool,
    /// `true` if the form is also typeset for LaTeX.
    pub latex: bool,
    /// The requested quantities. An empty list requests all cheap ones.
    pub quantities: Vec<Quantity>,
    /// `true` if the thermograph is drawn. It is then computed even if its walls are long.
    pub draws_thermograph: bool,
    /// Normal or misère play.
    pub play: Play,
    /// `true` if all digits of the genus are written, in misère play.
    pub full: bool,
}

impl ValueRequest {
    /// Returns whether a quantity is requested, either because the list of quantities contains it,
    /// or because this list is empty.
    ///
    /// ```
    /// use grundy_analysis::question::{Quantity, ValueRequest};
    /// let quantities = vec![Quantity::Mean, Quantity::Temperature];
    /// let request = ValueRequest { quantities, ..ValueRequest::default() };
    /// assert!(request.wants(Quantity::Mean) && !request.wants(Quantity::Birthday));
    /// assert!(ValueRequest::default().wants(Quantity::Birthday));
    /// ```
    #[must_use]
    pub fn wants(&self, quantity: Quantity) -> bool {
        self.quantities.is_empty() || self.quantities.contains(&quantity)
    }
}

/// A change of a value before its quantities are computed.
#[derive(Clone, Debug)]
pub enum ValueChange {
    /// Cooling by a temperature.
    Cool(grundy_core::Dyadic),
    /// Heating by a game.
    Heat(Literal),
    /// Overheating from the first game to the second.
    Overheat(Literal, Literal),
    /// The Norton product with a game.
    Norton(Literal),
    /// Cooling the value by its own temperature.
    Freeze,
}

/// `compare`: a question for the relation of two games.
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
    /// The game to compare it with
    #[serde(rename = "with")]
    #[cfg_attr(
        feature = "clap",
        arg(id = "with", value_name = "EXPR", allow_hyphen_values = true)
    )]
    pub second: String,
    /// Explain who wins the difference, with an answer to each move of the loser
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub explain: bool,
    /// A file of values: reuse its values, and add new ones
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub table: Option<PathBuf>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

/// `draw`: a question for a picture of a position, of its game graph, or of thermographs.
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
    /// Label every edge of a Hackenbush picture with the number of its move, even if there are many
    /// edges
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub labels: bool,
    /// Draw the game graph: every reachable position, with its outcome and value
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub graph: bool,
    /// The requested format, unless one of the flags below selects another.
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
    /// Write the picture for LaTeX, in TikZ
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
    /// Mark the winning moves by an outline and a star
    #[serde(default, rename = "moves")]
    #[cfg_attr(feature = "clap", arg(long = "moves", id = "moves", conflicts_with_all = ["terminal", "dot", "graph"]))]
    pub winning: bool,
    /// Draw a button for each move that the picture itself cannot show, such as the split of a heap
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["terminal", "dot", "graph"]))]
    pub buttons: bool,
    /// Draw on a dark background
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["terminal", "dot"]))]
    pub dark: bool,
    /// Draw the thermographs of these games instead, in one picture
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long = "thermograph", id = "thermograph", value_name = "EXPR", num_args = 1.., allow_hyphen_values = false, conflicts_with_all = ["expr", "picture", "labels", "graph", "dot", "terminal", "title", "moves", "buttons"]))]
    pub thermographs: Vec<String>,
    /// Misère play: the player who makes the last move loses
    #[serde(default, with = "PlayWord")]
    #[cfg_attr(feature = "clap", arg(long = "misere", id = "misere", action = clap::ArgAction::SetTrue, value_parser = super::misere()))]
    pub play: Play,
}

impl Draw {
    /// Returns the format of the picture, from the flags or the key `form`.
    ///
    /// ```
    /// use grundy_analysis::question::{Draw, Drawing};
    /// assert_eq!(Draw { tikz: true, ..Draw::default() }.form(), Drawing::Tikz);
    /// assert_eq!(Draw::default().form(), Drawing::Svg);
    /// ```
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

/// The formats of pictures.
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
