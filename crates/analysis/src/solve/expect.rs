//! What a line of a batch expects of its answer, and how the answer differs from it.

use grundy::{Message, message};
use grundy_notation::answer::{MoveView, Sides, SolutionView};
use serde::Serialize;
use serde_json::{Value, to_value};

/// What is expected; what is not named may be anything.
pub(super) struct Expected {
    outcome: Option<Value>,
    grundy: Option<Value>,
    /// The positions after the winning moves, in any order.
    moves: Option<Sides<Vec<String>>>,
}

/// How an answer agrees with what was expected.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Agreement {
    /// Nothing can be said where the answer is known in part and that part agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Sides<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<Sides<Vec<String>>>,
}

impl Agreement {
    pub(super) fn is_wrong(&self) -> bool {
        self.expected == Some(false)
    }
}

impl Expected {
    /// Reads the value of the key `expect`.
    pub(super) fn read(value: &Value) -> Result<Self, Message> {
        let Value::Object(object) = value else {
            return Err(message!("`expect` must be an object"));
        };
        for key in object.keys() {
            if !["outcome", "grundy", "winning_moves"].contains(&key.as_str()) {
                return Err(message!(
                    "`expect` knows outcome, grundy and winning_moves, not `{key}`",
                    key
                ));
            }
        }
        let moves = match object.get("winning_moves") {
            None => None,
            Some(Value::Object(sides))
                if sides.keys().all(|key| key == "left" || key == "right") =>
            {
                let side = |name| sides.get(name).map_or(Ok(Vec::new()), texts);
                let (left, right) = (side("left")?, side("right")?);
                Some(Sides::Both { left, right })
            }
            Some(list) => Some(Sides::Alone(texts(list)?)),
        };
        Ok(Self {
            outcome: object.get("outcome").cloned(),
            grundy: object.get("grundy").cloned(),
            moves,
        })
    }

    /// Whether an answer is as expected, and what is missing and what is extra.
    pub(super) fn compare(
        &self,
        answer: &SolutionView,
        canonical: impl Fn(&str) -> String,
    ) -> Agreement {
        let (mut wrong, mut open) = (false, false);
        let mut note = |agrees: bool, unknown: bool| {
            wrong |= !agrees && !unknown;
            open |= !agrees && unknown;
        };
        let (outcome, grundy) = (to_value(&answer.outcome), to_value(&answer.grundy));
        for (expected, found) in [(&self.outcome, outcome), (&self.grundy, grundy)] {
            if let Some(expected) = expected {
                let found = found.ok().filter(|found| !found.is_null());
                note(
                    found.as_ref() == Some(expected),
                    found.is_none() && answer.is_partial(),
                );
            }
        }
        let complete = answer.is_complete();
        let mut differ = |expected: &[String], found: &[String]| {
            let expected: Vec<String> = expected.iter().map(|text| canonical(text)).collect();
            let without = |all: &[String], others: &[String]| -> Vec<String> {
                let all = all.iter().filter(|text| !others.contains(text));
                all.cloned().collect()
            };
            let (missing, extra) = (without(&expected, found), without(found, &expected));
            note(extra.is_empty(), false);
            note(missing.is_empty(), !complete);
            (if complete { missing } else { Vec::new() }, extra)
        };
        let (missing, extra) = match (&self.moves, &answer.winning_moves) {
            (None, _) => (None, None),
            (Some(Sides::Alone(expected)), moves) => {
                let found = match moves {
                    Some(Sides::Alone(moves)) => positions(moves),
                    _ => Vec::new(),
                };
                let (missing, extra) = differ(expected, &found);
                (Some(Sides::Alone(missing)), Some(Sides::Alone(extra)))
            }
            (Some(Sides::Both { left, right }), moves) => {
                let found = match moves {
                    Some(Sides::Both { left, right }) => [positions(left), positions(right)],
                    _ => [Vec::new(), Vec::new()],
                };
                let (left, right) = (differ(left, &found[0]), differ(right, &found[1]));
                let both = |left, right| Some(Sides::Both { left, right });
                (both(left.0, right.0), both(left.1, right.1))
            }
        };
        Agreement {
            expected: (wrong || !open).then_some(!wrong),
            missing: missing.filter(|sides| sides.any(|list| !list.is_empty())),
            extra: extra.filter(|sides| sides.any(|list| !list.is_empty())),
        }
    }
}

fn texts(list: &Value) -> Result<Vec<String>, Message> {
    let list = list.as_array().and_then(|list| {
        let texts = list.iter().map(|text| Some(text.as_str()?.to_owned()));
        texts.collect::<Option<Vec<String>>>()
    });
    list.ok_or_else(|| {
        message!(
            "`winning_moves` of `expect` must be a list of positions, or one each for left and right"
        )
    })
}

/// The positions after the moves of an answer.
fn positions(moves: &[MoveView]) -> Vec<String> {
    moves.iter().filter_map(|found| found.to.clone()).collect()
}
