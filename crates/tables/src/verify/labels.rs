//! Verification of certificates of labelled graphs.
//!
//! The label (outcome and remoteness) and the value of each position are compared with the labels
//! and values of its options. The verifier shares no code with the labelling, so an error in the
//! labelling does not affect the verifier.

use std::collections::HashSet;
use std::fmt;

use grundy_core::limits::Limits;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Message, message};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All keys of a certificate of labels.
pub const KEYS: &[&str] = &[
    "kind",
    "play",
    "positions",
    "options",
    "labels",
    "values",
    "places",
];

/// The result of a successful verification of a certificate of labels.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedLabels {
    /// Number of positions.
    pub positions: usize,
    /// Number of moves in all positions.
    pub moves: usize,
    /// `true` if values were checked as well.
    pub values: bool,
}

impl CheckedLabels {
    /// Returns the result as a step of an explanation.
    #[must_use]
    pub fn step(&self) -> Step {
        Step::new(if self.values {
            "verified_labels_values"
        } else {
            "verified_labels"
        })
        .with("positions", self.positions)
        .with("moves", self.moves)
    }
}

/// The content of a parsed certificate of labels: a graph with the claimed labels and values of its
/// positions.
#[derive(Deserialize)]
struct Claim {
    play: WrittenPlay,
    positions: Option<Vec<String>>,
    options: Vec<Vec<u32>>,
    labels: Vec<Label>,
    values: Option<Vec<WrittenValue>>,
    places: Option<Vec<u64>>,
}

/// The kind of play, parsed from a JSON string. A derived implementation of `Deserialize` would
/// also accept an object whose key is the name of the variant.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
enum WrittenPlay {
    Normal,
    Misere,
}

impl TryFrom<String> for WrittenPlay {
    type Error = &'static str;

    fn try_from(written: String) -> Result<Self, &'static str> {
        match &written[..] {
            "normal" => Ok(Self::Normal),
            "misere" => Ok(Self::Misere),
            _ => Err("`play` is neither normal nor misere"),
        }
    }
}

/// A label: a win in a number of moves (such as `N3`), a loss in a number of moves (such as `P2`),
/// or a draw (`D`).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
enum Label {
    Won(u32),
    Lost(u32),
    Drawn,
}

impl TryFrom<String> for Label {
    type Error = InvalidLabel;

    fn try_from(written: String) -> Result<Self, InvalidLabel> {
        if written == "D" {
            return Ok(Self::Drawn);
        }
        let (made, digits): (fn(u32) -> Self, _) = match written.as_bytes() {
            [b'N', ..] => (Self::Won, &written[1..]),
            [b'P', ..] => (Self::Lost, &written[1..]),
            _ => return Err(InvalidLabel(written)),
        };
        match digits.parse::<u32>() {
            // Each number has only one accepted spelling, so that no two verifiers can read a
            // certificate differently.
            Ok(moves) if moves.to_string() == digits => Ok(made(moves)),
            _ => Err(InvalidLabel(written)),
        }
    }
}

struct InvalidLabel(String);

impl fmt::Display for InvalidLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text comes from a file of someone else, so the error shows only its beginning.
        let shown: String = self.0.chars().take(60).collect();
        write!(f, "`{shown}` is not a label")
    }
}

/// A Grundy value: a number, or infinity with a set in ascending order.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "Value")]
enum WrittenValue {
    Number(u32),
    Infinite(Vec<u32>),
}

/// The conversion is written by hand, since a derived one would also accept a list in place of an
/// object.
impl TryFrom<Value> for WrittenValue {
    type Error = &'static str;

    fn try_from(written: Value) -> Result<Self, &'static str> {
        let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let read = match &written {
            Value::Object(infinity) if infinity.len() == 1 => {
                let members = infinity.get("infinity").and_then(Value::as_array);
                let members = members.map(|members| members.iter().map(number).collect());
                members.flatten().map(Self::Infinite)
            }
            value => number(value).map(Self::Number),
        };
        read.ok_or("`values` may contain only numbers and infinities")
    }
}

fn rejection(why: &Message) -> Diagnostic {
    let message = message!("invalid certificate: {why}", why);
    Diagnostic::new(Kind::IllegalPosition, message)
}

/// Verifies a certificate of labels.
///
/// # Errors
/// A label or value that does not follow from the options, a malformed certificate, or the limit
/// that was reached.
pub fn labels(claim: &Value, limits: &Limits<'_>) -> Result<CheckedLabels, Diagnostic> {
    let claim = Claim::deserialize(claim).map_err(|error| {
        let why = grundy_notation::json_error(&error);
        let message = message!("invalid certificate: {why}", why);
        Diagnostic::new(Kind::Syntax, message)
    })?;
    claim.check(limits)
}

