//! `grundy quotient`: searches that are stopped and then resumed, damaged checkpoints, forged
//! certificates, and limits.

use std::fs;

use crate::program::{command, folder, grundy};
use serde_json::{Value, json};

const FAMILY: &str = "take_and_break('0.144', n)";

fn json_of(arguments: &[&str]) -> (i32, Value) {
    let output = grundy(arguments);
    let said = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), said)
}

#[test]
fn a_stopped_or_killed_search_resumes_to_the_same_result() {
    let folder = folder("quotient-resumed");
    let state = folder.join("state");
    let state = state.to_str().unwrap();
    let (code, whole) = json_of(&["quotient", "--json", FAMILY]);
    assert_eq!((code, &whole["status"]), (0, &json!("proved")));
    let resumed = |max: &str| {
        json_of(&[
            "quotient",
            "--json",
            FAMILY,
            "--max",
            max,
            "--checkpoint",
            state,
            "--resume",
        ])
    };
    // The order grows with the number of heaps. The repeated limit checks that resuming without new
    // work changes nothing.
    for (max, order) in [("3", 2), ("12", 10), ("12", 10), ("25", 30)] {
        let (code, part) = resumed(max);
        assert_eq!((code, &part["status"]), (3, &json!("partial")), "{part}");
        assert_eq!(part["order"], order, "{part}");
        assert_eq!(part["checked_to"], json!(max.parse::<u64>().unwrap()));
    }
    // Kills early, during and after the first checkpoint; `--every 0` writes one at every
    // opportunity.
    for delay in [1, 4, 16] {
        let arguments = [
            "quotient",
            FAMILY,
            "--checkpoint",
            state,
            "--every",
            "0",
            "--resume",
        ];
        let mut child = command(&arguments)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, done) = resumed("10000");
    assert_eq!(code, 0);
    assert_eq!(done, whole);
}

#[test]
fn unrelated_and_damaged_checkpoints_are_rejected() {
    let folder = folder("quotient-damaged");
    let file = folder.join("state");
    let state = file.to_str().unwrap();
    let (_, part) = json_of(&[
        "quotient",
        "--json",
        FAMILY,
        "--max",
        "20",
        "--checkpoint",
        state,
    ]);
    assert_eq!(part["order"], 30);
    let resumed = |family: &str| {
        json_of(&[
            "quotient",
            "--json",
            family,
            "--checkpoint",
            state,
            "--resume",
        ])
    };
    let (code, said) = resumed("kayles(n)");
    assert_eq!(code, 2, "{said}");
    assert!(
        said["error"]["message"]
            .as_str()
            .unwrap()
            .contains("belongs to take_and_break"),
        "{said}"
    );
    // Bits near the end, in the middle and in the header.
    let sound = fs::read(&file).unwrap();
    for at in [sound.len() - 5, sound.len() / 2, 40] {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        fs::write(&file, &damaged).unwrap();
        let (code, said) = resumed(FAMILY);
        assert_eq!(code, 2, "byte {at}: {said}");
    }
    fs::write(&file, &sound[..sound.len() - 3]).unwrap();
    assert_eq!(resumed(FAMILY).0, 2);
}

#[test]
fn limits_leave_a_partial_answer() {
    for limit in [
        ["--max-positions", "2000"],
        ["--max-memory", "1"],
        ["--timeout", "0.2"],
    ] {
        let [option, value] = limit;
        let (code, said) = json_of(&[
            "quotient",
            "--json",
            "take_and_break('0.06', n)",
            option,
            value,
        ]);
        assert_eq!(
            (code, &said["status"]),
            (3, &json!("partial")),
            "{option} {said}"
        );
        assert!(said["order"].as_u64().unwrap() > 1, "{option} {said}");
    }
    // A failing rule file reports its error.
    let folder = folder("quotient-rules");
    let rules = folder.join("rules.star");
    fs::write(
        &rules,
        "def moves(n):\n    return [] if n == 0 else [n - 1, 1 // (5 - n)]\n",
    )
    .unwrap();
    let rules = rules.to_str().unwrap();
    let (code, said) = json_of(&["quotient", "--json", "--rules", rules, "game(moves, n)"]);
    assert_eq!(code, 2);
    assert!(
        said["error"]["message"].as_str().unwrap().contains("by 0"),
        "{said}"
    );
    // A valid rule file has a quotient. It has no certificate, since a verifier would have to run
    // the rules.
    let sound = folder.join("sound.star");
    fs::write(
        &sound,
        "def moves(n):\n    return [n - k for k in [1, 2, 3] if k <= n]\n",
    )
    .unwrap();
    let sound = sound.to_str().unwrap();
    let (code, said) = json_of(&["quotient", "--json", "--rules", sound, "game(moves, n)"]);
    assert_eq!(
        (code, &said["status"], &said["name"], &said["period"]),
        (0, &json!("observed"), &json!("T_2"), &json!(4))
    );
    let (code, _) = json_of(&[
        "quotient",
        "--json",
        "--rules",
        sound,
        "game(moves, n)",
        "--certificate",
        "x.json",
    ]);
    assert_eq!(code, 2);
}

