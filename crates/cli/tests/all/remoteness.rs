//! What `--remoteness` says where it is known, and where it would cost too much.

use crate::program::{grundy, grundy_with};

#[test]
fn remoteness_beyond_the_limits_is_left_out_and_the_answer_stands() {
    let output = grundy(&["solve", "--json", "--remoteness", "nim(3, 4)"]);
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(answer.contains(r#""remoteness":7"#), "{answer}");
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
