//! What a line of a batch expects of its answer, and how the answer differs from it.

use serde_json::{Map, Value, json};

/// What is expected; what is not named may be anything.
pub(super) struct Expected {
    outcome: Option<Value>,
    grundy: Option<Value>,
    moves: Option<Moves>,
}

/// The positions after the winning moves, in any order.
enum Moves {
    Both(Vec<String>),
    Sides([Vec<String>; 2]),
}

const SIDES: [&str; 2] = ["left", "right"];

impl Expected {
    /// Reads the value of the key `expect`.
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        let Value::Object(object) = value else {
            return Err("`expect` must be an object".to_owned());
        };
        for key in object.keys() {
            if !["outcome", "grundy", "winning_moves"].contains(&key.as_str()) {
                return Err(format!(
                    "`expect` knows outcome, grundy and winning_moves, not `{key}`"
                ));
            }
        }
        let moves = match object.get("winning_moves") {
            None => None,
            Some(Value::Object(sides)) if sides.keys().all(|key| SIDES.contains(&&**key)) => {
                let side = |name| sides.get(name).map_or(Ok(Vec::new()), texts);
                Some(Moves::Sides([side("left")?, side("right")?]))
            }
            Some(list) => Some(Moves::Both(texts(list)?)),
        };
        Ok(Self {
            outcome: object.get("outcome").cloned(),
            grundy: object.get("grundy").cloned(),
            moves,
        })
    }

    /// Adds to an answer whether it is as expected, and what is missing and what is extra. Where the answer is known in part
    /// and that part agrees, nothing can be said.
    pub(super) fn compare(
        &self,
        answer: &mut Map<String, Value>,
        canonical: impl Fn(&str) -> String,
    ) {
        let partial = answer.get("status") == Some(&json!("partial"));
        let mut agreement = Agreement {
            wrong: false,
            open: false,
        };
        for (key, expected) in [("outcome", &self.outcome), ("grundy", &self.grundy)] {
            if let Some(expected) = expected {
                let found = answer.get(key);
                agreement.note(found == Some(expected), found.is_none() && partial);
            }
        }
        let complete = answer.get("winning_moves_complete") != Some(&json!(false)) && !partial;
        let mut differ = |expected: &[String], found: &[String]| {
            let expected: Vec<String> = expected.iter().map(|text| canonical(text)).collect();
            let without = |all: &[String], others: &[String]| -> Vec<String> {
                let all = all.iter().filter(|text| !others.contains(text));
                all.cloned().collect()
            };
            let (missing, extra) = (without(&expected, found), without(found, &expected));
            agreement.note(extra.is_empty(), false);
            agreement.note(missing.is_empty(), !complete);
            (if complete { missing } else { Vec::new() }, extra)
        };
        let (missing, extra) = match &self.moves {
            None => (Value::Null, Value::Null),
            Some(Moves::Both(expected)) => {
                let (missing, extra) = differ(expected, &found(answer.get("winning_moves")));
                (listed(&missing), listed(&extra))
            }
            Some(Moves::Sides(sides)) => {
                let moves = answer.get("winning_moves");
                let [left, right] = [0, 1].map(|side| {
                    differ(
                        &sides[side],
                        &found(moves.and_then(|moves| moves.get(SIDES[side]))),
                    )
                });
                (sided(&left.0, &right.0), sided(&left.1, &right.1))
            }
        };
        if agreement.wrong || !agreement.open {
            answer.insert("expected".into(), json!(!agreement.wrong));
        }
        for (key, value) in [("missing", missing), ("extra", extra)] {
            if !value.is_null() {
                answer.insert(key.into(), value);
            }
        }
    }
}

/// How the parts of an answer that were compared agree with what was expected.
struct Agreement {
    wrong: bool,
    open: bool,
}

impl Agreement {
    fn note(&mut self, agrees: bool, unknown: bool) {
        self.wrong |= !agrees && !unknown;
        self.open |= !agrees && unknown;
    }
}

fn texts(list: &Value) -> Result<Vec<String>, String> {
    let list = list.as_array().and_then(|list| {
        let texts = list.iter().map(|text| Some(text.as_str()?.to_owned()));
        texts.collect::<Option<Vec<String>>>()
    });
    list.ok_or_else(|| {
        "`winning_moves` of `expect` must be a list of positions, or one each for left and right"
            .to_owned()
    })
}

/// The positions after the moves of an answer.
fn found(moves: Option<&Value>) -> Vec<String> {
    let moves = moves.and_then(Value::as_array).into_iter().flatten();
    let texts = moves.filter_map(|found| Some(found.get("to")?.as_str()?.to_owned()));
    texts.collect()
}

fn listed(texts: &[String]) -> Value {
    if texts.is_empty() {
        Value::Null
    } else {
        json!(texts)
    }
}

fn sided(left: &[String], right: &[String]) -> Value {
    if left.is_empty() && right.is_empty() {
        return Value::Null;
    }
    json!({"left": left, "right": right})
}
