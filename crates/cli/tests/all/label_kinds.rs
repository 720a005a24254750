//! `grundy label` on partizan games and on games with ties, compared with a direct implementation
//! of the definitions.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::program::{folder, grundy};
use grundy_core::limits::stopped_early;
use grundy_core::ruleset::{Beginner, Ends};
use grundy_core::{Limits, Outcome, PayoffResult, Play, Player, Position, Solver, Verdict};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};
use serde_json::Value;

/// A position together with the player to move.
type State = (String, usize);

/// The options of each state. A terminal state has its outcome for the player to move instead.
type States = HashMap<State, Result<Vec<State>, Outcome>>;

/// Returns the positions after each move of a player.
fn options(position: &Position, player: Player) -> Vec<String> {
    let mut options = Vec::new();
    let all = position.moves(player, &mut |_, _, to| {
        options.push(to().to_string());
        ControlFlow::Continue(())
    });
    assert_eq!(stopped_early(all), Ok(false));
    options
}

/// Computes outcomes and remoteness by the definition. Round r decides the states with remoteness
/// r; states that are never decided are draws.
fn by_definition(states: &States) -> HashMap<State, (Outcome, u32)> {
    let mut known: HashMap<State, (Outcome, u32)> = HashMap::new();
    for round in 0.. {
        // Only outcomes of earlier rounds count, so that the round equals the remoteness.
        let before = known.clone();
        for (state, options) in states
            .iter()
            .filter(|(state, _)| !before.contains_key(*state))
        {
            let outcome = match options {
                Err(Outcome::D) => None,
                Err(end) => (round == 0).then_some(*end),
                Ok(options) => {
                    let options = options.iter().map(|option| before.get(option));
                    let outcomes: Vec<_> =
                        options.map(|known| known.map(|known| known.0)).collect();
                    if outcomes.contains(&Some(Outcome::P)) {
                        Some(Outcome::N)
                    } else {
                        let lost = outcomes.iter().all(|&outcome| outcome == Some(Outcome::N));
                        lost.then_some(Outcome::P)
                    }
                }
            };
            if let Some(outcome) = outcome {
                known.insert(state.clone(), (outcome, round));
            }
        }
        if round > 0 && known.len() == before.len() {
            return known;
        }
    }
    unreachable!()
}

/// Returns the rows of `grundy label` without the header.
fn rows(arguments: &[&str], play: Play) -> Vec<csv::StringRecord> {
    let mut arguments = [&["label"], arguments].concat();
    if play == Play::Misere {
        arguments.push("--misere");
    }
    let output = grundy(&arguments);
    assert!(output.status.success(), "{output:?}");
    csv::Reader::from_reader(output.stdout.as_slice())
        .records()
        .map(Result::unwrap)
        .collect()
}

// A cycle with exits for either player, so that several classes with draws occur.
const ROUND: &str = "
# Left may go round 0 1 2 3, Right may go back, and both may leave at some places.
def left(n):
    return [] if n > 8 else [(n + 1) % 4 if n < 4 else n + 1] + ([6, 9] if n == 2 else [])
def right(n):
    return [] if n > 8 or n == 4 else [(n + 3) % 4 if n < 4 else n - 1] + ([7] if n % 2 else [])
";

const ENDS: &str = "
# From 3 on one may also go back up. Heaps that are left over are worth something.
def moves(n):
    return [n - k for k in (2, 3, 4) if k <= n] + ([n + 3] if n % 5 == 3 and n < 30 else [])
