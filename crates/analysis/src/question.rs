//! Questions as plain data: each kind of question is a struct whose fields are its settings.
//!
//! Serde reads the struct from the keys of a JSON object (see `keys.rs`). With the feature `clap`,
//! the struct can also be created from the arguments of the program. In this case, the doc comment
//! of a field is the help text of its option. A field with `serde(skip)` does not exist in JSON. A
//! field with `arg(skip)` does not exist on the command line.

mod family;
mod graph;
mod play;
mod position;
mod theory;

use std::path::PathBuf;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Play, Player, Position, message};
use grundy_job::Reader;
pub use grundy_job::graph_file::GraphFormat;
pub use grundy_play::exercises::SheetPart;
pub use grundy_play::playing::PERFECT;
pub use grundy_play::practice::{HARDEST, QuestionKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use family::{
    CellOf, CodeLanguage, ExercisesQuestion, PeriodQuestion, QuotientQuestion, TableForm,
    TableQuestion,
};
pub use graph::{ConvertQuestion, LabelQuestion, Probe, TablesQuestion, Verify};
pub use play::{Analyse, BoardQuestion, Hint, OfGame, Played, Practise, Reply, Review};
pub use position::{
    CompareQuestion, Draw, Drawing, Explain, Quantity, Solve, ValueChange, ValueQuestion,
    ValueRequest,
};
pub use theory::{
    BornQuestion, DominanceWord, FEW, FindQuestion, HelpQuestion, LAST_DAY, MatrixQuestion,
    NimberQuestion, TemperaturesQuestion, TreeQuestion,
};

/// A position: in the notation, as a Hackenbush picture in a file, or as the sum of both.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PositionSource {
    /// The position, in the notation
    #[cfg_attr(feature = "clap", arg(id = "expr", value_name = "EXPR"))]
    pub expression: Option<String>,
    /// A Hackenbush picture: a list of edges such as `0-1 1-2`, or an SVG drawing
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub picture: Option<PathBuf>,
    /// A position that has already been parsed, in place of `expression`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub given: Option<Position>,
}

impl From<Position> for PositionSource {
    fn from(position: Position) -> Self {
        Self {
            given: Some(position),
            ..Self::default()
        }
    }
}

impl From<String> for PositionSource {
    fn from(expression: String) -> Self {
        Self {
            expression: Some(expression),
            ..Self::default()
        }
    }
}

impl From<&str> for PositionSource {
    fn from(expression: &str) -> Self {
        expression.to_owned().into()
    }
}

impl<'de> Deserialize<'de> for PositionSource {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self::from)
    }
}

impl Serialize for PositionSource {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.expression.serialize(to)
    }
}

impl PositionSource {
    /// Returns the position, parsed from the expression and the picture.
    pub(crate) fn position(&self, reader: &Reader) -> Result<Position, Diagnostic> {
        if let Some(position) = &self.given {
            return Ok(position.clone());
        }
        let position = match &self.expression {
            None if self.picture.is_none() => {
                let help = if reader.rules().is_some() {
                    message!("write a position of the rule file, such as \"game(moves, 10)\"")
                } else {
                    message!(
                        "write a position, such as \"nim(3, 4, 5)\", or name a file with {option}",
                        option = Setting::command_line("picture")
                    )
                };
                let message = message!("no position given");
                return Err(Diagnostic::new(Kind::Syntax, message).help(help));
            }
            // If there is only a picture, it is added to the empty position.
            None => Position::default(),
            Some(text) => reader.read(text)?,
        };
        let Some(path) = &self.picture else {
            return Ok(position);
        };
        let mut terms = position.terms().to_vec();
        terms.push(reader.picture(path)?);
        Position::sum(terms)
    }

    /// Returns whether the position is not given in the notation.
    fn is_unwritten(&self) -> bool {
        self.expression.is_none()
    }
}

/// Returns whether a key has its default value, so that it can be omitted.
fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The JSON values of [`Play`].
#[derive(Deserialize, Serialize)]
#[serde(remote = "Play", rename_all = "lowercase")]
enum PlayWord {
    Normal,
    Misere,
}

/// The JSON values of [`Player`].
#[derive(Deserialize)]
#[serde(remote = "Player", rename_all = "lowercase")]
enum PlayerWord {
    Left,
    Right,
}

/// Parses the flag `--misere` as a play convention: misère play if it is set, normal play
/// otherwise.
#[cfg(feature = "clap")]
fn misere() -> impl clap::builder::TypedValueParser<Value = Play> {
    use clap::builder::{BoolishValueParser, TypedValueParser as _};
    BoolishValueParser::new().map(|misere| if misere { Play::Misere } else { Play::Normal })
}

/// Parses the flag `--misere` for a question that is always about misère play.
#[cfg(feature = "clap")]
fn always_misere() -> impl clap::builder::TypedValueParser<Value = Play> {
    use clap::builder::{BoolishValueParser, TypedValueParser as _};
    BoolishValueParser::new().map(|_| Play::Misere)
}
