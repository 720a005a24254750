//! The answers of the program, and the right ones.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::brute::{Fate, Solution};
use super::rules::{LEFT, RIGHT};
use super::sum::Sum;
use crate::program::grundy;

/// A winning move.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Winning {
    component: usize,
    at: Vec<i64>,
    to: String,
}

/// Leaves the first of those that lead to the same position.
fn merge(moves: &mut Vec<Winning>) {
    let mut seen = HashSet::new();
    moves.retain(|winning| seen.insert(winning.to.clone()));
}

/// The outcome and the winning moves of the players to move, by name where either may begin.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    outcome: String,
    moves: Vec<(String, Vec<Winning>)>,
}

/// What the definition says.
fn right_answer(sum: &Sum) -> Answer {
    let solution = Solution::new(&sum.tables, sum.misere);
    let winning = |player: usize| {
        let mut moves = Vec::new();
        for (component, term) in sum.terms.iter().enumerate() {
            let options = term.rules.options(&term.start, player);
            for ((at, to), wins) in options.into_iter().zip(solution.wins(player, component)) {
                let to = sum.after(component, &to);
                moves.extend(wins.then_some(Winning { component, at, to }));
            }
        }
        merge(&mut moves);
        moves.sort();
        moves
    };
    if sum.own_moves() {
        let moves = [("left", LEFT), ("right", RIGHT)];
        return Answer {
            outcome: outcome_class(solution.start(LEFT), solution.start(RIGHT)).to_owned(),
            moves: moves
                .map(|(name, player)| (name.to_owned(), winning(player)))
                .into(),
        };
    }
    let player = sum.to_move.unwrap_or(LEFT);
    let outcome = match solution.start(player) {
        Fate::Win => "N",
        Fate::Loss => "P",
        Fate::Draw => "D",
    };
    Answer {
        outcome: outcome.to_owned(),
        moves: vec![(String::new(), winning(player))],
    }
}

/// The class for what comes of it when Left begins and when Right begins.
fn outcome_class(left: Fate, right: Fate) -> &'static str {
    match (left, right) {
        (Fate::Win, Fate::Win) => "N",
        (Fate::Loss, Fate::Loss) => "P",
        (Fate::Win, Fate::Loss) => "L",
        (Fate::Loss, Fate::Win) => "R",
        (Fate::Draw, Fate::Draw) => "D",
        (Fate::Win, Fate::Draw) => "LD",
        (Fate::Loss, Fate::Draw) => "RD",
        (Fate::Draw, Fate::Win) => "DR",
        (Fate::Draw, Fate::Loss) => "DL",
    }
}

/// Reads an answer of the program; `None` when it is not a whole answer.
fn read(answer: &Value, terms: usize) -> Option<Answer> {
    if answer["status"] != "exact" || answer.get("winning_moves_complete").is_some() {
        return None;
    }
    let list = |moves: &Value| -> Option<Vec<Winning>> {
        let one = |winning: &Value| {
            let component = winning.get("component").map(Value::as_u64);
            let component = match (component, terms) {
                (None, 1) => 0,
                (Some(component), 2..) => component? as usize,
                _ => return None,
            };
            let at = winning["at"].as_array()?.iter().map(Value::as_i64);
            Some(Winning {
                component,
                at: at.collect::<Option<Vec<i64>>>()?,
                to: winning["to"].as_str()?.to_owned(),
            })
        };
        let mut moves = moves
            .as_array()?
            .iter()
            .map(one)
            .collect::<Option<Vec<_>>>()?;
        moves.sort();
        Some(moves)
    };
    let moves = match &answer["winning_moves"] {
        Value::Object(players) => players
            .iter()
            .map(|(name, moves)| Some((name.clone(), list(moves)?)))
            .collect::<Option<Vec<_>>>()?,
        moves => vec![(String::new(), list(moves)?)],
    };
    Some(Answer {
        outcome: answer["outcome"].as_str()?.to_owned(),
        moves,
    })
}

/// What the program answers to lines of a batch.
pub(crate) fn solve(folder: &Path, rules: Option<&str>, lines: &[Value]) -> Vec<Value> {
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let (batch, file) = (folder.join("batch.jsonl"), folder.join("rules.star"));
    fs::write(&batch, text.join("\n")).unwrap();
    let mut arguments = vec!["solve", "--jsonl", batch.to_str().unwrap()];
    if let Some(rules) = rules {
        fs::write(&file, rules).unwrap();
        arguments.extend(["--rules", file.to_str().unwrap()]);
    }
    let output = grundy(&arguments);
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(answers.len(), lines.len(), "{errors}");
    answers
}

/// The outcomes that occur. Fails with the sums for which the program does not say what the definition says.
pub(crate) fn check(folder: &Path, sums: &[Sum]) -> BTreeSet<String> {
    let mut files: Vec<Option<&str>> = sums.iter().map(|sum| sum.file).collect();
    files.sort_unstable();
    files.dedup();
    let (mut wrong, mut report) = (0, String::new());
    let mut outcomes = BTreeSet::new();
    for file in files {
        let sums: Vec<&Sum> = sums.iter().filter(|sum| sum.file == file).collect();
        let line = |sum: &&Sum| {
            let play = if sum.misere { "misere" } else { "normal" };
            json!({"game": sum.source(), "play": play})
        };
        let lines: Vec<Value> = sums.iter().map(line).collect();
        let answers = solve(folder, file, &lines);
        for ((sum, line), answer) in sums.into_iter().zip(&lines).zip(&answers) {
            let (expected, got) = (right_answer(sum), read(answer, sum.terms.len()));
            outcomes.insert(expected.outcome.clone());
            if got.as_ref() == Some(&expected) {
                continue;
            }
            wrong += 1;
            // A few are enough to see what is wrong.
            if wrong <= 20 {
                let _ = writeln!(report, "{line}\n  expected {expected:?}\n  got {answer}");
            }
        }
    }
    assert!(wrong == 0, "{wrong} of {} sums:\n{report}", sums.len());
    outcomes
}
