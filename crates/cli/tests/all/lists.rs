//! `solve` with a list of positions.

use serde_json::Value;

use crate::program::grundy;

const RULES: &str = "../../examples/rules/squares.star";

fn solve(arguments: &[&str]) -> (Option<i32>, Value, String) {
    let output = grundy(&[&["solve", "--json"], arguments].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let answer = if text.is_empty() { &error } else { &text };
    (
        output.status.code(),
        serde_json::from_str(answer).unwrap(),
        error,
    )
}

#[test]
fn a_list_is_answered_position_by_position() {
    let positions = [
        "game(moves, 20)",
        "game(moves, 7) + nim(2)",
        "nim(1, 2, 3)",
        "domineering(board(2, 3)) + nim(1)",
    ];
    let list = format!("[{}]", positions.join(", "));
    let (code, together, _) = solve(&["--rules", RULES, &list]);
    assert_eq!((code, &together["status"]), (Some(0), &"exact".into()));
    let alone = positions.map(|position| solve(&["--rules", RULES, position]).1);
    assert_eq!(together["answers"], Value::from(alone.to_vec()));

    let text = grundy(&["solve", "--rules", RULES, &list]);
    let alone = positions.map(|position| {
        let output = grundy(&["solve", "--rules", RULES, position]);
        String::from_utf8(output.stdout).unwrap()
    });
    assert_eq!(String::from_utf8(text.stdout).unwrap(), alone.join("\n"));
}

#[test]
fn an_error_points_into_the_list() {
    let (code, answer, _) = solve(&["[nim(3), nim(-1)]"]);
    assert_eq!(code, Some(2));
    let alone = solve(&["nim(-1)"]).1;
    assert_eq!(answer["error"]["message"], alone["error"]["message"]);
    assert_eq!(answer["error"]["at"]["offset"], 13);
    // A list of numbers is a position.
    assert_eq!(solve(&["[3, 4, 5]"]).1["understood"], "nim(3, 4, 5)");
    let (_, answer, _) = solve(&["[]"]);
    assert_eq!(answer["error"]["message"], "the list has no position");
    // A rule file's error refers to the rule file, not to the list.
    let rules = ["--rules", RULES, "[game(moves, 4), game(moves, \"x\")]"];
    let (_, answer, _) = solve(&rules);
    assert_eq!(answer["error"]["in"], "rules", "{answer}");
}

#[test]
fn the_positions_before_a_limit_are_answered() {
    let list = "[nim(3, 4), chomp(9, 9, 9, 9, 9), nim(1)]";
    let (code, answer, _) = solve(&["--max-positions", "10", list]);
    assert_eq!(code, Some(3), "{answer}");
    assert_eq!(answer["status"], "partial");
    assert_eq!(answer["stopped"]["limit"], "positions");
    let answers = answer["answers"].as_array().unwrap();
    assert_eq!(answers[0]["grundy"], 7);
    assert_eq!(answers[1]["status"], "partial");
}
