//! `grundy value`: batches, limits and pictures.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::program::{grundy, grundy_with};
use serde_json::{Value, json};

/// A board for which a small limit on the number of positions suffices to visit all positions, but
/// not to compute the canonical forms.
const BOARD: &str = "amazons([\"x.o\", \"...\", \"o.x\"])";

fn value(arguments: &[&str]) -> (i32, Value) {
    let output = grundy(&[&["value", "--json"], arguments].concat());
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), answer)
}

fn batch(options: &[&str], lines: &[Value]) -> (i32, Vec<Value>) {
    let arguments = [&["value", "--jsonl", "-"], options].concat();
    // A line is an object or a plain expression.
    let lines = lines.iter().map(|line| match line {
        Value::String(plain) => plain.clone(),
        object => object.to_string(),
    });
    let output = grundy_with(&arguments, lines.collect::<Vec<_>>().join("\n"));
    let said = String::from_utf8(output.stdout).unwrap();
    let said = said.lines().map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), said.collect())
}

fn literal(text: &str) -> String {
    format!("literal(\"{text}\")")
}

#[test]
fn a_batch_line_is_answered_like_a_single_question() {
    let games = [
        literal("{2|-1/2}"),
        literal("^^*3"),
        "domineering([\"..\", \"..\"])".to_owned(),
        literal("{2|-1/2}"),
        "nim(3) + hackenbush(\"0-1:b 1-2:r\")".to_owned(),
    ];
    let lines: Vec<Value> = games.iter().map(|game| json!(game)).collect();
    let (code, said) = batch(&[], &lines);
    assert_eq!(code, 0);
    // The repeated literal may be answered from a cache, which must not change the answer.
    assert_eq!(said.len(), games.len());
    for (game, said) in games.iter().zip(&said) {
        assert_eq!((0, said), (value(&[game]).0, &value(&[game]).1), "{game}");
    }
}

// Options in a line override the options of the batch for that line only.
#[test]
fn options_in_a_line_override_those_of_the_batch() {
    let game = literal("{3|-1}");
    let lines = [
        json!({"game": game, "id": "cooled", "cool": "1/2"}),
        json!({"game": game, "form": true, "latex": true}),
        json!({"game": literal("*"), "heat": "2", "form": true}),
        json!({"game": game}),
    ];
    let (code, said) = batch(&[], &lines);
    assert_eq!(code, 0, "{said:?}");
    assert_eq!(
        (&said[0]["value"], &said[0]["id"]),
        (&json!("{5/2|-1/2}"), &json!("cooled"))
    );
    assert_eq!(said[1]["latex"], "\\left\\{3\\mid -1\\right\\}");
    assert_eq!(said[2]["value"], "{2|-2}");
    assert_eq!(said[3]["value"], "{3|-1}");
    let (code, said) = batch(&["--freeze"], &lines[2..]);
    assert_eq!((code, &said[0]["value"]), (0, &json!("{2|-2}")));
    assert_eq!(said[1]["value"], "1*");
}

#[test]
fn a_bad_line_is_one_error_and_the_batch_continues() {
    let lines = [
        json!(literal("{1|")),
        json!({"game": "tic_toe()"}),
        json!({"game": literal("1"), "cool": "*"}),
        json!({"game": literal("1"), "expect": {"value": "{1|"}}),
        json!({"game": literal("1"), "expect": {"grundy": 0}}),
        json!(literal("1")),
    ];
    let (code, said) = batch(&[], &lines);
    assert_eq!(code, 1);
    let kinds = ["syntax", "not_impartial", "range", "syntax", "type"];
    for (said, kind) in said.iter().zip(kinds) {
        let known = ["illegal_position", kind];
        assert!(
            known.contains(&said["error"]["kind"].as_str().unwrap()),
            "{said}"
        );
    }
    assert_eq!(said[5]["value"], "1");
}

