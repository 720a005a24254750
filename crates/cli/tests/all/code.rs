//! `--code`: the programs that `table` and `period` write, compiled and run.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{folder, grundy};

/// Runs a command with the given standard input, and returns its standard output.
fn run(command: &mut Command, input: &str) -> String {
    let name = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a program in the given language if necessary, and runs it.
fn run_program(folder: &Path, language: &str, program: &str, name: &str, input: &str) -> String {
    if language == "python" {
        let file = folder.join(format!("{name}.py"));
        fs::write(&file, program).unwrap();
        return run(Command::new("python3").arg(&file), input);
    }
    let (file, binary) = (folder.join(format!("{name}.cpp")), folder.join(name));
    fs::write(&file, program).unwrap();
    let options = ["-std=c++17", "-Wall", "-Wextra", "-Werror"];
    run(
        Command::new("c++")
            .args(options)
            .arg("-o")
            .arg(&binary)
            .arg(&file),
        "",
    );
    run(&mut Command::new(&binary), input)
}

fn text(arguments: &[&str]) -> String {
    let output = grundy(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// Returns the line that a program prints for a sum of heaps with these values.
fn line(values: &[u64]) -> String {
    let total = values.iter().fold(0, |sum, value| sum ^ value);
    format!("{} {total}\n", if total == 0 { 'P' } else { 'N' })
}

/// Returns the values of a family for n = 0, 1, ..., as the table of the program lists them.
fn values(rules: &[&str], family: &str, most: u64) -> Vec<u64> {
    let range = format!("n=0..{most}");
    let table = text(&[&["table"], rules, &[family, &range, "--csv"]].concat());
    let rows = table.lines().skip(1);
    rows.map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
        .collect()
}

#[test]
fn programs_compute_the_values_of_families_with_one_variable() {
    let folder = folder("code");
    let own = ["--rules", "../../examples/rules/squares.star"];
    let cases: [(&[&str], &str, &[&str], u64); 5] = [
        // The program of a period reaches farther than the table.
        (&[], "kayles(n)", &["period", "kayles(n)"], 400),
        (
            &[],
            "subtraction([1, 3, 4], n)",
            &["table", "subtraction([1, 3, 4], n)", "n=0..50"],
            300,
        ),
        // The values of this game have a saltus.
        (&[], "nim(n)", &["table", "nim(n)", "n=0..50"], 50),
        (
            &[],
            "grundys_game(n)",
            &["table", "grundys_game(n)", "n=0..60"],
            60,
        ),
        (
            &own,
            "game(moves, n)",
            &["table", "game(moves, n)", "n=0..60"],
            60,
        ),
    ];
    for (index, (rules, family, question, most)) in cases.into_iter().enumerate() {
        let values = values(rules, family, most);
        let (mut input, mut expected) = (String::new(), String::new());
        for (n, value) in values.iter().enumerate() {
            let _ = write!(input, "{n}\n{n} {}\n", most as usize - n);
            expected += &line(&[*value]);
            expected += &line(&[*value, values[most as usize - n]]);
        }
        for language in ["python", "cpp"] {
            let program = text(&[question, rules, &["--code", language]].concat());
            let name = format!("{language}{index}");
            let found = run_program(&folder, language, &program, &name, &input);
            assert_eq!(found, expected, "{family}\n{program}");
        }
    }
}

#[test]
fn programs_compute_the_values_of_families_with_two_variables() {
    let folder = folder("code_two");
    let table = text(&["table", "wythoff(a, b)", "a=0..6", "b=0..9", "--csv"]);
    let (mut input, mut expected) = (String::new(), String::new());
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let _ = writeln!(input, "{} {}", fields[0], fields[1]);
        expected += &line(&[fields[2].parse().unwrap()]);
    }
    for language in ["python", "cpp"] {
        let question = [
            "table",
            "wythoff(a, b)",
            "a=0..6",
            "b=0..9",
            "--code",
            language,
        ];
        let program = text(&question);
        let found = run_program(&folder, language, &program, language, &input);
        assert_eq!(found, expected);
    }
}

/// Checks the program for rules that split heaps into sums, with labels.
#[test]
fn a_program_follows_rules_with_sums_and_labels() {
    let folder = folder("code_rules");
    let file = folder.join("split.star");
    let rules = "n = 3\ntotal = 1\nvalues = [2]\ndef options(n):\n    \
                 whole = [(\"take %d\" % k, n - k) for k in [1, 4] if k <= n]\n    \
                 return whole + [sum_of([a, n - a]) for a in range(1, n) if 2 * a < n]\n";
    fs::write(&file, rules).unwrap();
    let own = ["--rules", file.to_str().unwrap()];
    let values = values(&own, "game(options, n)", 40);
    assert_eq!(values.len(), 41);
    let question = [
        &["table", "game(options, n)", "n=0..12"],
        &own[..],
        &["--code", "python"],
    ];
    let program = text(&question.concat());
    let input: Vec<String> = (0..=40).map(|n: u32| n.to_string()).collect();
    let input = input.join("\n");
    let expected: String = values.iter().map(|&value| line(&[value])).collect();
    let found = run_program(&folder, "python", &program, "split", &input);
    assert_eq!(found, expected, "{program}");
}

#[test]
fn programs_need_finite_values() {
    let loops = [
        "table",
        "graph({0: [1], 1: [0]}, n)",
        "n=0..1",
        "--code",
        "cpp",
    ];
    for question in [
        &loops[..],
        &["table", "nim(n)", "n=0..5", "--misere", "--code", "cpp"],
    ] {
        let output = grundy(question);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("finite Grundy values"), "{error}");
    }
}