impl Claim {
    fn check(&self, limits: &Limits<'_>) -> Result<CheckedLabels, Diagnostic> {
        // The shape is checked first, so that the checks below can use indices safely.
        self.check_shape()?;
        let count = self.options.len();
        for position in 0..count {
            limits.poll()?;
            if !self.label_follows(position) {
                return Err(rejection(&message!(
                    "the label of position {position} does not follow from its options",
                    position
                )));
            }
        }
        if let (Some(values), Some(places)) = (&self.values, &self.places) {
            for position in 0..count {
                limits.poll()?;
                if !self.value_follows(position, values, places) {
                    return Err(rejection(&message!(
                        "the value of position {position} does not follow from its options",
                        position
                    )));
                }
            }
        }
        Ok(CheckedLabels {
            positions: count,
            moves: self.options.iter().map(Vec::len).sum(),
            values: self.values.is_some(),
        })
    }

    fn check_shape(&self) -> Result<(), Diagnostic> {
        let count = self.options.len();
        let distinct = |names: &Vec<String>| {
            // If two positions have the same name, they may be different positions of the game. It
            // would be unclear which one a label refers to.
            names.len() == count && names.iter().collect::<HashSet<_>>().len() == count
        };
        let ascending = |value: &WrittenValue| match value {
            WrittenValue::Number(_) => true,
            WrittenValue::Infinite(set) => set.is_sorted_by(|a, b| a < b),
        };
        let well = self.labels.len() == count
            && (self.options.iter().flatten()).all(|&option| (option as usize) < count)
            && self.positions.as_ref().is_none_or(distinct)
            && match (&self.values, &self.places) {
                (None, None) => true,
                // Only normal play has values. In a graph with cycles they cannot be checked
                // without places.
                (Some(values), Some(places)) => {
                    self.play == WrittenPlay::Normal
                        && values.len() == count
                        && places.len() == count
                        && values.iter().all(ascending)
                }
                _ => false,
            };
        if well {
            Ok(())
        } else {
            Err(rejection(&message!(
                "a list has the wrong length or is not in increasing order, or a move leads to a position that does not exist"
            )))
        }
    }

    /// Returns whether the label of a position follows from the labels of its options. A position
    /// with a lost option is won, and the quickest of its lost options determines the number of
    /// moves. If all options are won, the position is lost, and the slowest option determines the
    /// number of moves. Any other position with options is drawn. A position without options is
    /// lost in normal play and won in misère play.
    fn label_follows(&self, position: usize) -> bool {
        let options = &self.options[position];
        let label = self.labels[position];
        if options.is_empty() {
            return label
                == match self.play {
                    WrittenPlay::Normal => Label::Lost(0),
                    WrittenPlay::Misere => Label::Won(0),
                };
        }
        let of_options = || options.iter().map(|&option| self.labels[option as usize]);
        let quickest = of_options().filter_map(|label| match label {
            Label::Lost(moves) => Some(moves),
            Label::Won(_) | Label::Drawn => None,
        });
        let follows = if let Some(moves) = quickest.min() {
            // The certificate may claim `u32::MAX` moves, so the addition is checked.
            moves.checked_add(1).map(Label::Won)
        } else if of_options().any(|label| label == Label::Drawn) {
            Some(Label::Drawn)
        } else {
            let slowest = of_options().filter_map(|label| match label {
                Label::Won(moves) => Some(moves),
                Label::Lost(_) | Label::Drawn => None,
            });
            (slowest.max())
                .and_then(|moves| moves.checked_add(1))
                .map(Label::Lost)
        };
        follows == Some(label)
    }

    /// Returns whether the value of a position satisfies conditions (1), (2) and (3) of
    /// `docs/graphs.md`. The argument `places` gives the order of the positions that condition (2)
    /// requires.
    fn value_follows(&self, position: usize, values: &[WrittenValue], places: &[u64]) -> bool {
        let options = &self.options[position];
        let numbers: HashSet<u32> = options
            .iter()
            .filter_map(|&option| match values[option as usize] {
                WrittenValue::Number(value) => Some(value),
                WrittenValue::Infinite(_) => None,
            })
            .collect();
        let least = (0..)
            .find(|value| !numbers.contains(value))
            .unwrap_or(u32::MAX);
        match &values[position] {
            // Condition (2): an option with a larger or infinite value must revert. It has itself
            // an option with this value and a smaller place. Without places, two positions in a
            // cycle could justify each other.
            &WrittenValue::Number(value) => {
                let reverts = |&option: &u32| {
                    self.options[option as usize].iter().any(|&back| {
                        matches!(values[back as usize], WrittenValue::Number(other) if other == value)
                            && places[back as usize] < places[position]
                    })
                };
                let less = |&option: &u32| matches!(values[option as usize], WrittenValue::Number(other) if other < value);
                // Condition (1) is `value == least`: no option has this value, and every smaller
                // number occurs.
                value == least && options.iter().all(|option| less(option) || reverts(option))
            }
            // Condition (3): the set contains the finite values of the options, and the set of one
            // infinite option lacks the mex.
            WrittenValue::Infinite(set) => {
                let same =
                    set.len() == numbers.len() && set.iter().all(|value| numbers.contains(value));
                same && options.iter().any(|&option| {
                    matches!(&values[option as usize], WrittenValue::Infinite(set) if !set.contains(&least))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;
