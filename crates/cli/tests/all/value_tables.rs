//! `--table`: values read from a file equal the computed ones, in every command that uses them.

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

fn stdout_of(arguments: &[&str]) -> String {
    let output = grundy(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_table_does_not_change_answers() {
    let folder = folder("value-tables-same");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    let mut size = 0;
    for round in 0..2 {
        for game in GAMES {
            for command in [vec!["value", "--json", game], vec!["solve", "--json", game]] {
                let with = [&command[..], &["--table", file]].concat();
                assert_eq!(stdout_of(&with), stdout_of(&command), "{round}: {with:?}");
            }
        }
        let now = fs::metadata(file).unwrap().len();
        // The second round finds every value, so the file does not grow.
        assert_eq!(round == 1, now == size);
        size = now;
    }
    for pair in GAMES.windows(2) {
        let command = ["compare", "--json", pair[0], pair[1]];
        let with = [&command[..], &["--table", file]].concat();
        assert_eq!(stdout_of(&with), stdout_of(&command), "{with:?}");
    }
    let family = "domineering(board(m, n))";
    for of in ["value", "temperature", "atomic_weight", "outcome"] {
        let command = ["table", family, "m=1..3", "n=1..5", "--of", of];
        let with = [&command[..], &["--table", file]].concat();
        assert_eq!(stdout_of(&with), stdout_of(&command), "{with:?}");
    }
}

#[test]
fn all_games_can_share_a_table() {
    let folder = folder("value-tables-every");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    for game in grundy_core::registry::CONSTRUCTORS {
        let ask = ["value", "--json", "--timeout", "20", game.example];
        let alone = grundy(&ask);
        // Games without a value give an error, which is an object as well.
        let answer: Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert!(answer.is_object(), "{}: {answer}", game.example);
        for _ in 0..2 {
            let with = grundy(&[&ask[..], &["--table", file]].concat());
            assert_eq!(with.status.code(), alone.status.code(), "{}", game.example);
            assert_eq!(with.stdout, alone.stdout, "{}", game.example);
        }
    }
}

// Values in the file do not count towards the limit on positions.
#[test]
fn stored_values_are_not_recomputed() {
    let folder = folder("value-tables-read");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let board = |rows: usize| {
        let rows = vec!["\".....\""; rows].join(", ");
        format!("domineering([{rows}])")
    };
    let four = board(4);
    // The sum contains the known 4x5 board three times. Only its remaining components need
    // positions.
    stdout_of(&["value", &four, "--table", path]);
    let sum = format!("{four} + 2 * {four} + literal(\"*\") + {}", board(2));
    let limit = ["--max-positions", "1500"];
    let ask = ["value", &sum, "--json"];
    let output = grundy(&[&ask[..], &limit].concat());
    assert_eq!(
        output.status.code(),
        Some(3),
        "the limit lets all of it through"
    );
    let known = stdout_of(&[&ask[..], &limit, &["--table", path]].concat());
    assert_eq!(known, stdout_of(&ask));
}

// The same position means another game under other rules, so a table belongs to one rule file.
#[test]
fn each_rule_file_has_its_own_table() {
    let folder = folder("value-tables-rules");
    let file = folder.join("values");
    let file = file.to_str().unwrap();
    let rules = |name: &str| format!("../../examples/rules/{name}.star");
    let (corridor, toads) = (rules("corridor"), rules("toads_and_frogs"));
    let ask = ["solve", "--json", "--rules", &corridor, "game(rules, 9)"];
    let with = [&ask[..], &["--table", file]].concat();
    for _ in 0..2 {
        assert_eq!(stdout_of(&with), stdout_of(&ask));
    }
    for other in [
        vec!["solve", "--rules", &toads, "nim(1)", "--table", file],
        vec!["value", "nim(1)", "--table", file],
    ] {
        let output = grundy(&other);
        assert_eq!(output.status.code(), Some(2), "{other:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("a different rule file"), "{error}");
        assert!(
            error.contains("choose another file with --table"),
            "{error}"
        );
    }
}

// Each run stops at a limit, but its results stay in the file, so the next run gets further.
#[test]
fn runs_stopped_by_a_limit_resume_from_the_table() {
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
    assert_eq!(stdout_of(&ask), stdout_of(&["value", "--json", game]));
}

#[test]
fn the_help_says_when_a_repeated_command_resumes() {
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
    // In misère play no values are stored.
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
    let expected = "/values; run the same command to resume";
    assert!(with.contains(expected), "{with}");
    let on = [&ask[..], &["--table", path]].concat();
    assert_eq!(stdout_of(&on), stdout_of(&ask));
}

#[test]
fn one_file_cannot_be_table_and_picture() {
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
fn start(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a program that must succeed. Returns its standard error.
fn finish(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{error}");
    error
}

/// Returns the lines of a value table that contain components or nimbers. The line number of the
/// form, which precedes a component, is removed, since it depends on the order of writing.
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
fn concurrent_writers_lose_nothing() {
    let asked = [
        ["value", "domineering([\"....\", \"....\"])"],
        ["value", "domineering([\"...\", \"...\", \"..#\"])"],
        ["value", "clobber([\"xoxo\", \"oxox\"])"],
        ["solve", "cram(board(3, 4))"],
        ["value", "konane([\"xoxo\", \"o.xo\"])"],
    ];
    let folder = folder("value-tables-at-once");
    let with = |file: &Path, [command, game]: [&str; 2]| {
        start(&[command, game, "--table", file.to_str().unwrap()])
    };
    let expected = folder.join("one-by-one");
    for ask in asked {
        finish(with(&expected, ask));
    }
    let expected = known(&expected);
    assert!(expected.len() > 100, "{expected:?}");
    // Twenty rounds, since a lost update is a race that a single round may miss.
    for round in 0..20 {
        let file = folder.join(round.to_string());
        let children = asked.map(|ask| with(&file, ask));
        for child in children {
            assert_eq!(finish(child), "");
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
fn a_run_waits_for_a_locked_table() {
    let folder = folder("value-tables-locked");
    let file = folder.join("values");
    let held = File::create(folder.join(".values.lock")).unwrap();
    held.lock().unwrap();
    let ask = ["value", GAMES[0], "--table", file.to_str().unwrap()];
    let child = start(&ask);
    // The lock is held for 3 s, longer than the delay after which a waiting process reports it.
    thread::sleep(Duration::from_secs(3));
    assert!(fs::metadata(&file).is_err());
    drop(held);
    let noted = finish(child);
    let expected = "values: waiting for another process that is writing this file\n";
    assert!(noted.starts_with("note: "), "{noted}");
    assert!(noted.ends_with(expected), "{noted}");
    assert!(!known(&file).is_empty());
}

// Another process created the same file with other rules while this one was waiting for the lock.
#[test]
fn a_concurrent_table_of_other_rules_is_rejected() {
    let folder = folder("value-tables-in-between");
    let file = folder.join("values");
    let path = file.to_str().unwrap();
    let held = File::create(folder.join(".values.lock")).unwrap();
    held.lock().unwrap();
    let child = start(&["value", GAMES[0], "--table", path]);
    thread::sleep(Duration::from_secs(2));
    let other = folder.join("other");
    let rules = "../../examples/rules/corridor.star";
    let ask = ["value", "--rules", rules, GAMES[2]];
    stdout_of(&[&ask[..], &["--table", other.to_str().unwrap()]].concat());
    fs::rename(&other, &file).unwrap();
    let before = fs::read(&file).unwrap();
    drop(held);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("a different rule file"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), before);
}
