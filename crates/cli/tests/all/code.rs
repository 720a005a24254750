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

/// Returns the variables and the outcome of each position of a table.
fn outcomes(question: &[&str], ranges: &[&str]) -> Vec<(String, String)> {
    let of: &[&str] = if question.contains(&"--of") {
        &["--csv"]
    } else {
        &["--of", "outcome", "--csv"]
    };
    let table = text(&[&["table"], question, ranges, of].concat());
    let rows = table.lines().skip(1);
    rows.filter_map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        let (outcome, variables) = fields.split_last()?;
        let variables: Vec<&str> = variables
            .iter()
            .copied()
            .filter(|field| !field.is_empty())
            .collect();
        (!outcome.is_empty()).then(|| (variables.join(" "), (*outcome).to_owned()))
    })
    .collect()
}

/// A rule file or an empty text, then the family and options. Two lists of ranges follow: those of
/// the table from which the program is written, and those for which its output is compared.
type OutcomeCase = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

/// Compares the output of programs with the outcomes that a table gives.
fn check_outcome_programs(name: &str, languages: &[&str], cases: &[OutcomeCase]) {
    let folder = folder(name);
    for (index, (rules, question, ranges, compared)) in cases.iter().enumerate() {
        let file = folder.join(format!("{index}.star"));
        fs::write(&file, rules).unwrap();
        let own = ["--rules", file.to_str().unwrap()];
        let own = if rules.is_empty() { &[][..] } else { &own[..] };
        let question = [question, own].concat();
        let expected = outcomes(&question, compared);
        assert!(expected.len() > 5, "{question:?}");
        let input: Vec<&str> = expected.iter().map(|(input, _)| &input[..]).collect();
        let output: String = expected.iter().fold(String::new(), |output, (_, outcome)| {
            output + outcome + "\n"
        });
        for language in languages {
            let code = ["--code", *language];
            let program = text(&[&["table"], &question[..], ranges, &code].concat());
            let name = format!("{language}{index}");
            let found = run_program(&folder, language, &program, &name, &input.join("\n"));
            assert_eq!(found, output, "{question:?}\n{program}");
        }
    }
}

#[test]
fn programs_give_outcomes_where_there_are_no_values() {
    let cases: [OutcomeCase; 5] = [
        // The proved period of the outcomes answers beyond the table.
        (
            "",
            &["subtraction([1, 3, 4], n)", "--misere"],
            &["n=0..40"],
            &["n=0..300"],
        ),
        (
            "",
            &["fibonacci_nim(n)", "--of", "outcome"],
            &["n=1..60"],
            &["n=1..60"],
        ),
        (
            "",
            &["domineering(board(a, b))"],
            &["a=1..3", "b=1..4"],
            &["a=1..3", "b=1..4"],
        ),
        (
            "",
            &["euclid(a, b)", "--misere"],
            &["a=1..7", "b=1..9"],
            &["a=1..7", "b=1..9"],
        ),
        (
            "def moves(n):\n    return [p for p in [n - 2, n + 1] if 0 <= p and p < 9]\n",
            &["game(moves, n)"],
            &["n=0..8"],
            &["n=0..8"],
        ),
    ];
    check_outcome_programs("code_outcomes", &["python", "cpp"], &cases);
}

