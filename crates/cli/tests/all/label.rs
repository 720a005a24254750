//! `grundy label` on positions: errors, interruption, and resuming from a checkpoint.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{command, executable, folder, grundy};
use grundy_core::ruleset::Nature;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Limits, Outcome, Play, Solver};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};
use serde_json::Value;

const TWO_HEAPS: &str = "
def moves(p):
    a, b = p
    return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
";

/// Checks that every row of the table agrees with `solve`, which uses theorems where it can.
fn agrees_with_solve(position: &str, rules: Option<&str>, rows: usize) {
    let folder = folder(&format!("label-{rows}"));
    let file = folder.join("rules.star");
    let mut arguments = vec!["label", position];
    if let Some(rules) = rules {
        fs::write(&file, rules).unwrap();
        arguments.extend(["--rules", file.to_str().unwrap()]);
    }
    let rules = rules.unwrap_or(TWO_HEAPS);
    let rules = RuleFile::read("rules.star", rules, Allowance::default()).unwrap();
    for play in [Play::Normal, Play::Misere] {
        if play == Play::Misere {
            arguments.push("--misere");
        }
        let output = grundy(&arguments);
        assert!(output.status.success());
        let mut table = csv::Reader::from_reader(output.stdout.as_slice());
        let mut solver = Solver::default();
        let mut seen = 0;
        for row in table.records() {
            let row = row.unwrap();
            let expression = Expression::parse(&row[0]).unwrap();
            let position = expression.position_with(&[], &rules).unwrap();
            assert_eq!(position.nature(), Nature::IMPARTIAL, "{row:?}");
            assert_eq!(position.to_string(), row[0]);
            let limits = Limits::default();
            let solution = solver.solve(&position, play, &limits).unwrap();
            let outcome = match solution.outcome() {
                Outcome::N => "N",
                Outcome::P => "P",
                Outcome::D => "D",
            };
            assert_eq!(&row[1], outcome, "{row:?}");
            let value = solution.grundy().map(Loopy::Finite);
            let infinity = || solution.infinity().map(<[u64]>::to_vec);
            let value = value.or_else(|| infinity().map(Loopy::Infinite));
            if play == Play::Normal {
                assert_eq!(
                    Some(row[3].to_owned()),
                    value.map(|value| value.to_string())
                );
            }
            seen += 1;
        }
        assert_eq!(seen, rows, "{position}");
    }
}

// Numbers of rows: partitions in a 4x4x3 shape; 4·3 heaps times 5 positions of Kayles; 6·7 pairs.
#[test]
fn labels_of_reachable_positions_agree_with_solve() {
    agrees_with_solve("chomp(4, 4, 3)", None, 33);
    agrees_with_solve("nim(3, 2) + kayles(3)", None, 60);
    agrees_with_solve("game(moves, (5, 6))", Some(TWO_HEAPS), 42);
    // A chip may also be put back, so a run of this game need not end.
    let back = "def moves(n):\n    return [n - 2, n - 1, n + 1] if 2 <= n and n < 9 else []\n";
    agrees_with_solve("game(moves, 5)", Some(back), 10);
}

#[test]
fn games_that_cannot_be_labelled_are_one_clear_error() {
    let folder = folder("label-refused");
    let rules = folder.join("rules.star");
    let rules = rules.to_str().unwrap();
    let output = folder.join("labels.csv");
    let output = output.to_str().unwrap();
    // Doubles the list until the memory limit of the interpreter stops it.
    let allocates = "def moves(n):\n    all = [n]\n    for k in range(1000000000):\n        all = all + all\n    return all\n";
    let cases = [
        (
            "def moves(n):\n    return [n + 1]\n",
            3,
            "more than 1000 positions",
        ),
        // A move from 0 to 0 is legal: the game has one position, which is a draw.
        ("def moves(n):\n    return [n]\n", 0, ""),
        (
            "def moves(n):\n    return [{}]\n",
            2,
            "rules.star: moves(0)",
        ),
        ("def moves(n):\n    return 3\n", 2, "rules.star: moves(0)"),
        (allocates, 3, "memory"),
        (
            "def moves(n):\n    return moves(n)\n",
            3,
            "rules.star: moves(0)",
        ),
        (
            "def moves(n):\n    return [n + 1] if n < 5 else [1 // 0]\n",
            2,
            "rules.star: moves(5)",
        ),
        (
            "def left(n):\n    return []\ndef right(n):\n    return []\n",
            2,
            "defines the functions `left` and `right`",
        ),
    ];
    for (source, code, message) in cases {
        fs::write(rules, source).unwrap();
        let arguments = [
            "label",
            "--rules",
            rules,
            "game(moves, 0)",
            "--output",
            output,
            "--max-positions",
            "1000",
        ];
        let done = grundy(&arguments);
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{source}{error}");
        assert!(error.contains(message), "{source}{error}");
        assert_eq!(
            error.matches("error:").count(),
            usize::from(code != 0),
            "{error}"
        );
        let left = fs::read_dir(&folder).unwrap().count();
        assert_eq!(
            left,
            if code == 0 { 2 } else { 1 },
            "nothing half-written: {source}"
        );
        let _ = fs::remove_file(output);
    }
    for (position, message) in [
        ("northcott(4, [[0, 0]])", "same square"),
        ("chomp(3", "expected `)`, found end of line"),
        ("nowhere.csv", "No such file"),
    ] {
        let done = grundy(&["label", position, "--output", output]);
        assert_eq!(done.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&done.stderr).contains(message));
    }
    // The player to move is part of the position. From a gap of 2 the first player wins by closing
    // the gap.
    let done = grundy(&["label", "northcott(4, [[0, 3]])"]);
    let table = String::from_utf8(done.stdout).unwrap();
    assert!(table.contains("\"northcott(4, [[0, 3]])\",N,"), "{table}");
    assert!(
        table.contains("\"northcott(4, [[2, 3]], to_move=\"\"right\"\")\",P,"),
        "{table}"
    );
    let done = grundy(&["label", "chomp(2)", "--resume"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("--resume requires the location"));
}

