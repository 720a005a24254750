//! `grundy tree`: errors on hostile input, pictures, and files that can be read back.

use std::path::PathBuf;

use crate::program::grundy;
use serde_json::Value;

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
        // Two decisions of one player in the same information set: a game of imperfect information.
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
    let cases: [(&[&str], i32); 15] = [
        (&["no/such/file.efg"], 2),
        (&["tic_toe()", "--versus", "1"], 2),
        (&["tic_toe()", "--versus", "x,0"], 2),
        (&["tic_toe()", "--versus", "32,0"], 2),
        (&["tic_toe() + nim(1)"], 2),
        (&["northcott(8, [[0, 3]])"], 2),
        (&["nim(18446744073709551615)", "--max-positions", "1000"], 3),
        (&["nim(18446744073709551615)", "--max-memory", "64"], 3),
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
        (&["tree({1: [2], 2: [1]}, 1, {})"], 2),
        (&["graph({1: [2], 2: [1]}, 1)"], 2),
        (
            &[
                "game(moves, (3, 4))",
                "--rules",
                "../../examples/rules/fair_shares.star",
            ],
            2,
        ),
        (&["nim(200000)", "--max-memory", "64"], 3),
    ];
    for (options, code) in cases {
        let arguments = [&["tree"], options].concat();
        let output = grundy(&arguments);
        assert_eq!(output.status.code(), Some(code), "{options:?}");
        assert!(output.stderr.starts_with(b"error: "), "{options:?}");
    }
}

// The counts do not depend on the names of the players, which the rule file lacks.
#[test]
fn a_rule_file_has_the_tree_of_the_built_in_game() {
    let rules = "../../examples/rules/tic_tac_toe.star";
    let own = grundy(&[
        "tree",
        "--json",
        "--rules",
        rules,
        "game(moves, '.........')",
    ]);
    let built_in = grundy(&["tree", "--json", "tic_tac_toe()"]);
    let [own, built_in]: [Value; 2] =
        [own, built_in].map(|output| serde_json::from_slice(&output.stdout).unwrap());
    for key in ["value", "instances", "nodes", "positions", "longest"] {
        assert_eq!(own[key], built_in[key], "{key}");
    }
    for (own_name, name) in [("first", "X"), ("second", "O")] {
        for key in ["wins", "strategies", "optimal_strategies"] {
            assert_eq!(own[key][own_name], built_in[key][name], "{key}");
        }
    }
}

#[test]
fn pictures_show_as_many_nodes_as_fit() {
    let path = file("picture", b"").with_extension("svg");
    let name = path.to_str().unwrap();
    let drawn = |options: &[&str]| {
        let arguments = [&["tree", "--svg", name], options].concat();
        assert!(grundy(&arguments).status.success(), "{options:?}");
        std::fs::read_to_string(&path).unwrap()
    };
    let count = |svg: &str, what: &str| svg.matches(what).count();
    let whole = drawn(&["tic_toe()"]);
    assert_eq!(
        (count(&whole, "class=\"value\""), count(&whole, "<line")),
        (49, 48)
    );
    assert_eq!(count(&whole, "… "), 0);
    // With equal positions merged, 31 remain, and every move is an edge.
    let merged = drawn(&["tic_toe()", "--merge"]);
    assert_eq!(count(&merged, "class=\"value\""), 31);
    // Alpha-beta visits 24 of the 49 nodes, so 25 edges are dashed.
    let cut = drawn(&["tic_toe()", "--alpha-beta"]);
    assert_eq!(
        (count(&cut, "class=\"left-out\""), count(&cut, "<line")),
        (25, 23)
    );
    // The full tree has 549 946 nodes, so it is drawn up to symmetry to depth 2: 3 first moves and
    // 12 replies.
    let folded = drawn(&["tic_tac_toe()"]);
    assert_eq!(count(&folded, "class=\"value\""), 1 + 3 + 12);
    assert_eq!(count(&folded, "… "), 12);
    assert_eq!((count(&folded, "×4<"), count(&folded, "X moves")), (4, 2));
    std::fs::remove_file(&path).unwrap();
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
    // X never loses in tic-toe: the 24 leaves are 16 wins of X and 8 ties.
    assert_eq!(one["wins"].to_string(), r#"{"X":16,"O":0,"tie":8}"#);
}

#[test]
fn rules_that_fail_late_give_no_answer_and_no_file() {
    let folder = crate::program::folder("tree-rules");
    let rules = folder.join("fails.star");
    let text = "def moves(n):\n    if n == 3:\n        return 1 // 0\n    return [n - 1, n - 2] if n > 1 else []\n";
    std::fs::write(&rules, text).unwrap();
    let rules = rules.to_str().unwrap();
    let [svg, efg] = ["tree.svg", "tree.efg"].map(|name| folder.join(name));
    let asked = ["--rules", rules, "game(moves, 8)"];
    let tree = [
        "tree",
        "--svg",
        svg.to_str().unwrap(),
        "--efg",
        efg.to_str().unwrap(),
    ];
    let all: [&[&str]; 7] = [
        &tree,
        &["solve"],
        &["explain"],
        &["label"],
        &["draw"],
        &["draw", "--dot"],
        &["explain", "--proof"],
    ];
    for command in all {
        let output = grundy(&[command, &asked].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(output.stdout.is_empty(), "{command:?}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.matches("error: ").count(), 1, "{command:?}: {said}");
        let output = grundy(&[command, &["--json"], &asked].concat());
        if command.contains(&"--dot") {
            continue;
        }
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said.lines().count(), 1, "{command:?}: {said}");
        assert!(said.starts_with("{\"error\":"), "{command:?}: {said}");
    }
    // Files are written only after the answer is complete.
    assert!(!svg.exists() && !efg.exists());
    let table = ["table", "--rules", rules, "game(moves, n)", "n=0..5"];
    let output = grundy(&table);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