// The expected value is compared as a game, so any form of the same value is accepted.
#[test]
fn expected_values_are_compared_as_games() {
    let line = |expect: Value| json!({"game": literal("{0|v*}"), "expect": expect});
    let right = [
        json!({}),
        json!({"value": "^<2>"}),
        json!({"value": "{0,v|{0,^|{0|0}}-^-^*+*}"}),
        json!({"value": "{0|{0|0}-{0|*}}", "outcome": "L"}),
    ];
    let (code, said) = batch(
        &[],
        &[
            line(right[0].clone()),
            line(right[1].clone()),
            line(right[3].clone()),
        ],
    );
    assert_eq!(code, 0, "{said:?}");
    assert!(said.iter().all(|said| said["expected"] == true));
    for wrong in [
        json!({"value": "^"}),
        json!({"outcome": "N"}),
        json!({"value": "^<2>", "outcome": "P"}),
    ] {
        let (code, said) = batch(&[], &[line(wrong)]);
        assert_eq!((code, &said[0]["expected"]), (1, &json!(false)));
    }
    // A value withheld by a limit is not compared.
    let unknown = json!({"game": BOARD, "expect": {"value": "0"}});
    let (code, said) = batch(&["--max-positions", "1300"], &[unknown]);
    assert_eq!((code, said[0].get("expected")), (3, None));
}

// If there are too many forms, a pass over the positions still gives outcome, stops and
// thermograph.
#[test]
fn quantities_from_positions_remain_if_forms_are_too_many() {
    let (code, whole) = value(&[BOARD]);
    assert_eq!((code, &whole["status"]), (0, &json!("exact")));
    let (code, mut part) = value(&["--max-positions", "1300", BOARD]);
    assert_eq!((code, &part["status"]), (3, &json!("partial")));
    assert_eq!(
        (&part["method"], part.get("value")),
        (&json!("stops"), None)
    );
    for key in [
        "outcome",
        "left_stop",
        "right_stop",
        "mean",
        "temperature",
        "thermograph",
    ] {
        assert_eq!(part[key], whole[key], "{key}");
    }
    assert_eq!(part["stopped"]["kind"], "limit");
    assert_eq!(part["stopped"]["help"], "--max-positions raises the limit");
    // In a batch the help names the JSON key, and the next line is unaffected.
    part["stopped"]["help"] = json!("`limits.positions` raises the limit");
    let lines = [json!(BOARD), json!(literal("{1|0}"))];
    let (code, said) = batch(&["--max-positions", "1300"], &lines);
    assert_eq!((code, &said[0]), (3, &part));
    assert_eq!(said[1]["value"], "{1|0}");
}

// If there are too many positions as well, the outcome may still be found. Nothing is guessed.
#[test]
fn smaller_limits_give_fewer_quantities() {
    let (_, whole) = value(&[BOARD]);
    let (code, part) = value(&["--max-positions", "960", BOARD]);
    assert_eq!(code, 3);
    assert_eq!(
        (&part["method"], &part["outcome"]),
        (&json!("search"), &whole["outcome"])
    );
    assert_eq!(part.get("mean"), None);
    let (code, part) = value(&["--max-positions", "20", BOARD]);
    assert_eq!((code, &part["status"]), (3, &json!("partial")));
    assert!(
        ["outcome", "mean", "method"]
            .iter()
            .all(|key| part.get(key).is_none())
    );
}

// The search for the form gets half of the time, which leaves enough for the rest to finish.
#[test]
fn the_search_for_the_form_gets_half_of_the_time() {
    // A 6x6 board of Clobber is far too large for a canonical form in 0.6 s.
    let rows = ["xoxoxo", "oxoxox", "xoxoxo", "oxoxox", "xoxoxo", "oxoxox"];
    let game = format!("clobber({})", json!(rows));
    let begun = Instant::now();
    let (code, part) = value(&["--timeout", "0.6", &game]);
    assert_eq!((code, &part["status"]), (3, &json!("partial")));
    assert_eq!(part["stopped"]["message"], "the time limit was reached");
    let taken = begun.elapsed();
    assert!(taken > Duration::from_millis(550), "{taken:?}");
    assert!(taken < Duration::from_secs(5), "{taken:?}");
}

