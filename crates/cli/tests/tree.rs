//! `grundy tree` from the outside: exit codes and errors on hostile input, files that read back.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn grundy(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(arguments)
        .output()
        .unwrap()
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let name = format!("grundy-tree-{}-{name}.efg", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[test]
fn hostile_files_and_options_get_one_clear_error() {
    let head = "EFG 2 R \"x\" { \"A\" \"B\" }\n";
    let decision = "p \"\" 1 1 \"\" { \"a\" \"b\" } 0\n";
    let cases: [(&str, Vec<u8>, &str, u64); 9] = [
        ("empty", Vec::new(), "syntax", 1),
        ("bytes", b"EFG 2 R \xff".to_vec(), "encoding", 1),
        ("other", b"NFG 1 R".to_vec(), "syntax", 1),
        (
            "short",
            [head, decision, "t \"\" 0\n"].concat().into(),
            "syntax",
            4,
        ),
        (
            "long",
            [head, "t \"\" 0\nt \"\" 0"].concat().into(),
            "syntax",
            3,
        ),
        (
            "hidden",
            [head, decision, decision].concat().into(),
            "illegal_position",
            3,
        ),
        (
            "chance",
            [head, "c \"\" 1 \"\" { \"a\" 1 } 0\n"].concat().into(),
            "illegal_position",
            2,
        ),
        (
            "nan",
            [head, "t \"\" 1 \"\" { NaN 0 }"].concat().into(),
            "range",
            2,
        ),
        (
            "huge",
            [head, "t \"\" 1 \"\" { 1e99999999 0 }"].concat().into(),
            "range",
            2,
        ),
    ];
    for (name, content, kind, line) in cases {
        let path = file(name, &content);
        let output = grundy(&["tree", "--json", path.to_str().unwrap()]);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(error["error"]["kind"], kind, "{name}");
        assert_eq!(error["error"]["at"]["line"], line, "{name}: {error}");
        assert!(output.stderr.starts_with(b"error: ") && output.stderr.len() < 2000);
    }
    let cases: [(&[&str], i32); 10] = [
        (&["no/such/file.efg"], 2),
        (&["tic_toe()", "--versus", "1"], 2),
        (&["tic_toe()", "--versus", "x,0"], 2),
        (&["tic_toe()", "--versus", "32,0"], 2),
        (&["tic_toe() + nim(1)"], 2),
        (&["northcott(8, [[0, 3]])"], 2),
        (&["nim(18446744073709551615)", "--max-positions", "1000"], 3),
        (&["tic_tac_toe()", "--max-positions", "1000"], 3),
        (
            &[
                "k_in_a_row(['....', '....', '....', '....'], 4)",
                "--max-memory",
                "1",
            ],
            3,
        ),
        (&["tic_toe()", "--svg", "/nowhere/at/all.svg"], 2),
    ];
    for (options, code) in cases {
        let arguments = [&["tree"], options].concat();
        let output = grundy(&arguments);
        assert_eq!(output.status.code(), Some(code), "{options:?}");
        assert!(output.stderr.starts_with(b"error: "), "{options:?}");
    }
}

#[test]
fn a_written_file_has_the_counts_of_the_game() {
    let path = file("written", b"");
    let name = path.to_str().unwrap();
    let one = grundy(&["tree", "--json", "tic_toe()", "--efg", name]);
    let other = grundy(&["tree", "--json", name]);
    std::fs::remove_file(&path).unwrap();
    let [one, other]: [Value; 2] =
        [one, other].map(|output| serde_json::from_slice(&output.stdout).unwrap());
    for key in [
        "value",
        "instances",
        "nodes",
        "wins",
        "strategies",
        "winning_strategies",
    ] {
        assert_eq!(one[key], other[key], "{key}");
    }
    assert_eq!(one["wins"].to_string(), r#"{"X":16,"O":0,"tie":8}"#);
}
