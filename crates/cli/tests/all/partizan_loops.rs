//! Loopy partizan games: `solve`, `explain`, `play` and `table` compared with a direct
//! implementation of the definition, and with `label`.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use crate::program::{command, folder, grundy, grundy_with};
use serde_json::Value;

const RULES: &str = "
def left(n):
    if n in (0, 4): return []
    return [(n + 1) % 9, (n * 2) % 9]
def right(n):
    if n in (0, 5): return []
    return [(n + 8) % 9, (n * 4 + 1) % 9]
";

/// Writes the rule file to `folder` and returns its path.
fn rules(folder: &Path) -> String {
    let file = folder.join("rules.star");
    fs::write(&file, RULES).unwrap();
    file.to_str().unwrap().to_owned()
}

/// A sum of positions of the game in `RULES`, in which a piece moves on a cycle of nine places.
/// The last component may be a Nim heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Sum {
    places: Vec<u64>,
    heap: Option<u64>,
}

impl Sum {
    fn text(&self) -> String {
        let places = self.places.iter().map(|n| format!("game(rules, {n})"));
        let heap = self.heap.iter().map(|n| format!("nim({n})"));
        places.chain(heap).collect::<Vec<String>>().join(" + ")
    }

    /// Returns the options of a player (0 is Left), in the order of the rule file.
    fn options(&self, player: usize) -> Vec<Self> {
        let mut found = Vec::new();
        for (index, &n) in self.places.iter().enumerate() {
            let to = match (player, n) {
                (_, 0) | (0, 4) | (1, 5) => continue,
                (0, n) => [(n + 1) % 9, n * 2 % 9],
                (_, n) => [(n + 8) % 9, (n * 4 + 1) % 9],
            };
            for to in to {
                let mut next = self.clone();
                next.places[index] = to;
                found.push(next);
            }
        }
        let heap = self.heap.unwrap_or(0);
        for left in 0..heap {
            let heap = Some(left);
            let places = self.places.clone();
            found.push(Self { places, heap });
        }
        found
    }
}

/// Returns, for each sum and each player to move, whether this player wins, and in how many moves.
/// Draws have no entry. The iteration ends after a round that changes nothing.
// A list instead of a set keeps the code obviously correct; the games are tiny.
fn by_rounds(start: &Sum, misere: bool) -> HashMap<(Sum, usize), (bool, u32)> {
    let mut all = vec![start.clone()];
    let mut next = 0;
    while next < all.len() {
        for player in [0, 1] {
            for to in all[next].options(player) {
                if !all.contains(&to) {
                    all.push(to);
                }
            }
        }
        next += 1;
    }
    let mut known: HashMap<(Sum, usize), (bool, u32)> = HashMap::new();
    for round in 0.. {
        let before = known.clone();
        for (sum, player) in all.iter().flat_map(|sum| [(sum, 0), (sum, 1)]) {
            if before.contains_key(&(sum.clone(), player)) {
                continue;
            }
            let options = sum.options(player);
            let after = |to: &Sum| before.get(&(to.clone(), 1 - player)).map(|known| known.0);
            let wins = if options.is_empty() {
                Some(misere)
            } else if options.iter().any(|to| after(to) == Some(false)) {
                Some(true)
            } else {
                let lost = options.iter().all(|to| after(to) == Some(true));
                lost.then_some(false)
            };
            if let Some(wins) = wins {
                known.insert((sum.clone(), player), (wins, round));
            }
        }
        if round > 0 && known.len() == before.len() {
            return known;
        }
    }
    unreachable!()
}

fn class(known: &HashMap<(Sum, usize), (bool, u32)>, sum: &Sum) -> String {
    let letter = |player: usize| match known.get(&(sum.clone(), player)) {
        None => 'D',
        Some((wins, _)) => ['L', 'R'][if *wins { player } else { 1 - player }],
    };
    match (letter(0), letter(1)) {
        ('L', 'R') => "N".to_owned(),
        ('R', 'L') => "P".to_owned(),
        (one, two) if one == two => one.to_string(),
        (one, two) => format!("{one}{two}"),
    }
}

/// Returns the sums under test: every place alone, every place with a Nim heap of 1 or 2, and every
/// ordered pair of places.
fn sums() -> Vec<Sum> {
    let mut sums = Vec::new();
    for a in 0..9 {
        for heap in [None, Some(1), Some(2)] {
            let places = vec![a];
            sums.push(Sum { places, heap });
        }
        for b in 0..9 {
            let places = vec![a, b];
            let heap = None;
            sums.push(Sum { places, heap });
        }
    }
    sums
}

/// Returns the line of a batch that asks about the position `game`.
fn line(game: &str) -> String {
    serde_json::json!({ "game": game }).to_string() + "\n"
}

