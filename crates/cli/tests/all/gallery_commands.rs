//! Tests of every command on every rule file of the gallery `examples/rules`. Each run must succeed
//! or give a reason. Its JSON must parse, and the first line of its text must name the position.

use serde_json::Value;

/// The kind of game that a rule file defines.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Impartial,
    /// Positions can repeat, so there is no game tree.
    Loopy,
    Partizan,
    Ties,
}

/// The test data for each rule file: its name, a position, a family with its ranges, and the kind
/// of game.
#[rustfmt::skip]
const ROWS: &[(&str, &str, &str, &[&str], Kind)] = &[
    ("chomp", "game(moves, (3, 2, 1))", "game(moves, (n,))", &["n=1..8"], Kind::Impartial),
    ("corridor", "game(rules, 3)", "game(rules, n)", &["n=1..5"], Kind::Partizan),
    ("dawsons_chess", "game(moves, 7)", "game(moves, n)", &["n=0..20"], Kind::Impartial),
    ("euclid_equal", "game(moves, (4, 7))", "game(moves, (a, b))", &["a=1..6", "b=1..6"], Kind::Impartial),
    ("fair_shares", "game(moves, (2, 4))", "game(moves, (a, b))", &["a=1..3", "b=1..3"], Kind::Loopy),
    ("kayles", "game(moves, 5)", "game(moves, n)", &["n=0..20"], Kind::Impartial),
    ("nim_with_a_pass", "game(moves, ((1, 2), 1))", "game(moves, ((n,), 1))", &["n=1..6"], Kind::Impartial),
    ("silver_dollar", "game(moves, (1, 3))", "game(moves, (0, n))", &["n=1..6"], Kind::Impartial),
    ("sos", "game(moves, \"S..S\")", "game(moves, \"S..S\")", &["n=0..0"], Kind::Ties),
    ("squares", "game(moves, 10)", "game(moves, n)", &["n=0..20"], Kind::Impartial),
    ("tic_tac_toe", "game(moves, \"XOXOXO...\")", "game(moves, \"XOXOXO...\")", &["n=0..0"], Kind::Ties),
    ("toads_and_frogs", "game(rules, \"TTF.F\")", "game(rules, \"TTF.F\")", &["n=0..0"], Kind::Partizan),
    ("wythoff", "game(moves, (2, 3))", "game(moves, (a, b))", &["a=0..5", "b=0..5"], Kind::Impartial),
];