#[test]
fn programs_find_outcomes_by_the_rules() {
    let cases: [OutcomeCase; 5] = [
        // Misère play of sums.
        (
            "def moves(n):\n    \
             return [sum_of([a, n - 1 - a]) for a in range(n) if 2 * a < n]\n",
            &["game(moves, n)", "--misere"],
            &["n=0..4"],
            &["n=0..16"],
        ),
        // Draws, also in misère play.
        (
            "def moves(n):\n    return [p for p in [n - 2, n + 3, n // 2] if 0 <= p and p < 40 and p != n]\n",
            &["game(moves, n)"],
            &["n=0..4"],
            &["n=0..39"],
        ),
        (
            "def moves(p):\n    a, b = p\n    \
             return [(b, a - k) for k in range(1, a + 1)] + ([(b, a)] if a + b > 4 else [])\n",
            &["game(moves, (a, b))", "--misere"],
            &["a=0..2", "b=0..1"],
            &["a=0..6", "b=0..6"],
        ),
        // Ties, and functions that differ between Starlark and Python.
        (
            "def moves(n):\n    \
             return [n - k for i, k in reversed(enumerate([1, 3, 4])) if k <= n]\n\
             def value(n):\n    return zip([\"tie\", \"lose\"], [0, 1])[n % 2][0]\n",
            &["game(moves, n)"],
            &["n=0..4"],
            &["n=0..60"],
        ),
        (
            "def moves(n):\n    return [n - k for k in [2, 3] if k <= n]\n\
             def value(n):\n    if type(n) == \"int\":\n        return n\n    fail(\"a number\")\n",
            &["game(moves, n)"],
            &["n=0..4"],
            &["n=0..60"],
        ),
    ];
    check_outcome_programs("code_rules_outcomes", &["python"], &cases);
}