#[test]
fn solve_agrees_with_the_definition_and_with_label() {
    let folder = folder("partizan-loops-solve");
    let file = rules(&folder);
    let sums = sums();
    let batch: String = sums.iter().map(|sum| line(&sum.text())).collect();
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let mut backwards = 0;
    for misere in [false, true] {
        let play: &[&str] = if misere { &["--misere"] } else { &[] };
        let arguments = [&["solve", "--rules", &file, "--jsonl", "-"], play].concat();
        let output = grundy_with(&arguments, &batch);
        assert!(output.status.success(), "{output:?}");
        let answers = String::from_utf8(output.stdout).unwrap();
        assert_eq!(answers.lines().count(), sums.len());
        for (sum, answer) in sums.iter().zip(answers.lines()) {
            let answer: Value = serde_json::from_str(answer).unwrap();
            let known = by_rounds(sum, misere);
            let expected = class(&known, sum);
            assert_eq!(answer["outcome"], *expected, "{answer}");
            assert_eq!(answer["status"], "exact");
            for (player, side) in ["left", "right"].into_iter().enumerate() {
                let loses = |to: &Sum| {
                    let after = known.get(&(to.clone(), 1 - player));
                    after.is_some_and(|after| !after.0)
                };
                let winning = sum.options(player).into_iter().filter(loses);
                let winning: Vec<String> = winning.map(|to| to.text()).collect();
                let found = answer["winning_moves"][side].as_array().unwrap();
                let found: Vec<&str> = found.iter().map(|mv| mv["to"].as_str().unwrap()).collect();
                assert_eq!(found, winning, "{side} of {sum:?}: {answer}");
            }
            backwards += usize::from(answer["method"] == "retrograde analysis");
            *classes.entry(expected).or_default() += 1;
        }
        // All positions reachable from some sums, compared with `label`.
        for start in ["game(rules, 1) + game(rules, 2)", "game(rules, 7) + nim(2)"] {
            let output = grundy(&[&["label", "--rules", &file, start], play].concat());
            let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
            let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
            assert!(rows.len() > 10);
            let batch: String = rows.iter().map(|row| line(&row[0])).collect();
            let output = grundy_with(&arguments, &batch);
            let answers = String::from_utf8(output.stdout).unwrap();
            assert_eq!(answers.lines().count(), rows.len());
            for (row, answer) in rows.iter().zip(answers.lines()) {
                let answer: Value = serde_json::from_str(answer).unwrap();
                assert_eq!(answer["outcome"], row[1], "{answer}");
            }
        }
    }
    assert!(classes.len() >= 6, "{classes:?}");
    assert!(backwards > 50, "{backwards}");
}

