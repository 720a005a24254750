//! Rule files on the command line: every command, every kind of game, and errors.

use crate::program::{folder, grundy, grundy_with};
use serde_json::Value;

fn gallery(name: &str) -> String {
    format!(
        "{}/../../examples/rules/{name}.star",
        env!("CARGO_MANIFEST_DIR")
    )
}

fn json(command: &str, name: &str, arguments: &[&str]) -> Value {
    let file = gallery(name);
    let all = [&[command, "--json", "--rules", &file], arguments].concat();
    let output = grundy_with(&all, "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A temporary rule file, deleted on drop.
struct Temporary(std::path::PathBuf);

impl Temporary {
    fn new(name: &str, text: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("grundy-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn json_follows_the_contract_for_every_kind_of_game() {
    let impartial = json("solve", "squares", &["game(moves, 11) + nim(3)"]);
    assert_eq!(impartial["game"], "game(moves, 11) + nim(3)");
    assert_eq!(
        (&impartial["outcome"], &impartial["grundy"]),
        (&"N".into(), &2.into())
    );
    let moves = impartial["winning_moves"].as_array().unwrap();
    assert_eq!(moves[0]["to"], "game(moves, 11) + nim(1)");
    assert_eq!(moves[0]["component"], 1);

    let labelled = json("solve", "silver_dollar", &["game(moves, (1, 3, 7, 8))"]);
    assert_eq!(labelled["winning_moves"][0]["move"], "3 to 2");
    assert_eq!(labelled["winning_moves"][0]["at"], serde_json::json!([1]));

    let loopy = json("solve", "fair_shares", &["game(moves, (3, 4))"]);
    assert_eq!(
        (&loopy["outcome"], &loopy["grundy"], &loopy["method"]),
        (&"P".into(), &0.into(), &"smith-fraenkel".into())
    );

    let partizan = json("solve", "toads_and_frogs", &["game(rules, 'TT.F')"]);
    assert!(partizan["winning_moves"]["left"].is_array(), "{partizan}");
    assert!(partizan["winning_moves"]["right"].is_array(), "{partizan}");

    let tie = json("solve", "tic_tac_toe", &["game(moves, '.........')"]);
    assert_eq!(
        (
            &tie["outcome"],
            tie["winning_moves"].as_array().unwrap().len()
        ),
        (&"tie".into(), 9)
    );
    let win = json("solve", "tic_tac_toe", &["game(moves, 'XX.OO....')"]);
    assert_eq!(
        (&win["outcome"], &win["winning_moves"][0]["at"]),
        (&"win".into(), &serde_json::json!([0]))
    );

    // The values of Kayles, from the built-in theory.
    let table = json("table", "kayles", &["game(moves, n)", "n=0..9"]);
    assert_eq!(
        table["grundy"],
        serde_json::json!([0, 1, 2, 3, 1, 4, 3, 2, 1, 4])
    );
    // In a loopy game too, each cell of a table must equal the answer for its position.
    let drawn = json(
        "table",
        "fair_shares",
        &["game(moves, (a, b))", "a=1..2", "b=2..5"],
    );
    let heaps = (1..=2).map(|a| (2..=5).map(move |b| format!("game(moves, ({a}, {b}))")));
    let values: Vec<Vec<Value>> = heaps
        .map(|row| {
            row.map(|game| json("solve", "fair_shares", &[&game])["grundy"].clone())
                .collect()
        })
        .collect();
    assert_eq!(drawn["grundy"], serde_json::json!(values));
    let explained = json("explain", "squares", &["game(moves, 12)"]);
    assert!(
        explained["steps"]
            .as_array()
            .unwrap()
            .iter()
            .any(|step| step["code"] == "mex")
    );
    assert!(
        json("draw", "squares", &["game(moves, 12)"])["svg"]
            .as_str()
            .unwrap()
            .contains("<svg")
    );
}

#[test]
fn a_rule_file_game_is_played_to_its_end() {
    let output = grundy_with(
        &["play", "--rules", &gallery("kayles"), "game(moves, 4)"],
        "1\n1\n1\n1\n1\n",
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("No move is left"), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

// From 4 a move leads to n = 3, where the rules divide by zero. The sums of Nim are unaffected.
#[test]
fn a_batch_continues_after_a_failed_rule() {
    let file = Temporary::new(
        "fails.star",
        b"def moves(n):\n    return [n - 1, 6 // (n - 3)] if n > 0 else []\n",
    );
    let lines = "game(moves, 4)\nnim(1)\ngame(moves, 2)\nnim(2)\n";
    let output = grundy_with(&["solve", "--rules", file.path(), "--jsonl", "-"], lines);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["error"]["at"]["line"], 2);
    assert!(
        answers[0]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("moves(3): division by 0")
    );
    assert_eq!(answers[1]["grundy"], 1);
    assert_eq!(answers[3]["grundy"], 2);
}

#[test]
fn every_failure_is_one_message_with_its_exit_code() {
    let cases: [(&[u8], &str, i32, &str); 9] = [
        (
            b"def moves(n):\n    return [n - 1] + n\n",
            "game(moves, 3)",
            2,
            "line 2",
        ),
        (
            b"def moves(n):\n    return [n + 1]\n",
            "game(moves, 3)",
            3,
            "more than 1000 positions",
        ),
        (
            b"def moves(n):\n    return [0 for k in range(1 << 60)]\n",
            "game(moves, 3)",
            3,
            "more than 50000000 steps",
        ),
        (
            b"def moves(n):\n    return [\"a\" * (1 << 60)]\n",
            "game(moves, 3)",
            3,
            "more than 256 MiB",
        ),
        (
            b"def moves(n)\n    return []\n",
            "game(moves, 3)",
            2,
            "line 1",
        ),
        (b"\xff\xfe", "game(moves, 3)", 2, "not UTF-8"),
        (b"", "game(moves, 3)", 2, "empty"),
        (
            b"def value(n): return 5\ndef moves(n): return []\n",
            "game(moves, 3)",
            2,
            "5 is not a valid value",
        ),
        (
            b"def left(p): return [p - 1]\ndef right(p): return [p.x]\n",
            "game(rules, 3)",
            2,
            "method",
        ),
    ];
    for (number, (text, game, code, message)) in cases.into_iter().enumerate() {
        let file = Temporary::new(&format!("{number}.star"), text);
        let output = grundy_with(
            &[
                "solve",
                "--json",
                "--max-positions",
                "1000",
                "--rules",
                file.path(),
                game,
            ],
            "",
        );
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{shown}");
        let found =
            shown.contains(message) || message == "line 1" && shown.contains("def moves(n)");
        assert!(found && shown.matches("error:").count() == 1, "{shown}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        // A limit set by the user withholds the answer; anything else is an error.
        let said = object.get("stopped").unwrap_or(&object["error"]);
        assert!(said["message"].is_string(), "{object}");
    }
    let output = grundy_with(&["solve", "game(moves, 3)"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--rules FILE"));
}

// Each move makes the sum longer, so a limit on the number of positions is not enough: the memory
// of each position counts as well.
#[test]
fn endlessly_growing_sums_reach_the_memory_limit() {
    let folder = crate::program::folder("growing");
    for (name, source, start) in [
        (
            "one",
            "def moves(n):\n    return [sum_of([n, n])]\n",
            "game(moves, 1)",
        ),
        (
            "two",
            "def left(n):\n    return [sum_of([n, n])]\ndef right(n):\n    return [sum_of([n, n, n])]\n",
            "game(rules, 1)",
        ),
    ] {
        let file = folder.join(format!("{name}.star"));
        std::fs::write(&file, source).unwrap();
        for play in [&[][..], &["--misere"]] {
            let arguments = ["solve", "--rules", file.to_str().unwrap(), start];
            let done = grundy_with(
                &[&arguments[..], &["--max-memory", "50"], play].concat(),
                "",
            );
            let error = String::from_utf8_lossy(&done.stderr);
            assert_eq!(done.status.code(), Some(3), "{error}");
            assert!(error.contains("bytes of memory"), "{error}");
        }
    }
}

// A file must define either an impartial or a partizan game.
#[test]
fn a_rule_file_with_both_kinds_of_moves_is_rejected() {
    let folder = crate::program::folder("rules-twice");
    let file = folder.join("own.star");
    let name = file.to_str().unwrap();
    let (moves, left) = ("def moves(n): return []\n", "def left(n): return []\n");
    let (right, value) = (
        "def right(n): return []\n",
        "def value(n): return \"tie\"\n",
    );
    for (text, message) in [
        (
            [left, right, moves].concat(),
            "left and right, so it cannot also define moves",
        ),
        (
            [left, right, value].concat(),
            "left and right, so it cannot also define value",
        ),
        ([moves, "value = 3\n"].concat(), "`value` is not a function"),
        (
            [left, right, "value = None\n"].concat(),
            "`value` is not a function",
        ),
    ] {
        std::fs::write(&file, &text).unwrap();
        let output = crate::program::grundy(&["solve", "--rules", name, "game(rules, 3)"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(message), "{said}");
    }
    for text in [
        [moves, value].concat(),
        [left, right].concat(),
        [moves, left].concat(),
    ] {
        std::fs::write(&file, &text).unwrap();
        let output = crate::program::grundy(&["solve", "--rules", name, "game(rules, 3)"]);
        assert!(output.status.success(), "{text}: {output:?}");
    }
}

/// Rule files with a beginner's mistake, a position, and a part of the expected error.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "def moves(n): return n - 1",
        "game(moves, 5)",
        "return a list",
    ),
    (
        "def moves(n):\n    if n: return [n - 1]",
        "game(moves, 5)",
        "[] if there is no move",
    ),
    (
        "def moves(n):\nreturn [n - 1]",
        "game(moves, 5)",
        "indent the lines",
    ),
    (
        "def moves(n):\n\treturn [n - 1]",
        "game(moves, 5)",
        "indent with spaces",
    ),
    (
        "def moves(n):\n    while n: n -= 1",
        "game(moves, 5)",
        "for i in range(n)",
    ),
    ("import math", "game(moves, 5)", "a rule file cannot import"),
    (
        "class Game: pass",
        "game(moves, 5)",
        "define the functions moves(p)",
    ),
    (
        "def moves(n):\n    if n = 0:\n        return []\n",
        "game(moves, 5)",
        "write == for equality",
    ),
    (
        "def moves(n):\n    return [1] if n > 1 && n < 9 else []",
        "game(moves, 5)",
        "write `and`",
    ),
    (
        "def moves(n):\n    return [1] if n > 1 || n < 0 else []",
        "game(moves, 5)",
        "write `or`",
    ),
    (
        "def moves(n):\n    return [1] if !n else []",
        "game(moves, 5)",
        "write `not`",
    ),
    (
        "def moves(n):\n    return {k for k in range(n)}",
        "game(moves, 5)",
        "sets are not supported",
    ),
    (
        "def moves(n):\n    yield n - 1",
        "game(moves, 5)",
        "return a list of all moves",
    ),
    (
        "def moves(n):\n    try:\n        pass\n",
        "game(moves, 5)",
        "exceptions cannot be caught",
    ),
    (
        "def moves(p):\n    return [p[0] - 1, p[1]] if p[0] > 0 else []",
        "game(moves, (3, 2))",
        "[(a, b)] contains one position",
    ),
    (
        "def left(n): return []\ndef right(n): return []",
        "game(left, 2)",
        "write game(rules, 2)",
    ),
    ("def moves(n): print(n)", "game(moves, 5)", "cannot print"),
    (
        "def moves(n): return set([1])",
        "game(moves, 5)",
        "as in {1: True}",
    ),
    (
        "def moves(n): return [f\"{n}\"]",
        "game(moves, 5)",
        "str(n)",
    ),
    (
        "def moves(a, b): return []",
        "game(moves, (1, 2))",
        "def moves(p)",
    ),
    (
        "def moves(s): return []",
        "game(moves, xx)",
        "quotation marks",
    ),
    ("def moves(s): return []", "moves(3)", "game(moves, start)"),
    ("def moves(s): return []", "rules.star", "--rules FILE"),
];

// Users often write their first rule file as Python, so the errors say what to write instead.
#[test]
fn common_mistakes_in_rule_files_get_a_suggestion() {
    let folder = folder("first-rules");
    for (number, &(rules, position, told)) in MISTAKES.iter().enumerate() {
        let file = folder.join(format!("{number}.star"));
        std::fs::write(&file, rules).unwrap();
        let output = grundy(&["solve", "--rules", file.to_str().unwrap(), position]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(told), "{told}: {said}");
    }
    let file = folder.join("0.star");
    let output = grundy(&["play", "--rules", file.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("write a position of the rule file"), "{said}");
}

#[test]
fn mistakes_of_beginners_are_explained_at_once() {
    for (name, rules, start, expected) in [
        (
            "falling.star",
            "def moves(n):\n    return [n - 1, n - 2]\n",
            "game(moves, 10)",
            "the positions run away: 4, 2, 0, -2, -4, ...\n  | line 2:     return [n - 1, n - 2]\n",
        ),
        (
            "listed.star",
            "def moves(n):\n    return [n - k for k in range(1, 4)]\n",
            "game(moves, 10)",
            "the positions run away: 6, 3, 0, -3, -6, ...",
        ),
        (
            "growing.star",
            "def moves(n):\n    return [n + 2, n]\n",
            "game(moves, 0)",
            "the positions run away: 1, 3, 5, 7, 9, ...",
        ),
        (
            "pair.star",
            "def moves(n):\n    return [(a, n - a) for a in range(1, n)]\n",
            "game(moves, 10)",
            "return sum_of([1, 9]) instead of a tuple",
        ),
        (
            "several.star",
            "def f(n):\n    return []\ndef g(n):\n    return []\n",
            "game(moves, 3)",
            "the file defines f, g",
        ),
        (
            "two.star",
            "def moves(a, b):\n    return []\n",
            "game(moves, (3, 4))",
            "a position is a single argument: write def moves(p)",
        ),
    ] {
        let file = Temporary::new(name, rules.as_bytes());
        let begun = std::time::Instant::now();
        let output = grundy_with(&["solve", "--rules", file.path(), start], "");
        assert!(begun.elapsed().as_secs() < 10, "{name}");
        let error = String::from_utf8(output.stderr).unwrap();
        let prefix = format!("grundy-{}-", std::process::id());
        assert!(error.replace(&prefix, "").contains(expected), "{error}");
        assert_eq!(output.status.code(), Some(2), "{error}");
    }
    // These games end, although their positions pass -1000. Brute force: n - LEAST moves are left.
    for (rules, start, outcome) in [
        (
            "def moves(n):\n    return [n - 1] if n > -5001 else []\n",
            "game(moves, 10)",
            "N",
        ),
        (
            "def moves(n):\n    return [n - 1] if n != -3000 else []\n",
            "game(moves, 10)",
            "P",
        ),
        (
            "def options(n):\n    return [n - k for k in [1, 2] if k <= n]\n",
            "game(moves, 9)",
            "P",
        ),
        (
            "def moves(p):\n    return [(True, p[1] - 1)] if p[1] else []\n",
            "game(moves, (False, 3))",
            "N",
        ),
        (
            "def moves(p):\n    return [(None, p[1] - 1)] if p[1] else []\n",
            "game(moves, (None, 2))",
            "P",
        ),
    ] {
        let file = Temporary::new("long.star", rules.as_bytes());
        let output = grundy_with(&["solve", "--json", "--rules", file.path(), start], "");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["outcome"], outcome, "{rules}");
    }
}

/// Checks numbers beyond 64 bits. The rules take 1 to 3 chips from a heap that is a multiple of
/// 2^62 plus a remainder, and brute force over the remainder gives the outcome.
#[test]
fn positions_are_as_large_as_heaps() {
    let rules =
        "def moves(n):\n    return [n - k for k in [1, 2, 3] if k <= n % 4611686018427387904]\n";
    let file = Temporary::new("wide.star", rules.as_bytes());
    for (base, rest) in [
        (0u64, 5u64),
        (1 << 63, 4),
        (1 << 63, 6),
        (3 << 62, 8),
        (3 << 62, 9),
    ] {
        let start = format!("game(moves, {})", base + rest);
        let output = grundy_with(&["solve", "--json", "--rules", file.path(), &start], "");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["grundy"], rest % 4, "{start}: {answer}");
        assert_eq!(answer["game"], start);
    }
    // Each expression is compared with its value in Python.
    let rules = "def moves(n):\n    big = 18446744073709551615\n    facts = [\n        big - 1 < big, -big < 0, big // 10 == 1844674407370955161, big % 10 == 5, -big // 10 == -1844674407370955162,\n        -big % 10 == 5, big & 255 == 255, big >> 60 == 15, abs(-big) == big, str(big) == \"18446744073709551615\",\n        int(\"18446744073709551615\") == big, max(1, big) == big, sorted([big, 2]) == [2, big], {big: 1}[big] == 1,\n        (big, 1) == (1 + (big - 1), 1), \"%d\" % big == str(big), bool(big), 9223372036854775807 + 1 == 1 << 63,\n        (1 << 63) - 1 == 9223372036854775807, -(1 << 63) == -9223372036854775808,\n    ]\n    return [n - 1] if n and all(facts) else []\n";
    let file = Temporary::new("facts.star", rules.as_bytes());
    let output = grundy_with(
        &["solve", "--json", "--rules", file.path(), "game(moves, 1)"],
        "",
    );
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["outcome"], "N", "{output:?}");
    let output = grundy_with(
        &[
            "solve",
            "--rules",
            file.path(),
            "game(moves, 18446744073709551616)",
        ],
        "",
    );
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("from -2^64 + 1 to 2^64 - 1"), "{error}");
}
