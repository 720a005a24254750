//! Inputs whose answers are much larger than the inputs.

use serde_json::Value;

use crate::program::{grundy, grundy_with};

/// Maximum length of an answer in these tests, in bytes.
const MOST: usize = 4 << 20;

fn answer(arguments: &[&str]) -> (Option<i32>, String) {
    let output = grundy(arguments);
    assert!(output.stdout.len() < MOST, "{:?}", &arguments[..1]);
    let text = String::from_utf8(output.stdout).expect("text");
    (output.status.code(), text)
}

fn json(arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, text) = answer(arguments);
    (code, serde_json::from_str(&text).expect("JSON"))
}

fn nested(before: &str, inside: &str, after: &str, depth: usize) -> String {
    let (before, after) = (before.repeat(depth), after.repeat(depth));
    format!("literal(\"{before}{inside}{after}\")")
}

#[test]
fn games_with_exponential_texts_are_answered_by_every_command() {
    // Fully expanded, these forms have 2^30 numbers.
    let games = [nested("+-(", "1", ")", 30), nested("+-{", "1*", "}", 30)];
    for game in &games {
        for command in ["solve", "value", "explain", "draw", "tree", "label"] {
            let (code, text) = answer(&[command, game]);
            assert_eq!(code, Some(0), "{command}");
            assert!(!text.is_empty(), "{command}");
        }
        let (code, found) = json(&["solve", "--json", game]);
        assert_eq!(code, Some(0));
        // The shared form in the answer parses to the same game.
        let written = found["game"].as_str().expect("a position");
        let (_, again) = json(&["solve", "--json", written]);
        assert_eq!(found["outcome"], again["outcome"]);
        assert_eq!(again["game"], found["game"]);
        let (code, found) = json(&["compare", "--json", game, game]);
        assert_eq!((code, &found["relation"]), (Some(0), &Value::from("=")));
    }
}

// {{{0|}|}|...} is the integer 20000, so nesting must not cost recursion or repetition.
#[test]
fn deep_braces_are_written_once() {
    let (code, found) = json(&["value", "--json", &nested("{", "0", "|}", 20_000)]);
    assert_eq!((code, &found["value"]), (Some(0), &Value::from("20000")));
}

#[test]
fn a_table_stops_at_the_memory_limit() {
    let table = [
        "table",
        "nim(n, m)",
        "n=0..3000",
        "m=0..3000",
        "--max-memory",
        "4",
    ];
    let (code, found) = json(&[&table[..], &["--json"]].concat());
    assert_eq!(code, Some(3));
    assert_eq!(found["status"], "partial");
    assert_eq!(found["stopped"]["limit"], "memory");
    let rows = found["grundy"].as_array().expect("rows");
    assert!(rows.len() > 1 && rows.len() < 3000);
    // The rows that were computed are correct: g(nim(1, m)) = 1 ⊕ m.
    let row = rows[1].as_array().expect("a row");
    for (m, cell) in (0u64..).zip(row) {
        assert_eq!(cell.as_u64(), Some(m ^ 1));
    }
    let (code, text) = answer(&table);
    assert_eq!(code, Some(3));
    assert!(text.lines().count() > 3);
}

// The incentives of this position are long, but they fit the limits.
#[test]
fn long_incentives_omit_no_other_quantity() {
    let toads = "toads_and_frogs(\"TTTTT..FFFFF\")";
    let (code, found) = json(&["value", "--json", toads]);
    assert_eq!((code, &found["status"]), (Some(0), &Value::from("exact")));
    assert!(found["birthday"].is_u64() && found["reduced"].is_string());
}