// The verifier must derive the pieces from the family itself; otherwise a certificate could prove a
// theorem about other games.
#[test]
fn certificates_of_positions_are_checked_against_the_rules() {
    let folder = folder("quotient-forged");
    let file = folder.join("certificate.json");
    let path = file.to_str().unwrap();
    let (code, _) = json_of(&[
        "quotient",
        "--json",
        "[chomp(3, 2), nim(2)]",
        "--certificate",
        path,
    ]);
    assert_eq!(code, 0);
    let claim: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(json_of(&["verify", "--json", path]).0, 0);
    let pieces = claim["pieces"].as_array().unwrap();
    let changes = [
        ("family", json!("[chomp(4, 2), nim(2)]")),
        ("family", json!("[nim(3)]")),
        ("family", json!("kayles(n)")),
        // Pieces that this family does not reach.
        ("family", json!("[chomp(1)]")),
        ("family", json!("[]")),
        ("pieces", json!(pieces[1..])),
        ("pieces", json!(pieces.iter().rev().collect::<Vec<_>>())),
        ("pieces", json!(vec!["nim(2)"; pieces.len()])),
        (
            "pieces",
            json!(vec!["domineering(board(1, 2))"; pieces.len()]),
        ),
        ("pieces", json!(vec!["nim("; pieces.len()])),
        ("p", json!([0])),
        ("elements", json!([])),
        ("products", json!([[0, 1], [1]])),
        ("transitions", json!([[0, []], 5])),
        ("period", json!(1)),
    ];
    for (key, value) in changes {
        let mut forged = claim.clone();
        forged[key] = value;
        fs::write(&file, forged.to_string()).unwrap();
        let (code, said) = json_of(&["verify", "--json", path]);
        assert_eq!(code, 2, "{key}: {said}");
        assert!(said["error"]["message"].is_string(), "{said}");
    }
}

// Each proved wild quotient in docs/misere.md has a certificate that verifies and gives the same
// figures.
#[test]
fn documented_quotients_have_valid_certificates() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let tabled = fs::read_to_string(docs.join("quotients.jsonl")).unwrap();
    let rows = tabled.lines().map(|row| {
        let row: Value = serde_json::from_str(row).unwrap();
        (row["code"].as_str().unwrap().to_owned(), row)
    });
    let rows: std::collections::HashMap<String, Value> = rows.collect();
    let page = fs::read_to_string(docs.join("misere.md")).unwrap();
    let mut files: Vec<_> = fs::read_dir(docs.join("certificates")).unwrap().collect();
    assert!(files.len() > 20);
    for file in files.drain(..) {
        let file = file.unwrap().path();
        let code = file.file_stem().unwrap().to_str().unwrap();
        let (exit, said) = json_of(&["verify", "--json", file.to_str().unwrap()]);
        assert_eq!((exit, &said["valid"]), (0, &json!(true)), "{code}: {said}");
        let row = &rows[code];
        for key in ["order", "p_order", "preperiod", "period"] {
            assert_eq!(said[key], row[key], "{code}: {key} in {said}");
        }
    }
    // Each line of the table of wild quotients links its certificate.
    let mut named = 0;
    for line in page.lines().filter(|line| line.contains("](certificates/")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let (code, order) = (cells[1], cells[2]);
        assert_eq!(rows[code]["order"].to_string(), order, "{line}");
        let file = line.split("](").nth(1).unwrap().split(')').next().unwrap();
        let certificate: Value =
            serde_json::from_slice(&fs::read(docs.join(file)).unwrap()).unwrap();
        let products = certificate["products"].as_array().unwrap();
        assert_eq!(products.len().to_string(), order, "{line}");
        named += 1;
    }
    let wild = |row: &&Value| {
        let tame = row["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("T_"));
        row["status"] == "proved" && !tame
    };
    assert_eq!(named, rows.values().filter(wild).count());
}
