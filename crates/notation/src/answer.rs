//! The contract's JSON.

use grundy::solve::{GameValue, WinningMove};
use grundy::step::{Datum, Move, Step};
use grundy::{Outcome, Play, Player, Position, Solution, Verdict, Worth};
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
    out.insert("outcome".into(), json!(solution.verdict().to_string()));
    match &solution.value {
        Some(GameValue::Nimber(value)) => {
            out.insert("grundy".into(), json!(value));
        }
        Some(GameValue::Infinity(set)) => {
            out.insert("grundy".into(), json!({ "infinity": set }));
        }
        Some(GameValue::Number(value)) => {
            out.insert("value".into(), json!(value.to_string()));
        }
        None => {}
    }
    let remoteness: Option<Vec<Value>> = solution
        .beginnings
        .iter()
        .map(|beginning| beginning.remoteness.map(|moves| json!(moves)))
        .collect();
    if let Some(remoteness) = remoteness {
        out.insert("remoteness".into(), by_beginner(remoteness));
    }
    out.insert("status".into(), json!(solution.status.name()));
    out.insert("method".into(), json!(solution.method));
    let several = position.terms().len() > 1;
    let mut written = 0;
    let lists = solution
        .beginnings
        .iter()
        .map(|beginning| winning_moves(&beginning.moves, several, &mut written));
    out.insert("winning_moves".into(), by_beginner(lists.collect()));
    insert_remarks(&mut out, position.remarks());
    if !solution.moves_complete {
        out.insert("winning_moves_complete".into(), json!(false));
    }
    out
}

/// What there is for each player who may begin: alone where there is one, else by the names of the players.
fn by_beginner(of: Vec<Value>) -> Value {
    match <[Value; 2]>::try_from(of) {
        Ok([left, right]) => json!({"left": left, "right": right}),
        Err(mut of) => of.pop().unwrap_or(Value::Null),
    }
}

fn winning_moves(moves: &[WinningMove], several: bool, written: &mut usize) -> Value {
    let moves = moves.iter().map(|winning| {
        let mut out = self::mv(&winning.mv);
        if several {
            out.insert("component".into(), json!(winning.component));
        }
        if let Some(repeats) = winning.repeats {
            out.insert("step".into(), json!(repeats.step));
            out.insert("count".into(), json!(repeats.count));
        }
        if *written < BYTES {
            let to = winning.to.to_string();
            *written += to.len();
            out.insert("to".into(), json!(to));
        }
        Value::Object(out)
    });
    moves.collect()
}

/// The code of the words for who wins.
#[must_use]
pub fn verdict_code(verdict: Verdict) -> &'static str {
    use Player::{Left, Right};
    match verdict {
        Verdict::Outcome(Outcome::N) => "outcome_n",
        Verdict::Outcome(Outcome::P) => "outcome_p",
        Verdict::Outcome(Outcome::D) => "outcome_d",
        Verdict::Worth(Worth::Win) => "value_win",
        Verdict::Worth(Worth::Tie) => "value_tie",
        Verdict::Worth(Worth::Lose) => "value_lose",
        Verdict::Class(class) => match (class.left, class.right) {
            (Some(Left), Some(Left)) => "class_l",
            (Some(Right), Some(Right)) => "class_r",
            (Some(Left), Some(Right)) => "class_n",
            (Some(Right), Some(Left)) => "class_p",
            (Some(Left), None) => "class_ld",
            (Some(Right), None) => "class_rd",
            (None, Some(Left)) => "class_dl",
            (None, Some(Right)) => "class_dr",
            (None, None) => "outcome_d",
        },
    }
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
