//! The contract's JSON.

use grundy::step::{Datum, Move, Step};
use grundy::{Play, Position, Solution, partizan, ties};
use serde_json::{Map, Value, json};

use crate::wording::{Language, words};

/// Bytes of positions after winning moves; where they would be more, moves are given by `at` alone.
const BYTES: usize = 64 << 20;

/// The answer object of `solve`, without `id`.
#[must_use]
pub fn solution(position: &Position, play: Play, solution: &Solution) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!(position.to_string()));
    out.insert("play".into(), json!(play.to_string()));
    out.insert("outcome".into(), json!(solution.outcome.to_string()));
    if let Some(grundy) = solution.grundy {
        out.insert("grundy".into(), json!(grundy));
    }
    if let Some(set) = &solution.infinity {
        out.insert("grundy".into(), json!({ "infinity": set }));
    }
    if let Some(remoteness) = solution.remoteness {
        out.insert("remoteness".into(), json!(remoteness));
    }
    out.insert("status".into(), json!(solution.status.name()));
    out.insert("method".into(), json!(solution.method));
    let several = position.terms.len() > 1;
    let mut written = 0;
    let moves = solution
        .winning_moves
        .iter()
        .map(|winning| {
            let mut out = self::mv(&winning.mv);
            if several {
                out.insert("component".into(), json!(winning.component));
            }
            if let Some(repeats) = winning.repeats {
                out.insert("step".into(), json!(repeats.step));
                out.insert("count".into(), json!(repeats.count));
            }
            if written < BYTES {
                let to = winning.to.to_string();
                written += to.len();
                out.insert("to".into(), json!(to));
            }
            Value::Object(out)
        })
        .collect();
    out.insert("winning_moves".into(), Value::Array(moves));
    let remarks = position.terms.iter().flat_map(|term| term.remarks());
    insert_remarks(&mut out, remarks);
    if !solution.moves_complete {
        out.insert("winning_moves_complete".into(), json!(false));
    }
    out
}

/// The answer object of `solve` for a partizan position, without `id`.
#[must_use]
pub fn partizan_solution(
    position: &partizan::Position,
    play: Play,
    solution: &partizan::Solution,
) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!(position.to_string()));
    out.insert("play".into(), json!(play.to_string()));
    out.insert("outcome".into(), json!(solution.class.to_string()));
    if let Some(value) = solution.value {
        out.insert("value".into(), json!(value.to_string()));
    }
    out.insert("status".into(), json!("exact"));
    out.insert("method".into(), json!(solution.method));
    let several = position.terms.len() > 1;
    let mut written = 0;
    let mut list = |moves: &[partizan::WinningMove]| -> Vec<Value> {
        moves
            .iter()
            .map(|winning| {
                let mut out = self::mv(&winning.mv);
                if several {
                    out.insert("component".into(), json!(winning.component));
                }
                if written < BYTES {
                    let to = winning.to.to_string();
                    written += to.len();
                    out.insert("to".into(), json!(to));
                }
                Value::Object(out)
            })
            .collect()
    };
    let moves = json!({"left": list(&solution.left), "right": list(&solution.right)});
    out.insert("winning_moves".into(), moves);
    if !solution.moves_complete {
        out.insert("winning_moves_complete".into(), json!(false));
    }
    let remarks = position.terms.iter().flat_map(|term| term.remarks());
    insert_remarks(&mut out, remarks);
    out
}

/// The code of the words for the class of a partizan position.
#[must_use]
pub fn class_code(class: partizan::LoopyClass) -> &'static str {
    use partizan::Player::{Left, Right};
    match (class.left, class.right) {
        (Some(Left), Some(Left)) => "class_l",
        (Some(Right), Some(Right)) => "class_r",
        (Some(Left), Some(Right)) => "class_n",
        (Some(Right), Some(Left)) => "class_p",
        (Some(Left), None) => "class_ld",
        (Some(Right), None) => "class_rd",
        (None, Some(Left)) => "class_dl",
        (None, Some(Right)) => "class_dr",
        (None, None) => "outcome_d",
    }
}

/// The answer object of `solve` for a game that can end in a tie, without `id`.
#[must_use]
pub fn ties_solution(
    position: &dyn ties::AnyPosition,
    play: Play,
    solution: &ties::Solution,
) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!(position.text()));
    out.insert("play".into(), json!(play.to_string()));
    out.insert("outcome".into(), json!(solution.value.to_string()));
    out.insert("status".into(), json!("exact"));
    out.insert("method".into(), json!(solution.method));
    let moves = solution.keeping.iter().map(|keeping| {
        let mut out = self::mv(&keeping.mv);
        out.insert("to".into(), json!(keeping.to.text()));
        Value::Object(out)
    });
    out.insert("winning_moves".into(), moves.collect());
    out
}

fn insert_remarks(out: &mut Map<String, Value>, remarks: impl Iterator<Item = Step>) {
    let remarks: Vec<Value> = remarks.map(|remark| step(&remark, Language::En)).collect();
    if !remarks.is_empty() {
        out.insert("remarks".into(), Value::Array(remarks));
    }
}

/// A move: what it does, in English as everywhere in JSON, and its `at`.
#[must_use]
pub fn mv(mv: &Move) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("move".into(), json!(words(&mv.action, Language::En)));
    out.insert("at".into(), json!(mv.at));
    out
}

/// A step with its sentence.
#[must_use]
pub fn step(step: &Step, language: Language) -> Value {
    let args: Map<String, Value> = step
        .args
        .iter()
        .map(|(name, datum)| ((*name).to_owned(), self::datum(datum)))
        .collect();
    json!({"code": step.code, "args": args, "text": words(step, language)})
}

fn datum(datum: &Datum) -> Value {
    match datum {
        Datum::Int(n) => json!(n),
        Datum::Text(text) => json!(text),
        Datum::Bool(b) => json!(b),
        Datum::List(items) => Value::Array(items.iter().map(self::datum).collect()),
    }
}