#[test]
fn costly_quantities_are_computed_on_request() {
    let costly = ["reduced", "incentives"];
    // *512 has 512 options, so the reduced form and incentives are left out by default. The
    // birthday is one more than that of *512.
    let game = "literal(\"{1|*512}\")";
    let (code, found) = json(&["value", "--json", game]);
    assert_eq!(code, Some(0));
    assert_eq!(found["status"], "exact");
    assert_eq!(found["value"], "{1|*512}");
    assert_eq!(found["left_out"], serde_json::json!(costly));
    for name in costly {
        assert_eq!(found.get(name), None);
    }
    let (code, found) = json(&["value", "--json", "--of", "reduced,birthday", game]);
    assert_eq!(code, Some(0));
    assert_eq!(found["reduced"], "{1|0}");
    assert_eq!(found["birthday"], 513);
    for name in ["value", "outcome", "mean", "left_stop", "left_out"] {
        assert_eq!(found.get(name), None, "{name}");
    }
    // A limit withholds one quantity without affecting the others.
    let arguments = [
        "value",
        "--json",
        "--timeout",
        "1",
        "--of",
        "incentives,mean",
    ];
    let (code, found) = json(&[&arguments[..], &["literal(\"{1|*2000}\")"]].concat());
    assert_eq!(code, Some(3));
    assert_eq!(found["status"], "partial");
    assert_eq!(found["mean"], "1/2");
    assert_eq!(found["left_out"], serde_json::json!(["incentives"]));
}

#[test]
fn all_quantities_of_a_small_form_are_printed() {
    let (_, all) = json(&["value", "--json", "literal(\"{2|-1}\")"]);
    assert_eq!(all.get("left_out"), None);
    let groups = [
        ("outcome", vec!["outcome"]),
        ("form", vec!["value"]),
        ("stops", vec!["left_stop", "right_stop"]),
        ("mean", vec!["mean"]),
        ("temperature", vec!["temperature"]),
        ("thermograph", vec!["thermograph"]),
        ("number_part", vec!["number_part"]),
        ("atomic_weight", vec!["atomic_weight"]),
        ("reduced", vec!["reduced"]),
        ("birthday", vec!["birthday"]),
        ("incentives", vec!["incentives"]),
    ];
    for (name, keys) in groups {
        // Asking for one group returns exactly its keys, with the values of the full answer.
        let (_, found) = json(&["value", "--json", "--of", name, "literal(\"{2|-1}\")"]);
        let told = found.as_object().expect("an object");
        let told: Vec<&str> = told.keys().map(String::as_str).collect();
        let own = |key: &&str| !["game", "status", "method"].contains(key);
        assert_eq!(told.into_iter().filter(own).collect::<Vec<_>>(), keys);
        for key in keys {
            assert_eq!(found[key], all[key], "{key}");
        }
    }
}

// The value of an alternating stalk is a dyadic rational with a denominator near 2^10000. A number
// equals its stops.
#[test]
fn a_long_stalk_has_a_short_answer() {
    let edges: Vec<String> = (0..10_000)
        .map(|n| format!("{n}-{}:{}", n + 1, ["b", "r"][n % 2]))
        .collect();
    let stalk = format!("hackenbush(\"{}\")", edges.join(" "));
    let (code, text) = answer(&["value", "--json", &stalk]);
    assert_eq!(code, Some(0));
    assert!(text.len() < 3 * stalk.len(), "{} bytes", text.len());
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["left_out"], serde_json::json!(["thermograph"]));
    assert_eq!(found["left_stop"], found["value"]);
    let (code, text) = answer(&["value", "--svg", "-", &stalk]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("<svg"), "{}", &text[..40]);
}

// Each of about 3000 moves would repeat a position of 3000 squares.
#[test]
fn moves_of_a_long_position_do_not_repeat_it() {
    let (code, found) = json(&["solve", "--json", "domineering(board(1, 3000))"]);
    assert_eq!(code, Some(0));
    assert_eq!(found["left_out"], serde_json::json!(["to"]));
    let moves = found["winning_moves"]["right"].as_array().expect("moves");
    assert!(!moves.is_empty());
    assert!(moves.iter().all(|found| found.get("to").is_none()));
    assert!(moves.iter().all(|found| found["at"].is_array()));
    let (_, text) = answer(&["solve", "domineering(board(1, 3000))"]);
    assert!(text.contains("the resulting positions are left out"));
}

// 10 000 parallel edges are one move up to equality, so the search must not treat them separately.
#[test]
fn parallel_edges_count_as_one_move() {
    let picture = format!("hackenbush(\"{}\")", vec!["0-1:b"; 10_000].join(" "));
    for command in ["value", "solve"] {
        let (code, found) = json(&[command, "--json", "--max-memory", "24", &picture]);
        assert_eq!((code, &found["status"]), (Some(0), &Value::from("exact")));
        assert_eq!(found["outcome"], "L");
    }
    let (code, found) = json(&["value", "--json", "--max-positions", "20000", &picture]);
    assert_eq!((code, &found["value"]), (Some(0), &Value::from("10000")));
    // Equally many red and blue edges cancel, and an odd number of green edges gives *.
    let mixed = vec!["0-1:b 0-1:r 0-1"; 3_333].join(" ");
    let mixed = format!("hackenbush(\"{mixed}\")");
    let (code, found) = json(&["value", "--json", "--max-memory", "24", &mixed]);
    assert_eq!((code, &found["value"]), (Some(0), &Value::from("*")));
}