fn folder() -> String {
    format!("{}/../../examples/rules", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the exit code and the standard output of a run.
fn grundy(command: &[&str], file: &str, arguments: &[&str], input: &str) -> (i32, String) {
    let path = format!("{}/{file}.star", folder());
    let arguments = [command, &["--rules", &path], arguments].concat();
    let output = crate::program::grundy_with(&arguments, input);
    let code = output.status.code().unwrap_or(-1);
    (code, String::from_utf8(output.stdout).unwrap())
}

/// Returns the output of a command that must succeed.
fn printed(command: &[&str], file: &str, arguments: &[&str]) -> String {
    // Always choose the first move in `play`; other commands ignore the input.
    let (code, out) = grundy(command, file, arguments, &"1\n".repeat(40));
    assert_eq!(code, 0, "{command:?} {file}: {out}");
    out
}

fn json(command: &[&str], file: &str, arguments: &[&str]) -> Value {
    let out = printed(&[command, &["--json"]].concat(), file, arguments);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{command:?} {file}: {error}"))
}

#[test]
fn every_file_has_a_row() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let rows: Vec<String> = ROWS.iter().map(|row| format!("{}.star", row.0)).collect();
    assert_eq!(names, rows);
}

#[test]
fn solve_and_explain() {
    for &(file, position, _, _, kind) in ROWS {
        for misere in [&[][..], &["--misere"]] {
            let arguments = [&[position], misere].concat();
            for command in ["solve", "explain"] {
                let out = printed(&[command], file, &arguments);
                assert_eq!(out.lines().next(), Some(position), "{command} {file}");
                let answer = json(&[command], file, &arguments);
                assert_eq!(answer["game"], position, "{file}");
                let outcome = answer["outcome"].as_str().unwrap();
                let known: &[&str] = match kind {
                    Kind::Impartial => &["N", "P"],
                    Kind::Loopy => &["N", "P", "D"],
                    Kind::Partizan => &["L", "R", "N", "P"],
                    Kind::Ties => &["win", "tie", "lose"],
                };
                assert!(known.contains(&outcome), "{file}: {outcome}");
                let said = out.lines().nth(1).unwrap();
                assert!(
                    said.starts_with(&format!("  {outcome}: ")),
                    "{file}: {said}"
                );
                if command == "explain" {
                    assert!(out.contains("\n1. "), "{file}: {out}");
                    assert!(!answer["steps"].as_array().unwrap().is_empty(), "{file}");
                }
            }
        }
    }
}

#[test]
fn table() {
    for &(file, _, family, ranges, kind) in ROWS {
        let arguments = [&[family], ranges].concat();
        let out = printed(&["table"], file, &arguments);
        let cells = |text: &str| text.lines().last().unwrap().split_once('|').is_some();
        assert!(cells(&out), "{file}: {out}");
        let answer = json(&["table"], file, &arguments);
        assert_eq!(answer["family"], family);
        let values = matches!(kind, Kind::Impartial | Kind::Loopy);
        assert_eq!(answer["grundy"].is_array(), values, "{file}: {answer}");
        assert!(answer["outcome"].is_array(), "{file}");
        assert!(
            cells(&printed(&["table", "--misere"], file, &arguments)),
            "{file}"
        );
    }
}

#[test]
fn play() {
    for &(file, position, ..) in ROWS {
        let out = printed(&["play"], file, &[position]);
        assert!(out.contains(&format!("\n{position}\n")), "{file}: {out}");
        assert!(out.contains("\n   1. "), "{file}: {out}");
        let over = ["No move is left. ", "The game is over. "];
        assert!(over.iter().any(|over| out.contains(over)), "{file}: {out}");
    }
}

#[test]
fn draw() {
    for &(file, position, _, _, kind) in ROWS {
        for arguments in [
            &[position][..],
            &[position, "--graph"],
            &[position, "--misere"],
        ] {
            let svg = printed(&["draw"], file, arguments);
            assert!(
                svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
                "{file}"
            );
            let marks: &[&str] = match kind {
                Kind::Impartial | Kind::Loopy => &["class=\"outcome-"],
                // Each arrow has a letter, and Right's arrows are dashed.
                Kind::Partizan => &["class-p", "stroke-dasharray", ">L</text>", ">R</text>"],
                // In misère play a player can avoid completing a row, so `value-lose` need not
                // occur.
                Kind::Ties if arguments.contains(&"--misere") => &["value-win"],
                Kind::Ties => &["value-win", "value-lose"],
            };
            assert!(marks.iter().all(|mark| svg.contains(mark)), "{file}: {svg}");
            let answer = json(&["draw"], file, arguments);
            assert_eq!(
                answer["svg"].as_str().map(str::trim_end),
                Some(svg.trim_end())
            );
        }
        let dot = printed(&["draw"], file, &[position, "--dot"]);
        assert!(
            dot.starts_with("digraph game {\n") && dot.ends_with("}\n"),
            "{file}"
        );
        let sides = dot.contains("[label=\"L\"") && dot.contains("[label=\"R\", style=dashed");
        assert_eq!(sides, kind == Kind::Partizan, "{file}: {dot}");
        let text = printed(&["draw"], file, &[position, "--terminal"]);
        assert!(text.contains(position), "{file}: {text}");
    }
}

// A game with cycles has an infinite tree, so the command must report it instead of running on.
#[test]
fn tree() {
    for &(file, position, _, _, kind) in ROWS {
        if kind == Kind::Loopy {
            let (code, out) = grundy(&["tree", "--json"], file, &[position], "");
            let answer: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(
                (code, &answer["error"]["kind"]),
                (2, &Value::from("cyclic"))
            );
            continue;
        }
        let out = printed(&["tree"], file, &[position]);
        assert_eq!(out.lines().next(), Some(position), "{file}");
        let answer = json(&["tree"], file, &[position]);
        assert!(answer["instances"].as_u64() > Some(0), "{file}");
    }
}

#[test]
fn label() {
    for &(file, position, _, _, kind) in ROWS {
        let out = printed(&["label"], file, &[position]);
        let mut lines = out.lines();
        let header = match kind {
            Kind::Partizan => "position,outcome,remoteness,grundy,remoteness_left,remoteness_right",
            Kind::Impartial | Kind::Loopy | Kind::Ties => "position,outcome,remoteness,grundy",
        };
        assert_eq!(lines.next(), Some(header), "{file}");
        assert!(lines.next().unwrap().contains("game("), "{file}");
        let answer = json(&["label", "--best-move"], file, &[position]);
        assert_eq!(answer["positions"][0]["position"], position, "{file}");
    }
}
