//! Certificates of labelled graphs. Of the code that labels nothing is used: each position is
//! compared with its options.

use std::collections::HashSet;
use std::fmt;

use grundy::limits::Limits;
use grundy::step::Step;
use grundy::{Diagnostic, Kind, Message, message};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The keys of every such certificate.
pub const KEYS: &[&str] = &[
    "kind",
    "play",
    "positions",
    "options",
    "labels",
    "values",
    "places",
];

/// Labels that were checked.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedLabels {
    /// How many positions there are.
    pub positions: usize,
    /// How many moves they have in all.
    pub moves: usize,
    /// `true` if they have values, too.
    pub values: bool,
}

impl CheckedLabels {
    /// What was checked.
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

/// A claim as it is written.
#[derive(Deserialize)]
struct Claim {
    play: WrittenPlay,
    positions: Option<Vec<String>>,
    options: Vec<Vec<u32>>,
    labels: Vec<Label>,
    values: Option<Vec<WrittenValue>>,
    places: Option<Vec<u64>>,
}

/// A word, and no object with this word as its key, which serde would read as the same.
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

/// Won or lost in so many moves, or a draw: `N3`, `P2`, `D`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
enum Label {
    Won(u32),
    Lost(u32),
    Drawn,
}

impl TryFrom<String> for Label {
    type Error = NoLabel;

    fn try_from(written: String) -> Result<Self, NoLabel> {
        if written == "D" {
            return Ok(Self::Drawn);
        }
        let (made, digits): (fn(u32) -> Self, _) = match written.as_bytes() {
            [b'N', ..] => (Self::Won, &written[1..]),
            [b'P', ..] => (Self::Lost, &written[1..]),
            _ => return Err(NoLabel(written)),
        };
        match digits.parse::<u32>() {
            Ok(moves) if moves.to_string() == digits => Ok(made(moves)),
            _ => Err(NoLabel(written)),
        }
    }
}

struct NoLabel(String);

impl fmt::Display for NoLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.0.chars().take(60).collect();
        write!(f, "`{shown}` is no label")
    }
}

/// A number, or infinity with a set in order.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "Value")]
enum WrittenValue {
    Number(u32),
    Infinite(Vec<u32>),
}

/// An infinity is an object with one key. As a struct serde would read it from a list, too.
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
        read.ok_or("`values` has something else than numbers and infinities")
    }
}

fn refused(why: &Message) -> Diagnostic {
    let message = message!("the certificate is refused: {why}", why);
    Diagnostic::new(Kind::IllegalPosition, message)
}

/// Checks a claim.
///
/// # Errors
/// A claim that is wrong or malformed, or the limit that was reached.
pub fn labels(claim: &Value, limits: &Limits<'_>) -> Result<CheckedLabels, Diagnostic> {
    let claim = Claim::deserialize(claim).map_err(|error| {
        let why = grundy_notation::json_error(&error);
        let message = message!("the certificate is refused: {why}", why);
        Diagnostic::new(Kind::Syntax, message)
    })?;
    claim.check(limits)
}

impl Claim {
    fn check(&self, limits: &Limits<'_>) -> Result<CheckedLabels, Diagnostic> {
        self.check_shape()?;
        let count = self.options.len();
        for position in 0..count {
            limits.poll()?;
            if !self.label_follows(position) {
                return Err(refused(&message!(
                    "the label of position {position} is not what follows from its options",
                    position
                )));
            }
        }
        if let (Some(values), Some(places)) = (&self.values, &self.places) {
            for position in 0..count {
                limits.poll()?;
                if !self.value_follows(position, values, places) {
                    return Err(refused(&message!(
                        "the value of position {position} is not what follows from its options",
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
            Err(refused(&message!(
                "a list has the wrong length or order, or an option does not exist"
            )))
        }
    }

    /// Returns an end is what play makes it; else it is won by the quickest lost option, lost when
    /// all are won, by the slowest, and a draw when none is lost and one is drawn.
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

    /// Returns the conditions (1), (2) and (3) of `docs/graphs.md`.
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
            &WrittenValue::Number(value) => {
                let reverts = |&option: &u32| {
                    self.options[option as usize].iter().any(|&back| {
                        matches!(values[back as usize], WrittenValue::Number(other) if other == value)
                            && places[back as usize] < places[position]
                    })
                };
                let less = |&option: &u32| matches!(values[option as usize], WrittenValue::Number(other) if other < value);
                value == least && options.iter().all(|option| less(option) || reverts(option))
            }
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