#[test]
fn stats_and_time_are_per_line() {
    let rows = ["xoxoxo", "oxoxox", "xoxoxo", "oxoxox", "xoxoxo", "oxoxox"];
    let long = json!({"game": format!("clobber({})", json!(rows)), "timeout": 0.2});
    let board = json!("clobber([\"xoxo\", \"oxox\"])");
    let (code, said) = batch(&["--stats"], &[long, board.clone(), board]);
    assert_eq!((code, &said[0]["status"]), (3, &json!("partial")));
    assert!(said[1]["stats"]["positions"].as_u64().unwrap() > 0);
    assert_eq!(said[2]["stats"]["positions"], 0);
    assert_eq!(
        grundy(&["value", "--stats", "nim(1)"]).status.code(),
        Some(2)
    );
}

// The 1474 games born by day 3 have distinct canonical forms, which parse to the same values.
#[test]
fn games_born_by_day_3_have_distinct_forms() {
    let born = grundy(&["value", "--born", "3"]);
    let lines = String::from_utf8(born.stdout).unwrap();
    // 1474 is the known number of values born by day 3 (Hickerson).
    assert_eq!(lines.lines().count(), 1474);
    let valued = grundy_with(&["value", "--jsonl", "-"], lines);
    assert_eq!(valued.status.code(), Some(0));
    let said = String::from_utf8(valued.stdout).unwrap();
    let forms: HashSet<String> = said
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap();
            assert!(answer["birthday"].as_u64().unwrap() <= 3, "{line}");
            answer["value"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(forms.len(), 1474);
}

// Several thermographs share a picture, each with its value; a 13th is refused.
#[test]
fn thermographs_of_several_games_are_drawn_together() {
    let hot = "domineering([\"...\", \"...\"])";
    let games = [hot, "literal(\"+-1\")", "literal(\"{5|1/2}\")"];
    let drawn = grundy(&[&["draw", "--thermograph"], &games[..]].concat());
    assert_eq!(drawn.status.code(), Some(0));
    let picture = String::from_utf8(drawn.stdout).unwrap();
    for name in ["{2|-1/2}", "+-1", "{5|1/2}"] {
        assert!(picture.contains(&format!(">{name}")), "{name}: {picture}");
    }
    let many = [hot; 13];
    let refused = grundy(&[&["draw", "--thermograph"], &many[..]].concat());
    assert_eq!(refused.status.code(), Some(2));
    let both = grundy(&["draw", hot, "--graph", "--thermograph", hot]);
    assert_eq!(both.status.code(), Some(2));
}

// The heat map shows every temperature of the table, with the class of its sign.
#[test]
fn the_heat_map_shows_every_temperature() {
    let family = ["table", "domineering(board(m, n))", "m=1..3", "n=1..4"];
    let arguments = |more: &[&'static str]| [&family[..], &["--of", "temperature"], more].concat();
    let table = grundy(&arguments(&["--json"]));
    let table: Value = serde_json::from_slice(&table.stdout).unwrap();
    let rows = table["temperature"].as_array().unwrap();
    let cells: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|cell| cell.as_str().unwrap())
        .collect();
    assert_eq!(cells.len(), 12);
    let picture = String::from_utf8(grundy(&arguments(&["--svg", "-"])).stdout).unwrap();
    let count = |class: &str| {
        picture
            .matches(&format!("class=\"temperature-{class}\""))
            .count()
    };
    let of = |fits: &dyn Fn(&&&str) -> bool| cells.iter().filter(fits).count();
    // The legend adds two cold classes, one at 0 and two hot ones.
    assert_eq!(count("cold"), 2 + of(&|cell| cell.starts_with('-')));
    assert_eq!(count("tepid"), 1 + of(&|cell| **cell == "0"));
    assert_eq!(
        count("hot"),
        2 + of(&|cell| !cell.starts_with('-') && **cell != "0")
    );
    for cell in cells {
        assert!(picture.contains(&format!(">{cell}</text>")), "{cell}");
    }
}