/// Patterns are comments of a program. Programs do not compute other quantities.
#[test]
fn a_program_states_patterns() {
    let question = [
        "table",
        "fibonacci_nim(n)",
        "n=1..60",
        "--of",
        "outcome",
        "--pattern",
    ];
    let program = text(&[&question[..], &["--code", "python"]].concat());
    let pattern = "# observed: the P-positions from 1 onwards are the Fibonacci numbers";
    assert!(program.lines().any(|line| line == pattern), "{program}");
    let output = grundy(&["table", "nim(n)", "n=1..6", "--of", "mean", "--code", "cpp"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("Grundy values or outcomes only"), "{error}");
}

/// Checks that a table with finite values is written out if positions of its game can recur.
#[test]
fn a_program_does_not_recur() {
    let folder = folder("code_recurs");
    let question = [
        "table",
        "--rules",
        "../../examples/rules/fair_shares.star",
        "game(moves, (a, b))",
        "a=1..3",
        "b=1..3",
    ];
    let program = text(&[&question[..], &["--code", "python"]].concat());
    let cells = text(&[&question[..], &["--csv"]].concat());
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for row in cells.lines().skip(1) {
        let [a, b, value, outcome] = row.split(',').collect::<Vec<_>>().try_into().unwrap();
        input.push(format!("{a} {b}"));
        expected.push(format!("{outcome} {value}"));
    }
    assert_eq!(input.len(), 9);
    let found = run_program(&folder, "python", &program, "table", &input.join("\n"));
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{program}");
}

/// Checks that `period --misere --code` writes the period of the outcomes.
#[test]
fn a_program_states_a_period_of_misere_play() {
    let folder = folder("code_misere_period");
    let question = ["subtraction([1, 3, 4], n)", "--misere"];
    let cells = text(
        &[
            &["table"],
            &question[..1],
            &["n=0..100", "--misere", "--csv"],
        ]
        .concat(),
    );
    let outcome = |row: &str| row.split(',').next_back().unwrap().to_owned();
    let expected: Vec<String> = cells.lines().skip(1).map(outcome).collect();
    assert_eq!(expected.len(), 101);
    for language in ["cpp", "python"] {
        let program = text(&[&["period"], &question[..], &["--code", language]].concat());
        assert!(
            program.contains("n + 7 has the outcome of n, for n >= 0"),
            "{program}"
        );
        let input: Vec<String> = (0..=100).map(|n: u32| n.to_string()).collect();
        let found = run_program(&folder, language, &program, "period", &input.join("\n"));
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{program}");
    }
}

/// Rules that use what Python lacks are not copied: the program has the table.
#[test]
fn a_program_has_the_table_where_python_lacks_a_function() {
    let folder = folder("code_elems");
    let file = folder.join("letters.star");
    let rules = "def moves(n):\n    letters = str(n).elems()\n    \
                 return [n - int(letters[0])] if n > 0 else []\n";
    fs::write(&file, rules).unwrap();
    let own = ["--rules", file.to_str().unwrap()];
    let values = values(&own, "game(moves, n)", 30);
    let question = [
        &["table", "game(moves, n)", "n=0..30"],
        &own[..],
        &["--code", "python"],
    ];
    let program = text(&question.concat());
    assert!(
        program.contains("VALUES") && !program.contains("elems"),
        "{program}"
    );
    check_first_values(&folder, &program, "letters", &values, 30);
}

/// Checks that a Python program prints the values of n = 0, 1, 2, ..., `most`.
fn check_first_values(folder: &Path, program: &str, name: &str, values: &[u64], most: usize) {
    let input: Vec<String> = (0..=most).map(|n| n.to_string()).collect();
    let expected: String = values.iter().map(|&value| line(&[value])).collect();
    let found = run_program(folder, "python", program, name, &input.join("\n"));
    assert_eq!(found, expected, "{program}");
}

/// Programs refuse input that is no number, in both languages, and do not answer for it.
#[test]
fn programs_reject_what_is_no_number() {
    let folder = folder("code_input");
    for (index, question) in [
        &["table", "kayles(n)", "n=0..9"][..],
        &["table", "grundys_game(n)", "n=0..9"],
        &["table", "wythoff(a, b)", "a=0..3", "b=0..3"],
        &["table", "subtraction([1, 2], n)", "n=0..9", "--misere"],
    ]
    .into_iter()
    .enumerate()
    {
        let second = if index == 2 { " 2" } else { "" };
        let good = format!("3{second}\n");
        for language in ["python", "cpp"] {
            let program = text(&[question, &["--code", language]].concat());
            let name = format!("{language}{index}");
            let answer = run_program(&folder, language, &program, &name, &good);
            assert!(answer.starts_with(['N', 'P']), "{answer}");
            let command = match language {
                "cpp" => folder.join(&name).into_os_string(),
                _ => "python3".into(),
            };
            for word in ["-1", "1.5", "x", "99999999999999999999999"] {
                let mut process = Command::new(&command);
                if language == "python" {
                    process.arg(folder.join(format!("{name}.py")));
                }
                let input = format!("{word}{second}\n");
                let mut child = process
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
                child
                    .stdin
                    .take()
                    .unwrap()
                    .write_all(input.as_bytes())
                    .unwrap();
                let output = child.wait_with_output().unwrap();
                // Python has larger numbers, which a period also answers.
                let is_large = language == "python" && word.len() > 20 && output.status.success();
                assert!(is_large || !output.status.success(), "{question:?} {word}");
            }
        }
    }
}

/// Rules whose meaning differs in Python are not copied, or the program finds the difference.
#[test]
fn a_program_is_not_written_from_rules_that_differ_in_python() {
    let folder = folder("code_differ");
    for (index, rules) in [
        "set = [1, 3]\ndef moves(n):\n    return [n - k for k in set if k <= n]\n",
        "d = {1: 0, 2: 0}\ndef moves(n):\n    return [n - k for k in d.keys()[:2] if k <= n]\n",
        "# comment \r print('no comment')\ndef moves(n):\n    return [n - 1] if n > 0 else []\n",
        "grundy_known_values = {0: 1}\ndef moves(n):\n    return [n - 1] if n > 0 else []\n",
        "def moves(n):\n    a = [1]\n    b = a\n    b *= 2\n    return [n - len(a)] if n > 1 else []\n",
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.join(format!("{index}.star"));
        fs::write(&file, rules).unwrap();
        let own = ["--rules", file.to_str().unwrap()];
        let question = [&["table", "game(moves, n)", "n=0..9"], &own[..]].concat();
        let program = text(&[&question[..], &["--code", "python"]].concat());
        let values = values(&own, "game(moves, n)", 9);
        assert_eq!(values.len(), 10);
        check_first_values(&folder, &program, "table", &values, 9);
        assert!(!program.contains("def moves"), "{program}");
    }
    // That a list is written in another way is found only when the program runs.
    let file = folder.join("compared.star");
    let rules = "def moves(n):\n    return [n - k for k in [1, 2] if k <= n and '%s' % ['a'] != \"['a']\"]\n";
    fs::write(&file, rules).unwrap();
    let rules = ["--rules", file.to_str().unwrap(), "--code", "python"];
    let program = text(&[&["table", "game(moves, n)", "n=0..9"], &rules[..]].concat());
    assert!(program.contains("def moves"), "{program}");
    let file = folder.join("compared.py");
    fs::write(&file, program).unwrap();
    let output = Command::new("python3").arg(file).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("in Python, these rules have another value"),
        "{error}"
    );
}

