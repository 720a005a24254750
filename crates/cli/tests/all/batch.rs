//! Batches: time limits of lines, comparison of answers with the expected ones, and exit codes.

use std::time::{Duration, Instant};

use crate::program::{grundy, grundy_with};
use serde_json::{Value, json};

/// Returns a position that takes far longer to solve than any time limit in this file.
fn slow_position() -> String {
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

// The limit holds for each line: the second slow line gets its own 0.3 s, and the quick lines after
// a slow one are solved. The bound of 9 s leaves room for a busy machine.
#[test]
fn the_time_limit_applies_to_each_line() {
    let begun = Instant::now();
    let slow = json!({"id": 1, "game": slow_position()});
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

// A line without `timeout` would have 10 s by default, twice the bound that is asserted.
#[test]
fn a_line_can_set_its_own_timeout() {
    let begun = Instant::now();
    let (code, said) = batch(
        &[],
        &[
            json!({"game": slow_position(), "timeout": 0.2}),
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

// serde_json silently keeps the last of two equal keys, in nested objects too.
#[test]
fn a_duplicate_key_in_a_line_is_rejected() {
    let lines = [
        r#"{"id": 1, "game": "nim(1)", "game": "nim(1, 1)"}"#,
        r#"{"id": 2, "game": "nim(1)", "expect": {"outcome": "P", "outcome": "N"}}"#,
    ];
    let output = grundy_with(&["solve", "--jsonl", "-"], lines.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<Value> = (said.lines().map(|line| serde_json::from_str(line).unwrap())).collect();
    for (answer, (id, key)) in said.iter().zip([(1, "game"), (2, "outcome")]) {
        let message = format!("duplicate key `{key}`");
        assert_eq!(answer["error"]["message"], message, "{answer}");
        assert_eq!(answer["id"], id);
    }
    assert_eq!(said.len(), lines.len());
}

// A rule file whose game never ends is reported by every limit. The help shows the first positions
// of an endless play and one that it reaches, as `solve` does for a single position.
#[test]
fn an_endless_game_reports_how_far_the_search_got() {
    let folder = crate::program::folder("batch-endless");
    let file = folder.join("endless.star");
    std::fs::write(
        &file,
        "def moves(n):
    return [n + 1, n + 2] if n > 0 else []
def down(p):
    return [(a, b) for a, b in [(p[0] - 1, p[1]), (p[0], p[1] - 1)] if a >= 0 and b >= 0]
",
    )
    .unwrap();
    let rules = ["--rules", file.to_str().unwrap()];
    let line = [json!({"game": "game(moves, 1)"})];
    let grown = |object: &Value| {
        let help = object["help"].as_str().unwrap();
        let first = "the positions keep growing: game(moves, 1), game(moves, 3), ";
        assert!(
            help.starts_with(first) && help.contains(" moves game(moves, "),
            "{help}"
        );
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

    // This game is long but finite, so the help does not blame its rules. An answered line has no
    // `stopped`.
    let lines = [
        json!({"game": "game(down, (90000, 90000))"}),
        json!({"game": "nim(1)"}),
    ];
    let (_, said) = batch(&[&rules[..], &["--timeout", "0.3"]].concat(), &lines);
    assert_eq!(said[0]["stopped"]["help"], "`timeout` raises the limit");
    assert_eq!(said[1].get("stopped"), None);
}

// 10^6 levels with 50 moves each: the time is spent in the interpreter of the rules, which has to
// check the limit itself.
#[test]
fn slow_rules_reach_the_time_limit() {
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

// Exit code 1 for an error takes precedence over 3 for a partial answer.
#[test]
fn an_error_takes_precedence_over_a_partial_answer() {
    let (code, said) = batch(
        &["--timeout", "0.2"],
        &[json!({"game": slow_position()}), json!({"game": "nim("})],
    );
    assert_eq!(code, 1);
    assert_eq!(said[0]["status"], "partial");
    assert_eq!(said[1]["error"]["kind"], "syntax");
}

#[test]
fn expectations_are_compared() {
    // 3 ⊕ 4 ⊕ 5 = 2, and only 3 -> 3 ⊕ 2 = 1 lowers a heap.
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
fn a_move_with_a_step_and_count_matches_each_move() {
    // In a large heap of Kayles the winning moves form arithmetic progressions, each written as one
    // move with a step and a count. They are expanded here one by one.
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
    // Replace one move: the expected list is then wrong in both directions.
    let last = to.pop().unwrap();
    to.push("kayles(3, 4)".to_owned());
    let (code, said) = batch(&[], &[expect(&to)]);
    assert_eq!((code, &said[0]["expected"]), (1, &json!(false)));
    assert_eq!(said[0]["missing"], json!(["kayles(3, 4)"]));
    assert_eq!(said[0]["extra"], json!([last]));
}

#[test]
fn expectations_of_partizan_games() {
    // On a 2x2 board every move of either player leaves one move for that player and none for the
    // other, so whoever moves first wins.
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

// The board is not solved in time, so an expectation can be neither confirmed nor refuted.
#[test]
fn expectations_of_partial_answers_are_not_judged() {
    let (code, said) = batch(
        &["--timeout", "0.2"],
        &[json!({"game": slow_position(), "expect": {"grundy": 0}})],
    );
    assert_eq!(code, 3);
    assert!(said[0].get("expected").is_none(), "{}", said[0]);
}

#[test]
fn stats_report_the_cost_of_a_line() {
    let board = json!({"game": "chomp(4, 4, 4) + chomp(3, 3)"});
    let kayles = json!({"game": "kayles(30)"});
    let own = json!({"game": "domineering([\"...\", \"...\"])"});
    let lines = [board.clone(), board, kayles.clone(), kayles, own];
    let (code, said) = batch(&["--stats"], &lines);
    assert_eq!(code, 0);
    let of = |line: usize, key: &str| said[line]["stats"][key].as_u64().unwrap();
    assert!((0..5).all(|line| said[line]["stats"]["ms"].as_f64().unwrap() >= 0.0));
    assert_eq!([of(0, "components"), of(2, "components")], [2, 1]);
    // The second time all values come from the cache.
    assert!([0, 2, 4].iter().all(|&line| of(line, "positions") > 0));
    assert_eq!([of(1, "positions"), of(3, "positions")], [0, 0]);
    assert!([1, 3].iter().all(|&line| of(line, "table_hits") > 0));
    assert_eq!(
        grundy(&["solve", "--stats", "nim(1)"]).status.code(),
        Some(2)
    );
    // A line that is not a valid question also has statistics.
    let (code, said) = batch(&["--stats"], &[json!({"gane": "nim(1)"})]);
    assert_eq!(code, 1);
    assert_eq!(said[0]["error"]["kind"], "syntax");
    assert_eq!(said[0]["stats"]["positions"], 0);
}

// The limit makes the solver evict entries, and evicted work must still be counted.
#[test]
fn evicted_work_still_counts() {
    let heaps = ["kayles(30)", "dawsons_chess(30)", "dawsons_kayles(30)"];
    let board = "cram([\".......\", \".......\", \".......\", \".......\", \"......#\"])";
    let lines: Vec<_> = heaps
        .iter()
        .map(|game| json!({"game": game}))
        .chain([json!({"game": board})])
        .collect();
    let (code, said) = batch(&["--stats", "--max-positions", "1000"], &lines);
    assert_eq!(code, 3);
    // The last line exceeds the limit. Entries that earlier lines left in memory are evicted for
    // it.
    assert_eq!(said[3]["stopped"]["limit"], "positions");
    for line in &said {
        let positions = line["stats"]["positions"].as_u64().unwrap();
        assert!((1..10_000).contains(&positions), "{line}");
    }
}

#[test]
fn an_incomplete_list_of_moves_is_partial() {
    // Two stalks that differ by one edge. Left's only winning move cuts the topmost edge, and the
    // search visits it late.
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