#[test]
fn explain_names_best_moves_and_counts_the_rest() {
    let folder = folder("partizan-loops-explain");
    let file = rules(&folder);
    let mut codes = BTreeMap::new();
    for (sum, misere) in sums().iter().flat_map(|sum| [(sum, false), (sum, true)]) {
        let play: &[&str] = if misere { &["--misere"] } else { &[] };
        let text = sum.text();
        let arguments = [&["explain", "--json", "--rules", &file, &text], play].concat();
        let output = grundy(&arguments);
        assert!(output.status.success(), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let known = by_rounds(sum, misere);
        let steps = answer["steps"].as_array().unwrap();
        let conclusion = steps.last().unwrap()["code"].as_str().unwrap();
        let letters = class(&known, sum).to_lowercase();
        assert_eq!(conclusion, format!("class_conclusion_{letters}"));
        for step in steps {
            let code = step["code"].as_str().unwrap();
            let player = usize::from(code.starts_with("right"));
            let to = step["args"]["to"].as_str();
            let after = |to: &str| {
                let mut options = sum.options(player).into_iter();
                let to = options.find(|option| option.text() == to).unwrap();
                known.get(&(to, 1 - player)).copied()
            };
            let mine = known.get(&(sum.clone(), player)).copied();
            let moves = step["args"]["moves"].as_u64();
            match code.split_once('_').map_or("", |(_, claim)| claim) {
                "begins_wins_in" => {
                    let left = mine.unwrap().1;
                    assert_eq!(after(to.unwrap()), Some((false, left - 1)));
                    assert_eq!((mine.unwrap().0, moves), (true, Some(left.into())));
                }
                "begins_loses_in" => {
                    let left = mine.unwrap().1;
                    assert_eq!(after(to.unwrap()), Some((true, left - 1)));
                    assert_eq!((mine.unwrap().0, moves), (false, Some(left.into())));
                }
                "begins_draws" => assert_eq!((mine, after(to.unwrap())), (None, None)),
                "begins_has_won" => assert!(mine.unwrap().0 && sum.options(player).is_empty()),
                "cannot_move" => assert!(!mine.unwrap().0 && sum.options(player).is_empty()),
                _ => continue,
            }
            *codes.entry(code.to_owned()).or_insert(0) += 1;
        }
    }
    let codes: Vec<&str> = codes.keys().map(String::as_str).collect();
    // In this game Right loses only where the search needs no cycle, so a separate example covers
    // that code below.
    for code in [
        "left_begins_wins_in",
        "left_begins_loses_in",
        "left_begins_draws",
        "right_begins_wins_in",
        "right_begins_draws",
    ] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    // Right moves to b, Left back to a, Right to c or b again, and Left makes the last move.
    let sum = r#"graph({"a": ["b", "c"], "b": ["a"], "c": []}, "a") + hackenbush("0-1:b")"#;
    let output = grundy(&["explain", "--json", sum]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let right = &answer["steps"][3];
    assert_eq!(right["code"], "right_begins_loses_in");
    assert_eq!(right["args"]["moves"], 4);
    assert_eq!(right["args"]["to"], sum.replace("\"a\") +", "\"b\") +"));
}

/// Returns the output of a game in which the human cycles through the given move numbers.
fn played(file: &str, sum: &Sum, misere: bool, second: bool, taken: &[usize]) -> String {
    let text = sum.text();
    let mut arguments = vec!["play", "--rules", file, &text];
    arguments.extend(misere.then_some("--misere"));
    arguments.extend(second.then_some("--second"));
    let mut child = command(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut taken: VecDeque<usize> = taken.iter().copied().collect();
    // A number that is too large is asked for again, and 1 is always valid. The input ends after 60
    // numbers, which bounds a game that repeats.
    for _ in 0..60 {
        let number = taken.pop_front().unwrap();
        taken.push_back(number);
        let _ = writeln!(input, "{number}");
    }
    drop(input);
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        said.push_str(&line.unwrap());
        said.push('\n');
    }
    let mut errors = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success(), "{sum:?}: {errors}");
    said
}

#[test]
fn the_program_never_gives_away_a_win_or_a_draw() {
    let folder = folder("partizan-loops-play");
    let file = rules(&folder);
    let (mut won, mut drawn) = (0, 0);
    for sum in sums() {
        if sum.places.len() > 1 && sum.places.iter().sum::<u64>() % 3 != 0 {
            continue;
        }
        for misere in [false, true] {
            let known = by_rounds(&sum, misere);
            // The program either begins, as Left, or replies, as Right.
            for second in [true, false] {
                let program_wins = known
                    .get(&(sum.clone(), 0))
                    .map(|&(wins, _)| wins == second);
                if program_wins == Some(false) {
                    continue;
                }
                for taken in [&[1][..], &[2, 1], &[3, 1, 2, 1]] {
                    let said = played(&file, &sum, misere, second, taken);
                    let ended = said.contains("No move is left");
                    let win = said.contains("The program wins.");
                    let lost = said.contains("You win.");
                    if program_wins == Some(true) {
                        assert!(ended && win, "{sum:?} {misere} {second} {taken:?}\n{said}");
                        won += 1;
                    } else {
                        assert!(!lost, "{sum:?} {misere} {second} {taken:?}\n{said}");
                        drawn += usize::from(!ended);
                    }
                }
            }
        }
    }
    assert!(won > 20 && drawn > 20, "{won} {drawn}");
}

#[test]
fn tables_show_draws() {
    let folder = folder("partizan-loops-table");
    let file = rules(&folder);
    let output = grundy(&["table", "--rules", &file, "game(rules, n)", "n=0..8"]);
    assert!(output.status.success(), "{output:?}");
    let classes = (0..9).map(|n| {
        let sum = Sum {
            places: vec![n],
            heap: None,
        };
        class(&by_rounds(&sum, false), &sum)
    });
    let classes: Vec<String> = classes.collect();
    let said = String::from_utf8(output.stdout).unwrap();
    let cells = said.split_once('|').unwrap().1;
    assert_eq!(cells.split_whitespace().collect::<Vec<_>>(), classes);
    assert!(classes.iter().any(|class| class.contains('D')));
}

#[test]
fn two_copies_of_a_loopy_game_do_not_cancel() {
    // Neither player can be forced to leave the cycles, so Left's spare move does not win.
    let round = "graph({\"a\": [\"b\"], \"b\": [\"a\"]}, \"a\")";
    let sum = format!("{round} + {round} + hackenbush(\"0-1:b\")");
    let output = grundy(&["solve", "--json", &sum]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["outcome"], "D", "{answer}");
}