// Moore's theorem decides the outcome, but the Grundy value needs a search.
#[test]
fn a_costly_value_is_omitted_if_a_theorem_decides() {
    let (code, found) = json(&["solve", "--json", "moore_nim(2, 10, 20, 30, 40)"]);
    assert_eq!((code, &found["status"]), (Some(0), &Value::from("exact")));
    assert_eq!(found["left_out"], serde_json::json!(["grundy"]));
    assert_eq!(
        found["winning_moves"][0]["at"],
        serde_json::json!([10, 20, 30, 30])
    );
    let (_, found) = json(&["solve", "--json", "moore_nim(2, 1, 2, 3)"]);
    assert_eq!(found.get("left_out"), None);
    assert!(found["grundy"].is_u64());
}

#[test]
fn parts_that_are_too_long_are_omitted_and_listed() {
    // An answer that fits is complete.
    let (code, found) = json(&["solve", "--json", "--max-output", "1", "nim(3, 4)"]);
    assert_eq!((code, &found["status"]), (Some(0), &Value::from("exact")));
    // The winning moves take megabytes, but the outcome is still given.
    let game = "domineering(board(1, 1900))";
    let (code, found) = json(&["solve", "--json", "--max-output", "1", game]);
    assert_eq!(code, Some(3));
    assert_eq!(found["status"], "partial");
    assert_eq!(found["stopped"]["limit"], "output");
    let left_out = found["left_out"].as_array().expect("names");
    assert!(left_out.contains(&"winning_moves".into()), "{left_out:?}");
    assert_eq!(found["outcome"], "R");
    let (code, found) = json(&["label", "nim(30, 30, 30)", "--json", "--max-output", "1"]);
    assert_eq!(code, Some(3));
    assert_eq!(found["stopped"]["limit"], "output");
    assert_eq!(found["left_out"], serde_json::json!(["positions"]));
    assert_eq!(found["vertices"], 31 * 31 * 31);
    // Text for people ends with a whole line and a note.
    let table = ["table", "nim(n, m)", "n=0..700", "m=0..700"];
    let (code, text) = answer(&[&table[..], &["--max-output", "1"]].concat());
    assert_eq!(code, Some(3));
    assert!(text.len() <= 1 << 20);
    assert!(text.ends_with("the answer has more than 1048576 bytes.\n"));
    // Data ends with a whole row.
    for command in [&table[..], &["label", "nim(40, 40, 40)"]] {
        let csv: &[&str] = if command[0] == "table" {
            &["--csv"]
        } else {
            &[]
        };
        let output = grundy(&[command, csv, &["--max-output", "1"]].concat());
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.len() <= 1 << 20 && text.ends_with('\n'));
        let columns = |line: &str| {
            line.split("\",")
                .last()
                .unwrap_or(line)
                .matches(',')
                .count()
        };
        let last = text.lines().last().expect("rows");
        assert_eq!(columns(last), columns(text.lines().nth(1).expect("rows")));
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains("the answer has more than 1048576 bytes"));
    }
}

#[test]
fn a_batch_line_can_set_its_own_limits() {
    let lines = "{\"game\": \"domineering(board(5, 5))\", \"limits\": {\"positions\": 5}}\n\
                 {\"game\": \"nim(3)\", \"limits\": {\"output\": 100}}\n\
                 {\"game\": \"nim(3)\", \"limits\": 7}\n\
                 {\"game\": \"nim(3)\"}\n";
    let output = grundy_with(&["solve", "--jsonl", "-"], lines);
    let text = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Value> = (text.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers[0]["stopped"]["limit"], "positions");
    assert_eq!(answers[1]["stopped"]["limit"], "output");
    assert_eq!(answers[2]["error"]["kind"], "type");
    assert_eq!(answers[3]["status"], "exact");
}