/// Lists, tuples and pairs that look like labelled moves are positions as in the rule file.
#[test]
fn a_program_keeps_the_kinds_of_positions() {
    let folder = folder("code_kinds");
    for (index, (rules, family)) in [
        (
            "def moves(p):\n    if type(p) == \"int\":\n        return [\"x\" * p] if p > 0 else []\n    \
             return [sum_of([p[:i], p[i + 2:]]) for i in range(len(p) - 1)]\n",
            "game(moves, n)",
        ),
        (
            "s = \"a\"\ndef moves(p):\n    t, n = p\n    \
             return [(t + \"b\", n - k) for k in [1, 2] if k <= n]\n",
            "game(moves, (s, n))",
        ),
        (
            "def moves(p):\n    if type(p) == \"int\":\n        \
             return [[1, p], (1, p)] if p > 0 else []\n    \
             return [p[1] - 1] if type(p) == \"list\" else [max(p[1] - 2, 0)]\n",
            "game(moves, n)",
        ),
        (
            "def moves(p):\n    if type(p) == \"int\":\n        return [[1] * p]\n    \
             if len(p) == 0:\n        return []\n    p.pop()\n    return [p]\n",
            "game(moves, n)",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.join(format!("{index}.star"));
        fs::write(&file, rules).unwrap();
        let own = ["--rules", file.to_str().unwrap()];
        let values = values(&own, family, 12);
        let question = [&["table", family, "n=0..4"], &own[..], &["--code", "python"]];
        let program = text(&question.concat());
        assert!(program.contains("def moves"), "{program}");
        check_first_values(&folder, &program, "kinds", &values, 12);
    }
}

/// Checks that the text of a family adds no code to a program.
#[test]
fn a_family_adds_no_code_to_a_program() {
    let folder = folder("code_text");
    let family = "kayles(n # x\rprint('code') #\n)";
    for question in [&["period", family][..], &["table", family, "n=0..9"]] {
        let program = text(&[question, &["--code", "python"]].concat());
        let found = run_program(&folder, "python", &program, "text", "3\n");
        assert_eq!(found, "N 3\n", "{program}");
    }
}

/// Compares programs from example files with tables.
#[test]
fn programs_of_the_examples_agree_with_the_tables() {
    let cases: [(&str, &[&str], &[&str]); 5] = [
        ("dawsons_chess", &["game(moves, n)"], &["n=0..30"]),
        (
            "euclid_equal",
            &["game(moves, (a, b))"],
            &["a=1..6", "b=1..6"],
        ),
        (
            "fair_shares",
            &["game(moves, (a, b))"],
            &["a=1..5", "b=1..6"],
        ),
        (
            "nim_with_a_pass",
            &["game(moves, ((a, b), 1))"],
            &["a=1..4", "b=1..4"],
        ),
        ("wythoff", &["game(moves, (a, b))"], &["a=0..6", "b=0..6"]),
    ];
    let folder = folder("code_examples");
    for (file, family, ranges) in cases {
        let rules = format!("../../examples/rules/{file}.star");
        let question = [family, &["--rules", &rules]].concat();
        let code = ["--code", "python"];
        let program = text(&[&["table"], &question[..], ranges, &code].concat());
        let expected = outcomes(&question, ranges);
        assert!(expected.len() > 5, "{file}");
        let input: Vec<&str> = expected.iter().map(|(input, _)| &input[..]).collect();
        let found = run_program(&folder, "python", &program, file, &input.join("\n"));
        // A line has the outcome, and the value if there is one.
        let found: Vec<&str> = found.lines().map(|line| &line[..1]).collect();
        let expected: Vec<&str> = expected.iter().map(|(_, outcome)| &outcome[..]).collect();
        assert_eq!(found, expected, "{file}\n{program}");
    }
}
