//! Inputs whose answers are far longer or larger than they are.

use serde_json::Value;

use crate::program::grundy;

/// Most bytes of an answer here.
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
    // In braces alone these have 2^30 numbers.
    let games = [nested("+-(", "1", ")", 30), nested("+-{", "1*", "}", 30)];
    for game in &games {
        for command in ["solve", "value", "explain", "draw", "tree", "label"] {
            let (code, text) = answer(&[command, game]);
            assert_eq!(code, Some(0), "{command}");
            assert!(!text.is_empty(), "{command}");
        }
        let (code, found) = json(&["solve", "--json", game]);
        assert_eq!(code, Some(0));
        // The text of the position says all of it.
        let written = found["game"].as_str().expect("a position");
        let (_, again) = json(&["solve", "--json", written]);
        assert_eq!(found["outcome"], again["outcome"]);
        assert_eq!(again["game"], found["game"]);
        let (code, found) = json(&["compare", "--json", game, game]);
        assert_eq!((code, &found["relation"]), (Some(0), &Value::from("=")));
    }
}

#[test]
fn deep_braces_are_written_once() {
    let (code, found) = json(&["value", "--json", &nested("{", "0", "|}", 20_000)]);
    assert_eq!((code, &found["value"]), (Some(0), &Value::from("20000")));
}

#[test]
fn a_table_ends_where_memory_does() {
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
    // What is there is right: nim-sums.
    let row = rows[1].as_array().expect("a row");
    for (m, cell) in (0u64..).zip(row) {
        assert_eq!(cell.as_u64(), Some(m ^ 1));
    }
    let (code, text) = answer(&table);
    assert_eq!(code, Some(3));
    assert!(text.lines().count() > 3);
}

#[test]
fn long_incentives_withhold_nothing_else() {
    let toads = "toads_and_frogs(\"TTTTT..FFFFF\")";
    let (code, found) = json(&["value", "--json", toads]);
    assert_eq!((code, &found["status"]), (Some(0), &Value::from("exact")));
    assert!(found["birthday"].is_u64() && found["reduced"].is_string());
}
