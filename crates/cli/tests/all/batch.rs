//! Batches: the time of a line, what a line expects, and how a batch ends.

use std::time::{Duration, Instant};

use crate::program::{grundy, grundy_with};
use serde_json::{Value, json};

/// Returns a board that takes far longer than any time given here.
fn long() -> String {
    let rows = vec![".".repeat(9); 8];
    format!("cram({})", json!(rows))
}

fn batch(options: &[&str], lines: &[Value]) -> (i32, Vec<Value>) {
    let arguments = [&["solve", "--jsonl", "-"], options].concat();
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let output = grundy_with(&arguments, lines.join("\n"));
    let said = String::from_utf8(output.stdout).unwrap();
    let said = said.lines().map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), said.collect())
}

#[test]
fn time_is_given_to_each_line() {
    let begun = Instant::now();
    let slow = json!({"id": 1, "game": long()});
    let quick = json!({"id": 2, "game": "nim(1, 2)"});
    let (code, said) = batch(
        &["--timeout", "0.3"],
        &[slow.clone(), quick.clone(), slow, quick],
    );
    assert_eq!(code, 3);
    assert!(
        begun.elapsed() < Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
    for (index, answer) in said.iter().enumerate() {
        if index % 2 == 0 {
            assert_eq!(answer["status"], "partial", "{answer}");
            assert_eq!(answer["id"], 1);
            assert!(answer["game"].as_str().unwrap().starts_with("cram("));
            assert_eq!(answer["play"], "normal");
        } else {
            assert_eq!(answer["status"], "exact", "{answer}");
            assert_eq!(answer["outcome"], "N");
        }
    }
}

#[test]
fn a_line_brings_its_own_time() {
    let begun = Instant::now();
    let (code, said) = batch(
        &[],
        &[
            json!({"game": long(), "timeout": 0.2}),
            json!({"game": "nim(1, 2)", "timeout": 100}),
        ],
    );
    assert_eq!(code, 3);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(said[0]["status"], "partial");
    assert_eq!(said[1]["status"], "exact");
    for wrong in [json!("1"), json!(-1), json!(null)] {
        let (code, said) = batch(&[], &[json!({"game": "nim(1)", "timeout": wrong})]);
        assert_eq!(code, 1);
        assert_eq!(said[0]["error"]["kind"], "range");
    }
}

#[test]
fn a_key_of_a_line_that_comes_twice_is_rejected() {
    let lines = [
        r#"{"id": 1, "game": "nim(1)", "game": "nim(1, 1)"}"#,
        r#"{"id": 2, "game": "nim(1)", "expect": {"outcome": "P", "outcome": "N"}}"#,
    ];
    let output = grundy_with(&["solve", "--jsonl", "-"], lines.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<Value> = (said.lines().map(|line| serde_json::from_str(line).unwrap())).collect();
    for (answer, (id, key)) in said.iter().zip([(1, "game"), (2, "outcome")]) {
        let message = format!("the key `{key}` comes twice");
        assert_eq!(answer["error"]["message"], message, "{answer}");
        assert_eq!(answer["id"], id);
    }
    assert_eq!(said.len(), lines.len());
}

/// Whoever feeds a rule file without an end is told so, by every limit, as `solve` tells of a
/// single position.
#[test]
fn a_line_without_an_end_says_how_far_it_went() {
    let folder = crate::program::folder("batch-endless");
    let file = folder.join("endless.star");
    std::fs::write(
        &file,
        "def moves(n):
    return [n + 1, n + 2]
def down(p):
    return [(a, b) for a, b in [(p[0] - 1, p[1]), (p[0], p[1] - 1)] if a >= 0 and b >= 0]
",
    )
    .unwrap();
    let rules = ["--rules", file.to_str().unwrap()];
    let line = [json!({"game": "game(moves, 1)"})];
    let grown = |object: &Value| {
        let help = object["help"].as_str().unwrap();
        assert!(help.contains("a play stands at game(moves, "), "{help}");
        assert_eq!(object["kind"], "limit");
    };

    let (code, said) = batch(&[&rules[..], &["--timeout", "0.5"]].concat(), &line);
    assert_eq!((code, &said[0]["status"]), (3, &json!("partial")));
    assert_eq!(said[0]["stopped"]["message"], "the time limit was reached");
    grown(&said[0]["stopped"]);

    let (code, said) = batch(&[&rules[..], &["--max-positions", "1000"]].concat(), &line);
    assert_eq!((code, &said[0]["status"]), (3, &json!("partial")));
    assert_eq!(said[0]["stopped"]["limit"], "positions");
    grown(&said[0]["stopped"]);

    // A game that is only long is told apart, and what is answered says nothing of stops.
    let lines = [
        json!({"game": "game(down, (90000, 90000))"}),
        json!({"game": "nim(1)"}),
    ];
    let (_, said) = batch(&[&rules[..], &["--timeout", "0.3"]].concat(), &lines);
    assert_eq!(said[0]["stopped"]["help"], "`timeout` raises the limit");
    assert_eq!(said[1].get("stopped"), None);
}

#[test]
fn rules_that_take_too_long_are_out_of_time_too() {
    let folder = crate::program::folder("batch-rules");
    let file = folder.join("wide.star");
    std::fs::write(
        &file,
        "def moves(p):\n    return [(p[0] - 1, k) for k in range(50)] if p[0] > 0 else []\n",
    )
    .unwrap();
    let options = ["--timeout", "0.3", "--rules", file.to_str().unwrap()];
    let (code, said) = batch(
        &options,
        &[
            json!({"game": "game(moves, (1000000, 0))"}),
            json!({"game": "game(moves, (2, 0))"}),
        ],
    );
    assert_eq!(code, 3, "{said:?}");
    assert_eq!(said[0]["status"], "partial");
    assert_eq!(said[1]["outcome"], "P");
}

#[test]
fn an_error_weighs_more_than_what_is_partial() {
    let (code, said) = batch(
        &["--timeout", "0.2"],
        &[json!({"game": long()}), json!({"game": "nim("})],
    );
    assert_eq!(code, 1);
    assert_eq!(said[0]["status"], "partial");
    assert_eq!(said[1]["error"]["kind"], "syntax");
}

#[test]
fn expectations_are_compared() {
    let expect = |expect: Value| json!({"game": "nim(3, 4, 5)", "expect": expect});
    let right = [
        json!({}),
        json!({"outcome": "N", "grundy": 2}),
        json!({"winning_moves": ["nim(1, 4, 5)"]}),
        json!({"winning_moves": ["nim(1,4,5)"]}),
    ];
    let (code, said) = batch(&[], &right.map(expect));
    assert_eq!(code, 0, "{said:?}");
    for answer in said {
        assert_eq!(answer["expected"], true, "{answer}");
        assert!(answer.get("missing").is_none() && answer.get("extra").is_none());
    }
    for (wrong, missing, extra) in [
        (json!({"outcome": "P"}), Value::Null, Value::Null),
        (json!({"grundy": 3}), Value::Null, Value::Null),
        (
            json!({"winning_moves": []}),
            Value::Null,
            json!(["nim(1, 4, 5)"]),
        ),
        (
            json!({"winning_moves": ["nim(1, 4, 5)", "nim(2)"]}),
            json!(["nim(2)"]),
            Value::Null,
        ),
    ] {
        let (code, said) = batch(&[], &[expect(wrong)]);
        assert_eq!(code, 1);
        assert_eq!(said[0]["expected"], false);
        assert_eq!(said[0]["missing"], missing);
        assert_eq!(said[0]["extra"], extra);
    }
    for wrong in [
        json!([]),
        json!({"winner": 1}),
        json!({"winning_moves": 3}),
        json!({"winning_moves": [3]}),
    ] {
        let (code, said) = batch(&[], &[expect(wrong)]);
        assert_eq!(code, 1);
        assert_eq!(said[0]["error"]["kind"], "type");
    }
}

#[test]
fn a_move_that_stands_for_several_is_all_of_these() {
    // A large heap of Kayles: its winning moves come in progressions, which are written out here
    // one by one.
    let game = |n: u64| format!("kayles({n})");
    let answer = &batch(&[], &[json!({"game": game(20_011)})]).1[0];
    let moves = answer["winning_moves"].as_array().unwrap();
    assert!(moves.iter().any(|found| found["count"].as_u64() > Some(1)));
    let mut to: Vec<String> = Vec::new();
    for found in moves {
        let sizes: Vec<u64> = found["at"].as_array().unwrap()[1..]
            .iter()
            .map(|size| size.as_u64().unwrap())
            .collect();
        let [step, count] = ["step", "count"].map(|key| found[key].as_u64());
        for number in 0..count.unwrap_or(1) {
            let further = number * step.unwrap_or(0);
            to.push(match sizes[..] {
                [one, other] => format!("kayles({}, {})", one + further, other - further),
                [one] => format!("kayles({})", one + further),
                _ => unreachable!(),
            });
        }
    }
    let expect = |to: &[String]| json!({"game": game(20_011), "expect": {"winning_moves": to}});
    let (code, said) = batch(&[], &[expect(&to)]);
    assert_eq!((code, &said[0]["expected"]), (0, &json!(true)));
    let last = to.pop().unwrap();
    to.push("kayles(3, 4)".to_owned());
    let (code, said) = batch(&[], &[expect(&to)]);
    assert_eq!((code, &said[0]["expected"]), (1, &json!(false)));
    assert_eq!(said[0]["missing"], json!(["kayles(3, 4)"]));
    assert_eq!(said[0]["extra"], json!([last]));
}

#[test]
fn expectations_of_games_where_the_players_differ() {
    let line = |moves: Value| json!({"game": "domineering([\"..\", \"..\"])", "expect": {"outcome": "N", "winning_moves": moves}});
    let answer = &batch(&[], &[line(json!({}))]).1[0];
    assert_eq!(answer["expected"], false);
    let to = |side: &str| -> Vec<Value> {
        let moves = answer["winning_moves"][side].as_array().unwrap();
        moves.iter().map(|found| found["to"].clone()).collect()
    };
    assert_eq!(
        answer["extra"],
        json!({"left": to("left"), "right": to("right")})
    );
    let (code, said) = batch(
        &[],
        &[line(json!({"left": to("left"), "right": to("right")}))],
    );
    assert_eq!((code, &said[0]["expected"]), (0, &json!(true)));
}

#[test]
fn what_is_known_in_part_is_not_judged_by_the_rest() {
    let (code, said) = batch(
        &["--timeout", "0.2"],
        &[json!({"game": long(), "expect": {"grundy": 0}})],
    );
    assert_eq!(code, 3);
    assert!(said[0].get("expected").is_none(), "{}", said[0]);
}

#[test]
fn stats_say_what_a_line_took() {
    let board = json!({"game": "chomp(4, 4, 4) + chomp(3, 3)"});
    let kayles = json!({"game": "kayles(30)"});
    let own = json!({"game": "domineering([\"...\", \"...\"])"});
    let lines = [board.clone(), board, kayles.clone(), kayles, own];
    let (code, said) = batch(&["--stats"], &lines);
    assert_eq!(code, 0);
    let of = |line: usize, key: &str| said[line]["stats"][key].as_u64().unwrap();
    assert!((0..5).all(|line| said[line]["stats"]["ms"].as_f64().unwrap() >= 0.0));
    assert_eq!([of(0, "components"), of(2, "components")], [2, 1]);
    // The second time everything is known.
    assert!([0, 2, 4].iter().all(|&line| of(line, "positions") > 0));
    assert_eq!([of(1, "positions"), of(3, "positions")], [0, 0]);
    assert!([1, 3].iter().all(|&line| of(line, "table_hits") > 0));
    assert_eq!(
        grundy(&["solve", "--stats", "nim(1)"]).status.code(),
        Some(2)
    );
    // A line that asks nothing takes its time, too.
    let (code, said) = batch(&["--stats"], &[json!({"gane": "nim(1)"})]);
    assert_eq!(code, 1);
    assert_eq!(said[0]["error"]["kind"], "syntax");
    assert_eq!(said[0]["stats"]["positions"], 0);
}

#[test]
fn what_was_forgotten_still_counts_as_work_done() {
    let heaps = ["kayles(30)", "dawsons_chess(30)", "dawsons_kayles(30)"];
    let board = "cram([\".......\", \".......\", \".......\", \".......\", \"......#\"])";
    let lines: Vec<_> = heaps
        .iter()
        .map(|game| json!({"game": game}))
        .chain([json!({"game": board})])
        .collect();
    let (code, said) = batch(&["--stats", "--max-positions", "1000"], &lines);
    assert_eq!(code, 3);
    // The last line is beyond the limit, and what earlier ones have left in memory is forgotten for
    // it.
    assert_eq!(said[3]["stopped"]["limit"], "positions");
    for line in &said {
        let positions = line["stats"]["positions"].as_u64().unwrap();
        assert!((1..10_000).contains(&positions), "{line}");
    }
}

#[test]
fn a_list_of_moves_that_is_not_whole_is_partial() {
    // Two stalks that differ by one edge: Left wins by cutting the topmost alone, and it is looked
    // at late.
    let stalk = |from: usize, edges: usize, colour: char| -> Vec<String> {
        let foot = |k: usize| if k == 0 { 0 } else { from + k };
        (0..edges)
            .map(|k| format!("{}-{}:{colour}", foot(k), foot(k + 1)))
            .collect()
    };
    let edges = [stalk(0, 2000, 'b'), stalk(2000, 1999, 'r')]
        .concat()
        .join(" ");
    let game = format!("hackenbush(\"{edges}\")");
    let output = grundy(&["solve", "--json", &game]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["outcome"], "L");
    assert_eq!(answer["winning_moves_complete"], false);
    assert_eq!(answer["status"], "partial");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(grundy(&["solve", &game]).status.code(), Some(3));
    let (code, said) = batch(&[], &[json!({"game": game})]);
    assert_eq!((code, &said[0]["status"]), (3, &json!("partial")));
}
