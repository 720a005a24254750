//! Rejection of commands that name one file twice, before anything is written.

use std::fs;

use crate::program::{command, folder};

#[test]
fn a_file_named_twice_is_rejected_and_unchanged() {
    let folder = folder("apart");
    fs::create_dir(folder.join("inside")).unwrap();
    let moves = "from,to\na,b\nb,c\n";
    fs::write(folder.join("moves.csv"), moves).unwrap();
    fs::write(folder.join("matrix.csv"), "1,0\n0,2\n").unwrap();
    fs::write(folder.join("rules.star"), "def moves(n): return []\n").unwrap();
    let tree = command(&["tree", "nim(2)", "--efg"])
        .arg(folder.join("nim.efg"))
        .output();
    assert!(tree.unwrap().status.success());
    let before = contents(&folder);
    let cases: &[&[&str]] = &[
        &[
            "label",
            "nim(2)",
            "--output",
            "x.csv",
            "--checkpoint",
            "x.csv",
        ],
        // Another spelling of the same path, so a comparison of the strings is not enough. Neither
        // file exists, so the file system cannot show that they are equal.
        &[
            "label",
            "nim(2)",
            "--output",
            "x.csv",
            "--checkpoint",
            "./inside/../x.csv",
        ],
        // Input files must not be overwritten either.
        &["label", "moves.csv", "--output", "moves.csv"],
        &[
            "label",
            "moves.csv",
            "--output",
            "y.csv",
            "--checkpoint",
            "moves.csv",
        ],
        &["label", "nim(2)", "--tablebase", "x", "--checkpoint", "x"],
        &[
            "label",
            "--rules",
            "rules.star",
            "game(moves, 3)",
            "--checkpoint",
            "rules.star",
        ],
        &[
            "period",
            "kayles(n)",
            "--values",
            "x.csv",
            "--certificate",
            "x.csv",
        ],
        &["period", "kayles(n)", "--svg", "x", "--checkpoint", "x"],
        &[
            "period",
            "kayles(n)",
            "--values",
            "x.csv",
            "--svg",
            "inside/../x.csv",
        ],
        &[
            "table",
            "--rules",
            "rules.star",
            "game(moves, n)",
            "n=0..3",
            "--svg",
            "rules.star",
        ],
        &["matrix", "matrix.csv", "--certificate", "matrix.csv"],
        &["matrix", "matrix.csv", "--svg", "matrix.csv"],
        &["matrix", "matrix.csv", "--svg", "x", "--certificate", "x"],
        &["tree", "nim.efg", "--efg", "nim.efg"],
        &["tree", "nim(2)", "--efg", "x", "--svg", "x"],
    ];
    for arguments in cases {
        let output = command(arguments).current_dir(&folder).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("refer to the same file"),
            "{arguments:?}: {said}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(contents(&folder), before, "{arguments:?}");
    }
    // The control: distinct files in the same folder are accepted.
    let apart = [
        "label",
        "moves.csv",
        "--output",
        "x.csv",
        "--checkpoint",
        "y.csv",
    ];
    let output = command(&apart).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Returns the files of a folder with their contents, in order. A subfolder has no content.
fn contents(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Option<Vec<u8>>)> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let content = fs::read(&path).ok();
            (path, content)
        })
        .collect();
    files.sort();
    files
}
