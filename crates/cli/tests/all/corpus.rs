//! The corpus of positions with published answers, solved through the command line in one batch.

use std::io::Write as _;
use std::process::{Command, Stdio};

use grundy_core::Play;
use serde_json::{Value, json};

use crate::program::executable;

fn corpus() -> Vec<toml::Table> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpus.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let file: toml::Table = toml::from_str(&text).unwrap();
    file["position"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_table().unwrap().clone())
        .collect()
}

fn play(row: &toml::Table) -> Play {
    match row.get("play").map(|play| play.as_str().unwrap()) {
        Some("misere") => Play::Misere,
        _ => Play::Normal,
    }
}

#[test]
fn the_command_line_gives_the_published_answers() {
    let rows = corpus();
    assert!(rows.len() >= 100, "{}", rows.len());
    let mut child = Command::new(executable())
        .args(["solve", "--jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let requests: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(id, row)| {
            json!({"id": id, "game": row["game"].as_str(), "play": play(row).to_string()})
                .to_string()
        })
        .collect();
    // Write from another thread: otherwise both processes could block on full pipes.
    let writer =
        std::thread::spawn(move || input.write_all(requests.join("\n").as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), rows.len());
    for (id, (row, answer)) in rows.iter().zip(&answers).enumerate() {
        let game = row["game"].as_str().unwrap();
        assert_eq!(answer["id"], id, "{game}");
        assert_eq!(
            answer["outcome"].as_str(),
            row["outcome"].as_str(),
            "{game}: {answer}"
        );
        if let Some(grundy) = row.get("grundy") {
            assert_eq!(
                answer["grundy"].as_i64(),
                grundy.as_integer(),
                "{game}: {answer}"
            );
        }
        if let Some(to) = row.get("winning_moves") {
            let expected: Vec<&str> = to
                .as_array()
                .unwrap()
                .iter()
                .map(|to| to.as_str().unwrap())
                .collect();
            let found: Vec<&str> = answer["winning_moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| mv["to"].as_str().unwrap())
                .collect();
            assert_eq!(found, expected, "{game}");
        }
        // An expected answer without a source is no evidence.
        assert!(
            row["source"]
                .as_str()
                .is_some_and(|source| !source.is_empty())
        );
    }
}
