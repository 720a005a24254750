//! `--remoteness`: the remoteness in the answer, and its absence if the search for it would exceed
//! the limits.

use crate::program::{grundy, grundy_with};

#[test]
fn remoteness_beyond_the_limits_is_omitted() {
    let output = grundy(&["solve", "--json", "--remoteness", "nim(3, 4)"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    // With optimal play the sum lasts until every chip is taken singly: 3 + 4 moves.
    assert!(answer.contains(r#""remoteness":7"#), "{answer}");
    // The outcome follows from the nim-sum at once, while the remoteness would need a search of
    // 2^32 positions. It is left out without an error.
    let output = grundy(&["solve", "--json", "--remoteness", "nim(4294967296, 0)"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        answer.contains(r#""outcome":"N""#) && !answer.contains("remoteness"),
        "{answer}"
    );
    let lines = "nim(4294967296, 0)\nnim(1)\n";
    let output = grundy_with(&["solve", "--remoteness", "--jsonl", "-"], lines);
    let answers = String::from_utf8_lossy(&output.stdout);
    assert_eq!(answers.matches("remoteness").count(), 1, "{answers}");
    assert_eq!(output.status.code(), Some(0));
}