#[test]
fn a_damaged_checkpoint_is_refused_with_the_reason() {
    let folder = folder("label-damaged");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (rules, checkpoint, output) = (path("rules.star"), path("state"), path("labels.csv"));
    fs::write(&rules, TWO_HEAPS).unwrap();
    let run = |position: &str, more: &[&str]| {
        let mut arguments = vec![
            "label",
            "--rules",
            &rules,
            position,
            "--checkpoint",
            &checkpoint,
            "--output",
            &output,
        ];
        arguments.extend(more);
        let done = grundy(&arguments);
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    };
    // 21·21 positions exceed the limit of 100, so a checkpoint is written.
    let stopped = run("game(moves, (20, 20))", &["--max-positions", "100"]);
    assert!(
        stopped.0 == Some(3) && stopped.1.contains("use --resume to continue"),
        "{stopped:?}"
    );
    let good = fs::read(&checkpoint).unwrap();
    let refused = |bytes: &[u8], message: &str| {
        fs::write(&checkpoint, bytes).unwrap();
        let (code, error) = run("game(moves, (20, 20))", &["--resume"]);
        assert!(code == Some(2) && error.contains(message), "{error}");
        assert!(!Path::new(&output).exists());
    };
    // Cuts in the header and in the data give different messages.
    for length in [0, 5, 100, good.len() / 2, good.len() - 1] {
        let message = if length == 5 || length == 100 {
            "not a checkpoint"
        } else {
            "cut off"
        };
        refused(&good[..length], message);
    }
    // A stride of 37 bytes reaches the header, the data and the checksum.
    for at in (0..good.len()).step_by(37) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        refused(&bytes, "checkpoint");
    }
    // Intact, but of another position or of changed rules: resuming would give wrong labels.
    fs::write(&checkpoint, &good).unwrap();
    let (code, error) = run("game(moves, (20, 21))", &["--resume"]);
    assert!(
        code == Some(2) && error.contains("the checkpoint belongs to"),
        "{error}"
    );
    fs::write(&rules, format!("{TWO_HEAPS}\n# changed\n")).unwrap();
    let (code, error) = run("game(moves, (20, 20))", &["--resume"]);
    assert!(
        code == Some(2) && error.contains("a different rule file"),
        "{error}"
    );
    fs::write(&rules, TWO_HEAPS).unwrap();
    assert_eq!(run("game(moves, (20, 20))", &["--resume"]).0, Some(0));
    assert!(!Path::new(&checkpoint).exists(), "the work is done");
    let resumed = fs::read(&output).unwrap();
    assert_eq!(run("game(moves, (20, 20))", &[]).0, Some(0));
    assert_eq!(resumed, fs::read(&output).unwrap());
    // Without a checkpoint `--resume` starts from the beginning and reports it.
    let (code, error) = run("game(moves, (20, 20))", &["--resume"]);
    assert!(
        code == Some(0) && error.contains("no checkpoint yet"),
        "{error}"
    );
    assert_eq!(resumed, fs::read(&output).unwrap());
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_checkpoint_that_resumes() {
    let folder = folder("label-stopped");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (rules, checkpoint) = (path("rules.star"), path("state"));
    fs::write(&rules, TWO_HEAPS).unwrap();
    // 401² positions take longer than the 400 ms until the signal.
    let game = "game(moves, (400, 400))";
    let arguments = [
        "label",
        "--rules",
        &rules,
        game,
        "--checkpoint",
        &checkpoint,
    ];
    let mut child = command(&arguments).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let bytes = fs::read(&checkpoint).unwrap();
    assert!(bytes.starts_with(b"{\"kind\":\"label checkpoint\""));
}