def value(n):
    return [\"tie\", \"win\"][n]
";

/// Writes the rules to `folder`. Returns the path of the file and the parsed rules.
fn rules(folder: &Path, source: &str) -> (String, RuleFile) {
    let file = folder.join("rules.star");
    fs::write(&file, source).unwrap();
    let rules = RuleFile::read("rules.star", source, Allowance::default()).unwrap();
    (file.to_str().unwrap().to_owned(), rules)
}

#[test]
fn partizan_games_are_labelled_for_both_starting_players() {
    let folder = folder("label-partizan");
    let (file, rules) = rules(&folder, ROUND);
    let mut classes = Vec::new();
    for position in [
        "toads_and_frogs(\"TT.F.F\")",
        "domineering([\"...\", \".#.\"]) + nim(2)",
        "col(\"0-1 1-2 2-0 2-3\", \"....\")",
        "hackenbush(\"0-1:b 1-2:r 1-3 0-3:r\")",
        "game(rules, 0) + game(rules, 5)",
        "game(rules, 1) + nim(1)",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let rows = rows(&["--rules", &file, position], play);
            let mut states = States::new();
            let mut positions = Vec::new();
            for row in &rows {
                let game = Expression::parse(&row[0]).unwrap();
                let position = game.position_with(&[], &rules).unwrap();
                // Positions reached late may have become impartial.
                let nature = position.nature();
                assert_eq!(nature.ends, Ends::LastMove, "{row:?}");
                assert_eq!(nature.beginner, Beginner::Either, "{row:?}");
                assert_eq!(position.to_string(), row[0]);
                for player in Player::BOTH {
                    let options = options(&position, player).into_iter();
                    let options: Vec<State> =
                        options.map(|to| (to, player.other() as usize)).collect();
                    let ended = options.is_empty();
                    let end = Outcome::from_win(play == Play::Misere);
                    let options = if ended { Err(end) } else { Ok(options) };
                    states.insert((row[0].to_owned(), player as usize), options);
                }
                positions.push(position);
            }
            let known = by_definition(&states);
            for (row, position) in rows.iter().zip(positions) {
                let [left, right] =
                    [0, 1].map(|turn| known.get(&(row[0].to_owned(), turn)).copied());
                for (cell, known) in [(4, left), (5, right)] {
                    let remoteness = known.map(|known| known.1.to_string());
                    assert_eq!(row[cell], remoteness.unwrap_or_default(), "{row:?}");
                }
                let winner = |known: Option<(Outcome, u32)>, [next, previous]: [char; 2]| {
                    known.map_or('D', |(outcome, _)| match outcome {
                        Outcome::N => next,
                        _ => previous,
                    })
                };
                let class = match (winner(left, ['L', 'R']), winner(right, ['R', 'L'])) {
                    ('L', 'R') => "N".to_owned(),
                    ('R', 'L') => "P".to_owned(),
                    (one, two) if one == two => one.to_string(),
                    (one, two) => format!("{one}{two}"),
                };
                assert_eq!(row[1], class);
                let solution = Solver::default().solve(&position, play, &Limits::default());
                assert_eq!(row[1], solution.unwrap().class().to_string(), "{row:?}");
                classes.push(class);
            }
        }
    }
    classes.sort();
    classes.dedup();
    // The rules with the cycle are needed for the classes with draws.
    assert!(classes.len() >= 7, "{classes:?}");
}

#[test]
fn labels_of_games_with_ties_agree_with_solve() {
    let folder = folder("label-ties");
    let (file, rules) = rules(&folder, ENDS);
    for (position, count) in [
        // Tic-toe has 31 distinct positions, as the merged game tree shows.
        ("tic_toe()", 31),
        ("k_in_a_row([\"X..\", \".O.\", \"...\"], 3)", 0),
        ("game(rules, 28)", 0),
    ] {
        for play in [Play::Normal, Play::Misere] {
            let rows = rows(&["--rules", &file, position], play);
            assert!(count == 0 || rows.len() == count, "{}", rows.len());
            let mut states = States::new();
            let mut solved = Vec::new();
            for row in &rows {
                let game = Expression::parse(&row[0]).unwrap();
                let position = game.position_with(&[], &rules).unwrap();
                assert_eq!(position.nature().ends, Ends::Payoff, "{row:?}");
                let mover = position.first_player();
                let moves: Vec<State> = options(&position, mover)
                    .into_iter()
                    .map(|to| (to, 0))
                    .collect();
                let options = if moves.is_empty() {
                    let worth = position.terminal_result(mover, play).unwrap();
                    Err(Outcome::from(worth))
                } else {
                    Ok(moves)
                };
                states.insert((row[0].to_owned(), 0), options);
                let solution = Solver::default().solve(&position, play, &Limits::default());
                solved.push(solution.unwrap().verdict());
            }
            let known = by_definition(&states);
            for (row, value) in rows.iter().zip(solved) {
                let known = known.get(&(row[0].to_owned(), 0)).copied();
                let worth = PayoffResult::from(known.map_or(Outcome::D, |known| known.0));
                assert_eq!(Verdict::Payoff(worth), value, "{row:?}");
                assert_eq!(row[1], value.to_string());
                let remoteness = known.map(|known| known.1.to_string());
                assert_eq!(row[2], remoteness.unwrap_or_default(), "{row:?}");
            }
        }
    }
}

