//! Files with values: what is read from one is what is worked out without it, in every command that
//! uses them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::program::{command, folder, grundy};

const GAMES: [&str; 12] = [
    "domineering([\"....\", \"....\", \"....\"])",
    "domineering([\"...\", \"#..\", \"...\"]) + domineering([\".....\", \".....\"])",
    "clobber([\"xoxo\", \"oxox\"])",
    "amazons([\"x..\", \"..o\"])",
    "konane([\"xoxo\", \"o.xo\", \"xoxo\"])",
    "snort(\"0-1 1-2 2-3 3-0 1-4\", \"..L..\")",
    "col(\"0-1 1-2 2-3 3-4 4-0 1-5\", \"...R..\")",
    "toads_and_frogs(\"TTT..FF\")",
    "toppling_dominoes(\"LRELRRL\")",
    "hackenbush(\"0-1 1-2:b 2-0:r 2-3 3-4:b 4-2 1-5:r\")",
    "ordinal_sum(domineering([\"..\", \"..\"]), clobber([\"xo\", \"ox\"]) + nim(2))",
    "nim(3) + literal(\"{2|-1/2}\") - domineering([\"...\", \"...\"])",
];

fn said(arguments: &[&str]) -> String {
    let output = grundy(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn answers_are_the_same_with_a_table_and_without() {
    let folder = folder("value-tables-same");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    let mut size = 0;
    for round in 0..2 {
        for game in GAMES {
            for command in [vec!["value", "--json", game], vec!["solve", "--json", game]] {
                let with = [&command[..], &["--table", file]].concat();
                assert_eq!(said(&with), said(&command), "{round}: {with:?}");
            }
        }
        let now = fs::metadata(file).unwrap().len();
        // Nothing is new in the second round.
        assert_eq!(round == 1, now == size);
        size = now;
    }
    for pair in GAMES.windows(2) {
        let command = ["compare", "--json", pair[0], pair[1]];
        let with = [&command[..], &["--table", file]].concat();
        assert_eq!(said(&with), said(&command), "{with:?}");
    }
    let family = "domineering(board(m, n))";
    for of in ["value", "temperature", "atomic_weight", "outcome"] {
        let command = ["table", family, "m=1..3", "n=1..5", "--of", of];
        let with = [&command[..], &["--table", file]].concat();
        assert_eq!(said(&with), said(&command), "{with:?}");
    }
}

#[test]
fn every_game_that_there_is_may_share_a_table() {
    let folder = folder("value-tables-every");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    for game in grundy::registry::CONSTRUCTORS {
        let ask = ["value", "--json", "--timeout", "20", game.example];
        let alone = grundy(&ask);
        // The games without a value get an error, which is an object, too.
        let answer: Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert!(answer.is_object(), "{}: {answer}", game.example);
        for _ in 0..2 {
            let with = grundy(&[&ask[..], &["--table", file]].concat());
            assert_eq!(with.status.code(), alone.status.code(), "{}", game.example);
            assert_eq!(with.stdout, alone.stdout, "{}", game.example);
        }
    }
}

/// What is in the file takes no position of those that a limit allows.
#[test]
fn what_a_table_says_is_not_worked_out_again() {
    let folder = folder("value-tables-read");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let board = |rows: usize| {
        let rows = vec!["\".....\""; rows].join(", ");
        format!("domineering([{rows}])")
    };
    let four = board(4);
    said(&["value", &four, "--table", path]);
    let sum = format!("{four} + 2 * {four} + literal(\"*\") + {}", board(2));
    let limit = ["--max-positions", "1500"];
    let ask = ["value", &sum, "--json"];
    let output = grundy(&[&ask[..], &limit].concat());
    assert_eq!(
        output.status.code(),
        Some(3),
        "the limit lets all of it through"
    );
    let known = said(&[&ask[..], &limit, &["--table", path]].concat());
    assert_eq!(known, said(&ask));
}

#[test]
fn rules_of_ones_own_have_tables_of_their_own() {
    let folder = folder("value-tables-rules");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    let rules = |name: &str| format!("../../examples/rules/{name}.star");
    let (corridor, toads) = (rules("corridor"), rules("toads_and_frogs"));
    let ask = ["solve", "--json", "--rules", &corridor, "game(rules, 9)"];
    let with = [&ask[..], &["--table", file]].concat();
    for _ in 0..2 {
        assert_eq!(said(&with), said(&ask));
    }
    for other in [
        vec!["solve", "--rules", &toads, "nim(1)", "--table", file],
        vec!["value", "nim(1)", "--table", file],
    ] {
        let output = grundy(&other);
        assert_eq!(output.status.code(), Some(2), "{other:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("the rule file is not the one"), "{error}");
        assert!(error.contains("give --table another file"), "{error}");
    }
}

#[test]
fn what_a_limit_left_undone_is_gone_on_with() {
    let folder = folder("value-tables-limit");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let game = "domineering([\".....\", \".....\", \".....\", \".....\"])";
    let ask = ["value", "--json", game, "--table", path];
    let mut before = 0;
    for limit in ["400", "800", "1600"] {
        let output = grundy(&[&ask[..], &["--max-positions", limit]].concat());
        assert_eq!(output.status.code(), Some(3), "{limit}");
        let now = fs::metadata(&file).unwrap().len();
        assert!(now > before, "{limit}: {now} bytes after {before}");
        before = now;
    }
    assert_eq!(said(&ask), said(&["value", "--json", game]));
}

#[test]
fn who_is_stopped_hears_that_the_same_command_goes_on() {
    let folder = folder("value-tables-help");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let ask = ["solve", "--outcome", "domineering(board(5, 6))"];
    let limit = ["--max-positions", "60"];
    let help = |more: &[&str]| {
        let output = grundy(&[&ask[..], &limit, more].concat());
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).unwrap()
    };
    // Of misère play nothing is kept.
    let nothing = help(&["--misere", "--table", path]);
    assert!(
        nothing.contains("--max-positions raises the limit"),
        "{nothing}"
    );
    assert!(fs::metadata(&file).is_err());
    let without = help(&[]);
    assert!(
        without.contains("--max-positions raises the limit"),
        "{without}"
    );
    let with = help(&["--table", path]);
    let expected = "values keeps what was found out: the same command goes on from there";
    assert!(with.contains(expected), "{with}");
    let on = [&ask[..], &["--table", path]].concat();
    assert_eq!(said(&on), said(&ask));
}

#[test]
fn a_file_is_not_two_things_at_once() {
    let folder = folder("value-tables-apart");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    let output = grundy(&[
        "value",
        "literal(\"{1|0}\")",
        "--table",
        file,
        "--svg",
        file,
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(fs::metadata(file).is_err());
}

/// Starts the program without waiting for it.
fn started(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a program that ends well. Returns what it told beside the answer.
fn ended(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{error}");
    error
}

/// Returns the components and the nimbers of a table, without the numbers of forms.
fn known(file: &Path) -> BTreeSet<String> {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let named = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(' ')?;
        let kept = line.starts_with("n ") || rest.contains('(');
        kept.then(|| rest.to_owned())
    });
    named.skip(1).collect()
}

#[test]
fn nothing_is_lost_by_processes_that_write_at_the_same_time() {
    let asked = [
        ["value", "domineering([\"....\", \"....\"])"],
        ["value", "domineering([\"...\", \"...\", \"..#\"])"],
        ["value", "clobber([\"xoxo\", \"oxox\"])"],
        ["solve", "cram(board(3, 4))"],
        ["value", "konane([\"xoxo\", \"o.xo\"])"],
    ];
    let folder = folder("value-tables-at-once");
    let with = |file: &Path, [command, game]: [&str; 2]| {
        started(&[command, game, "--table", file.to_str().unwrap()])
    };
    let expected = folder.join("one-by-one");
    for ask in asked {
        ended(with(&expected, ask));
    }
    let expected = known(&expected);
    assert!(expected.len() > 100, "{expected:?}");
    for round in 0..20 {
        let file = folder.join(round.to_string());
        let children = asked.map(|ask| with(&file, ask));
        for child in children {
            assert_eq!(ended(child), "");
        }
        let known = known(&file);
        let lost: Vec<&String> = expected.difference(&known).collect();
        assert!(
            lost.is_empty(),
            "{round}: {} lost, {:?}",
            lost.len(),
            lost[0]
        );
        assert_eq!(known.len(), expected.len());
    }
}

#[test]
fn a_table_that_is_locked_is_waited_for() {
    let folder = folder("value-tables-locked");
    let file = folder.join("values");
    let held = File::create(folder.join(".values.lock")).unwrap();
    held.lock().unwrap();
    let ask = ["value", GAMES[0], "--table", file.to_str().unwrap()];
    let child = started(&ask);
    thread::sleep(Duration::from_secs(3));
    assert!(fs::metadata(&file).is_err());
    drop(held);
    let noted = ended(child);
    let expected = "values: waiting for another process that writes this file\n";
    assert!(noted.starts_with("note: "), "{noted}");
    assert!(noted.ends_with(expected), "{noted}");
    assert!(!known(&file).is_empty());
}

/// The other process has begun with the same file, which was not there yet.
#[test]
fn a_table_of_another_rule_file_that_came_in_between_is_refused() {
    let folder = folder("value-tables-in-between");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let held = File::create(folder.join(".values.lock")).unwrap();
    held.lock().unwrap();
    let child = started(&["value", GAMES[0], "--table", path]);
    thread::sleep(Duration::from_secs(2));
    let other = folder.join("other");
    let rules = "../../examples/rules/corridor.star";
    let ask = ["value", "--rules", rules, GAMES[2]];
    said(&[&ask[..], &["--table", other.to_str().unwrap()]].concat());
    fs::rename(&other, &file).unwrap();
    let before = fs::read(&file).unwrap();
    drop(held);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the rule file is not the one"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), before);
}