#[test]
fn a_tablebase_agrees_with_the_table() {
    let folder = folder("label-tablebase");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (rules, edges) = (path("rules.star"), path("moves.csv"));
    fs::write(&rules, TWO_HEAPS).unwrap();
    fs::write(
        &edges,
        "from,to\na,b\na,a\nb,a\nb,zero\nb,two\ntwo,one\ntwo,zero\none,zero\n",
    )
    .unwrap();
    // Named positions, a sum in misère play, a rule file, and a graph with draws and infinite
    // values.
    let cases: [(&[&str], usize); 4] = [
        (&["chomp(4, 4, 3)"], 33),
        (&["nim(3) + kayles(4)", "--misere"], 28),
        (&["--rules", &rules, "game(moves, (4, 7))"], 40),
        (&[&edges], 5),
    ];
    for (number, (source, rows)) in cases.into_iter().enumerate() {
        let table = path(&format!("table{number}"));
        let mut arguments = vec!["label", "--best-move"];
        arguments.extend(source);
        let csv = grundy(&arguments);
        arguments.extend(["--tablebase", &table]);
        let written = grundy(&arguments);
        assert!(
            written.status.success() && written.stdout.is_empty(),
            "{written:?}"
        );
        let mut seen = 0;
        for row in csv::Reader::from_reader(csv.stdout.as_slice()).records() {
            let row = row.unwrap();
            let answer = grundy(&["probe", &table, &row[0], "--json"]);
            let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
            assert_eq!(answer["position"], row[0]);
            assert_eq!(answer["outcome"], row[1]);
            let remoteness: Option<u64> = row[2].parse().ok();
            assert_eq!(answer["remoteness"].as_u64(), remoteness, "{answer}");
            let value = match &answer["grundy"] {
                Value::Null => String::new(),
                Value::Object(infinity) => {
                    let set: Vec<String> = infinity["infinity"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(Value::to_string)
                        .collect();
                    format!("inf{{{}}}", set.join(","))
                }
                value => value.to_string(),
            };
            assert_eq!(value, row[3], "{answer}");
            assert_eq!(answer["move"].as_str().unwrap_or(""), &row[4]);
            seen += 1;
        }
        assert_eq!(seen, rows, "{source:?}");
        let again = grundy(&arguments);
        assert_eq!(again.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));
    }
    let said = |arguments: &[&str]| {
        let done = grundy(arguments);
        let text = [done.stdout, done.stderr].concat();
        (done.status.code(), String::from_utf8(text).unwrap())
    };
    // Another spelling denotes the same position.
    let (code, text) = said(&["probe", &path("table0"), "chomp(4,4,1,0)"]);
    assert!(
        code == Some(0) && text.starts_with("chomp(4, 4, 1)\n"),
        "{text}"
    );
    let (code, text) = said(&["probe", &path("table2"), "game(moves,(3,  3))"]);
    assert!(
        code == Some(0) && text.contains("P: the previous player wins"),
        "{text}"
    );
    for (table, position, message) in [
        ("table0", "chomp(5)", "not in the tablebase"),
        ("table3", "nothing", "not in the tablebase"),
        ("nowhere", "a", "No such file"),
        ("", "a", "no such file"),
    ] {
        let (code, text) = said(&["probe", &path(table), position]);
        assert!(code == Some(2) && text.contains(message), "{text}");
    }
    // A flipped bit in the data must be detected when the block is read.
    let data = folder.join("table0/keys0.data");
    let mut bytes = fs::read(&data).unwrap();
    bytes[10] ^= 1;
    fs::write(&data, bytes).unwrap();
    let (code, text) = said(&["probe", &path("table0"), "chomp(2)"]);
    assert!(
        code == Some(2) && text.contains("keys0.data: block 0 is damaged"),
        "{text}"
    );
}

// Simulates a full disk: `ulimit -f` limits files to 8 KiB, and SIGXFSZ is ignored.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_clear_error_and_keeps_existing_files() {
    let folder = folder("label-full");
    let output = folder.join("labels.csv");
    fs::write(&output, "what was there").unwrap();
    let rules = folder.join("rules.star");
    fs::write(&rules, TWO_HEAPS).unwrap();
    for way in [
        "--output labels.csv",
        "--tablebase table",
        "--output other.json --checkpoint state --every 0.001",
    ] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec \"$0\" label --rules rules.star 'game(moves, (70, 70))' --best-move {way}"
        );
        let done = Command::new("bash")
            .args(["-c", &script, executable()])
            .current_dir(&folder)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{way}: {error}");
        assert!(
            error.contains("File too large") && error.matches("error:").count() == 1,
            "{way}: {error}"
        );
        assert_eq!(fs::read(&output).unwrap(), b"what was there");
        // An earlier checkpoint that fitted is complete, so it may remain.
        let left = fs::read_dir(&folder).unwrap();
        let left = left.map(|entry| entry.unwrap().file_name());
        let mut left: Vec<_> = left.filter(|name| name != "state").collect();
        left.sort();
        assert_eq!(left, ["labels.csv", "rules.star"], "{way}");
    }
}

// The short form of the script, with 5 kills; its default of 20 takes longer.
#[cfg(unix)]
#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/kill_and_resume.sh");
    let done = Command::new("bash")
        .arg(script)
        .args([executable(), "5", "110"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(
        done.status.success() && said.contains("killed 5 times"),
        "{said}{error}"
    );
}