#[test]
fn every_kind_resumes_to_the_same_bytes() {
    let folder = folder("label-kinds-resumed");
    let (file, _) = rules(&folder, ENDS);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (checkpoint, output, whole) = (path("state"), path("labels.csv"), path("whole.csv"));
    for position in [
        "toads_and_frogs(\"TTT..FFF\")",
        "tic_tac_toe()",
        "game(rules, 80)",
        "hackenbush(\"0-1:b 1-2:b 1-3 3-4:r\") + northcott(4, [[0, 3], [1, 2]])",
        "northcott(5, [[0, 3], [2, 1]], to_move=\"right\") + kayles(3, 1)",
    ] {
        let label = |output: &str, more: &[&str]| {
            let arguments = ["label", "--rules", &file, position, "--best-move"];
            grundy(&[&arguments[..], &["--output", output], more].concat())
        };
        assert!(label(&whole, &[]).status.success());
        // Different limits stop the work at different points.
        for most in ["2", "30", "60", "65"] {
            let stopped = label(
                &output,
                &["--checkpoint", &checkpoint, "--max-positions", most],
            );
            assert_eq!(
                stopped.status.code(),
                Some(3),
                "{position} {most} {stopped:?}"
            );
            let resumed = label(&output, &["--checkpoint", &checkpoint, "--resume"]);
            assert!(resumed.status.success(), "{resumed:?}");
            assert_eq!(fs::read(&output).unwrap(), fs::read(&whole).unwrap());
        }
        assert_eq!(
            label(
                &output,
                &["--checkpoint", &checkpoint, "--max-positions", "70"]
            )
            .status
            .code(),
            Some(3)
        );
        let good = fs::read(&checkpoint).unwrap();
        for at in (0..good.len()).step_by(97) {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            fs::write(&checkpoint, bytes).unwrap();
            let refused = label(&output, &["--checkpoint", &checkpoint, "--resume"]);
            assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        }
    }
}

#[test]
fn tablebases_of_every_kind_agree_with_the_table() {
    let folder = folder("label-kinds-tablebase");
    let (file, _) = rules(&folder, ROUND);
    for (number, position) in ["game(rules, 0)", "toads_and_frogs(\"T.TF\")", "tic_toe()"]
        .into_iter()
        .enumerate()
    {
        let place = folder.join(format!("table{number}"));
        let place = place.to_str().unwrap();
        let arguments = ["label", "--rules", &file, position, "--best-move"];
        let written = grundy(&[&arguments[..], &["--tablebase", place]].concat());
        assert!(written.status.success(), "{written:?}");
        let table = grundy(&[&arguments[..], &["--json"]].concat());
        let table: Value = serde_json::from_slice(&table.stdout).unwrap();
        let rows = table["positions"].as_array().unwrap();
        assert!(rows.len() >= 5);
        for row in rows {
            let position = row["position"].as_str().unwrap();
            let answer = grundy(&["probe", place, position, "--json", "--no-moves"]);
            let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
            let mut expected = row.clone();
            expected["play"] = "normal".into();
            // `probe` adds `category` keys, which name the outcome for the player to move.
            let mut answer = answer;
            let words = answer.as_object_mut().unwrap();
            let before = words.len();
            words.retain(|key, _| !key.starts_with("category"));
            assert!(words.len() < before);
            assert_eq!(answer, expected);
        }
    }
    let said = grundy(&[
        "probe",
        folder.join("table0").to_str().unwrap(),
        "game(rules, 4)",
    ]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("DL: a draw if Left moves first"), "{said}");
}

// A certificate that cannot be written is refused before any work, and the error names the
// conflicting option.
#[test]
fn a_certificate_of_labels_needs_the_moves() {
    let file = folder("certificate_refused").join("labels.json");
    let file = file.to_str().unwrap();
    for (option, way) in [
        (&["--ranked"][..], "--ranked"),
        (&["--workers", "2"], "--workers"),
    ] {
        let asked = [&["label", "nim(3)", "--certificate", file], option].concat();
        let said = grundy(&asked);
        assert_eq!(said.status.code(), Some(2), "{said:?}");
        assert!(said.stdout.is_empty());
        let text = String::from_utf8(said.stderr).unwrap();
        assert!(
            text.contains("these options do not store the moves"),
            "{text}"
        );
        assert!(text.contains(way), "{text}");
        assert!(!std::path::Path::new(file).exists());
    }
}
