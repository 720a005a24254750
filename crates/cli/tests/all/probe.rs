//! `grundy probe`: tablebases on disk and on a server, with the moves of each position.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::program::{folder, grundy, grundy_with};
use crate::server::{Misbehaviour, Server};
use serde_json::Value;

/// Returns the lines of the output, parsed as JSON.
fn lines(arguments: &[&str], input: &str) -> Vec<Value> {
    let done = grundy_with(arguments, input);
    assert!(done.stderr.is_empty(), "{done:?}");
    let text = String::from_utf8(done.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Labels a game. Returns the folder of its tablebase and the names of all positions.
fn labelled(folder: &Path, name: &str, game: &[&str]) -> (String, Vec<String>) {
    let table = folder.join(name).to_str().unwrap().to_owned();
    let csv = grundy(&[&["label"], game].concat());
    let names = csv::Reader::from_reader(csv.stdout.as_slice())
        .records()
        .map(|row| row.unwrap()[0].to_owned())
        .collect();
    let written = grundy(&[&["label"], game, &["--tablebase", &table]].concat());
    assert!(written.status.success(), "{written:?}");
    (table, names)
}

/// Returns the sort key of a move: wins by remoteness, draws, then losses by descending remoteness.
fn rank(mv: &Value) -> (u8, i64) {
    let remoteness = mv["remoteness"].as_i64().unwrap_or(0);
    match mv["category"].as_str().unwrap() {
        "win" => (0, remoteness),
        "draw" => (1, 0),
        "loss" => (2, -remoteness),
        other => panic!("{other}"),
    }
}

// Every position is looked up, and each move is compared with the entry of its target. The moves
// must be sorted, and the first one must give the position its outcome and remoteness.
#[test]
fn moves_agree_with_the_positions_they_lead_to() {
    let folder = folder("probe_moves");
    let rules = "../../examples/rules/kayles.star";
    let games: [&[&str]; 8] = [
        &["chomp(3, 3, 2)"],
        &["nim(2, 1) + kayles(3)", "--misere"],
        &["domineering(board(2, 3))"],
        &["toads_and_frogs(\"TT.FF\")"],
        &["tic_toe()"],
        &["hackenbush(\"0-1 1-2 0-2 2-3\")"],
        &["clobber([\"xo\", \"ox\"])", "--misere"],
        &["game(moves, 5)", "--rules", rules],
    ];
    for (number, game) in games.into_iter().enumerate() {
        let (table, names) = labelled(&folder, &format!("t{number}"), game);
        let answers = lines(&["probe", &table, "--jsonl", "-"], &names.join("\n"));
        assert_eq!(answers.len(), names.len());
        let known: HashMap<&str, &Value> = names.iter().map(String::as_str).zip(&answers).collect();
        let mut seen = 0;
        for answer in &answers {
            // An impartial game has one list of moves, a partizan game one for each player. After a
            // move of Left, Right is on turn.
            for (side, other) in [("", ""), ("_left", "_right"), ("_right", "_left")] {
                let Some(moves) = answer.get(format!("moves{side}")) else {
                    continue;
                };
                let moves = moves.as_array().unwrap();
                assert!(moves.is_sorted_by_key(rank), "{answer}");
                let remoteness = answer[format!("remoteness{side}")].as_i64();
                assert_eq!(
                    answer[format!("move{side}")],
                    moves.first().map_or(Value::Null, |mv| mv["to"].clone())
                );
                if let (Some(best), Some(moves_left)) = (moves.first(), remoteness) {
                    assert_eq!(
                        best["remoteness"].as_i64(),
                        Some(moves_left - 1),
                        "{answer}"
                    );
                }
                for mv in moves {
                    let to = known[mv["to"].as_str().unwrap()];
                    assert_eq!(mv["outcome"], to["outcome"]);
                    assert_eq!(mv["remoteness"], to[format!("remoteness{other}")], "{mv}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 5, "{game:?}");
        let bare = lines(&["probe", &table, &names[0], "--json", "--no-moves"], "");
        assert!(
            bare[0]
                .as_object()
                .unwrap()
                .keys()
                .all(|key| !key.starts_with("moves"))
        );
        assert_eq!(bare[0]["outcome"], answers[0]["outcome"]);
    }
}

#[test]
fn a_url_answers_like_a_folder() {
    let folder = folder("probe_web");
    let (table, names) = labelled(&folder, "t", &["chomp(4, 4)", "--best-move"]);
    let server = Server::new(Path::new(&table), Misbehaviour::None);
    let asked = names.join("\n");
    let here = lines(&["probe", &table, "--jsonl", "-"], &asked);
    let there = lines(&["probe", &server.address(), "--jsonl", "-"], &asked);
    // The whole batch uses one connection, since a round trip per position would dominate the time.
    assert_eq!(here, there);
    assert_eq!(server.connections(), 1);
    let one = lines(&["probe", &server.address(), &names[3], "--json"], "");
    assert_eq!(one[0], here[3]);
    let timed = lines(&["probe", &table, "--jsonl", "-", "--stats"], &asked);
    let (last, answers) = timed.split_last().unwrap();
    assert_eq!(answers.len(), names.len());
    assert!(answers.iter().all(|answer| answer["stats"]["ms"].is_f64()));
    assert_eq!(last["stats"]["lines"], names.len());
    for key in ["p50", "p99", "max"] {
        assert!(last["stats"][key].is_f64(), "{last}");
    }
    for (lie, text) in [
        (
            Misbehaviour::NoRanges,
            "the server does not support range requests",
        ),
        (Misbehaviour::Status(404), "no such file"),
        (Misbehaviour::Flipped, "is damaged"),
    ] {
        let server = Server::misbehaving(Path::new(&table), lie, "keys0.data");
        let done = grundy(&["probe", &server.address(), "chomp(3)"]);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2));
        assert!(
            said.contains(text) && said.contains(&format!("{}/keys0.data", server.address())),
            "{said}"
        );
    }
    // The time limit of the question also holds for a server that does not respond.
    let server = Server::new(Path::new(&table), Misbehaviour::Stalls);
    let done = grundy(&["probe", &server.address(), "chomp(3)", "--timeout", "0.2"]);
    assert_eq!(done.status.code(), Some(3), "{done:?}");
}

// A tablebase contains its rules. Different rules are refused.
#[test]
fn a_tablebase_contains_its_rules() {
    let folder = folder("probe_rules");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let text = "def moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n";
    let (rules, others) = (path("mine.star"), path("others.star"));
    fs::write(&rules, text).unwrap();
    fs::write(&others, text.replace("(1, 2)", "(1, 3)")).unwrap();
    let (table, _) = labelled(&folder, "t", &["game(moves, 6)", "--rules", &rules]);
    fs::remove_file(&rules).unwrap();
    let answer = &lines(&["probe", &table, "game(moves, 4)", "--json"], "")[0];
    assert_eq!(answer["moves"].as_array().unwrap().len(), 2);
    assert_eq!(answer["move"], "game(moves, 3)");
    fs::write(&rules, text).unwrap();
    let same = &lines(
        &[
            "probe",
            &table,
            "game(moves, 4)",
            "--json",
            "--rules",
            &rules,
        ],
        "",
    )[0];
    assert_eq!(answer, same);
    let done = grundy(&["probe", &table, "game(moves, 4)", "--rules", &others]);
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("differ from those of the tablebase"),
        "{done:?}"
    );
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.join("t/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["rules"]["file"], "mine.star");
    assert_eq!(manifest["rules"]["text"], text);
    assert_eq!(
        manifest["command"],
        "grundy label \"game(moves, 6)\" --rules mine.star --tablebase DIR"
    );
}

// Hostile manifests with a valid checksum: each is rejected with one error, and soon.
#[test]
fn hostile_manifests_are_rejected() {
    let folder = folder("probe_hostile");
    let rules = folder.join("mine.star");
    fs::write(&rules, "def moves(n):\n    return list(range(n))\n").unwrap();
    let rules = rules.to_str().unwrap();
    let (table, _) = labelled(&folder, "t", &["game(moves, 3)", "--rules", rules]);
    let file = folder.join("t/manifest.json");
    let good = fs::read_to_string(&file).unwrap();
    let endless = "def f():\\n    for i in range(1000000000):\\n        pass\\nf()\\ndef moves(n):\\n    return []\\n";
    let cases = [
        (
            "def moves(n):\\n    return list(range(n))\\n",
            endless,
            "mine.star",
        ),
        (
            "def moves(n):\\n    return list(range(n))\\n",
            "def moves(",
            "mine.star",
        ),
        (
            "return list(range(n))",
            "return [n]",
            "its checksum is wrong",
        ),
        (
            "\"name\":\"outcome\"",
            "\"name\":\"../t/outcome\"",
            "outside of the tablebase",
        ),
        (
            "\"positions\":4",
            "\"positions\":9999999999999999999",
            "the number of rows is too large",
        ),
        (
            "\"version\":3",
            "\"version\":2",
            "unsupported version of the manifest",
        ),
        (
            "\"levels\":1",
            "\"levels\":1000000000000",
            "the column keys1 is missing",
        ),
        ("\"blocks\":1", "\"blocks\":4", "the file is cut off"),
        ("\"program\":\"", "\"program\":\"9", "its checksum is wrong"),
    ];
    for (from, to, message) in cases {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let (before, _) = text.rsplit_once(",\"crc32\":\"").unwrap();
        // Recompute the checksum of the manifest, as an attacker would.
        let mut sum = flate2::Crc::new();
        sum.update(before.as_bytes());
        fs::write(
            &file,
            format!("{before},\"crc32\":\"{:08x}\"}}\n", sum.sum()),
        )
        .unwrap();
        let done = grundy(&["probe", &table, "game(moves, 2)", "--timeout", "2"]);
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(!done.status.success() && done.stdout.is_empty(), "{to}");
        assert!(
            said.contains(message) || said.contains("time"),
            "{to}: {said}"
        );
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
    }
}
