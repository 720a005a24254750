//! Golden files: the exact output for every command and every constructor.
//!
//! A file in `testdata/golden/` contains questions, each followed by its answer:
//!
//! - `$` starts a run: the arguments as a JSON list, and optionally the standard input.
//! - `= CODE` is the exit code. The lines of standard output follow, indented by two blanks.
//! - `!` starts a batch. Each line `? LINE` is a line of its standard input, followed by its
//!   answer.
//! - `{tmp}` is a folder for files, shared by the runs of one golden file.
//!
//! `GRUNDY_BLESS=1 cargo test -p grundy-cli --test all golden::` rewrites the answers. Read the
//! diff before you commit it. To add a question, add its line to the file and run this command.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::program::{command, folder};

/// Returns the root of the repository. Runs start there, so that the paths in examples are short.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A question of a golden file, or a line that is copied unchanged.
enum Question<'a> {
    Copied(&'a str),
    Run(&'a str),
    Batch {
        arguments: &'a str,
        lines: Vec<&'a str>,
    },
}

fn questions(file: &str) -> Vec<Question<'_>> {
    let mut questions = Vec::new();
    for line in file.lines() {
        if let Some(run) = line.strip_prefix("$ ") {
            questions.push(Question::Run(run));
        } else if let Some(arguments) = line.strip_prefix("! ") {
            let lines = Vec::new();
            questions.push(Question::Batch { arguments, lines });
        } else if let Some(input) = line.strip_prefix("? ") {
            match questions.last_mut() {
                Some(Question::Batch { lines, .. }) => lines.push(input),
                _ => panic!("a line of a batch outside of a batch: {line}"),
            }
        } else if line.starts_with('#') || line.is_empty() {
            questions.push(Question::Copied(line));
        }
    }
    questions
}

/// Runs the program with the arguments in a `$` line of a golden file. Returns the exit code and
/// the lines of the output.
fn run(line: &str, folder: &Path) -> (String, Vec<String>) {
    let tmp = folder.to_str().unwrap();
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<serde_json::Value>();
    let arguments = values.next().unwrap().unwrap();
    let arguments: Vec<String> = arguments
        .as_array()
        .unwrap_or_else(|| panic!("no list of arguments: {line}"))
        .iter()
        .map(|argument| argument.as_str().unwrap().replace("{tmp}", tmp))
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let input = values.next().map(|input| input.unwrap());
    let input = input.as_ref().map_or("", |input| input.as_str().unwrap());
    run_program(&arguments, input, tmp)
}

fn run_program(arguments: &[&str], input: &str, tmp: &str) -> (String, Vec<String>) {
    let mut child = command(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Write from another thread. The program may exit before it reads all input, or it may block
    // until its output is read.
    let (mut pipe, input) = (child.stdin.take().unwrap(), input.to_owned());
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let output_text = String::from_utf8(output.stdout)
        .unwrap()
        .replace(tmp, "{tmp}");
    let code = output.status.code();
    let code = code.map_or("a signal".to_owned(), |code| code.to_string());
    (code, output_text.lines().map(str::to_owned).collect())
}

/// Returns the golden file with current answers.
fn answers(file: &str, folder: &Path) -> String {
    let mut out = String::new();
    for question in questions(file) {
        match question {
            Question::Copied(line) => _ = writeln!(out, "{line}"),
            Question::Run(line) => {
                let (code, lines_out) = run(line, folder);
                let _ = writeln!(out, "$ {line}\n= {code}");
                for line in lines_out {
                    let _ = writeln!(out, "  {line}");
                }
            }
            Question::Batch { arguments, lines } => {
                let list: Vec<String> = serde_json::from_str(arguments).unwrap();
                let list: Vec<&str> = list.iter().map(String::as_str).collect();
                let tmp = folder.to_str().unwrap();
                let (code, lines_out) = run_program(&list, &lines.join("\n"), tmp);
                assert_eq!(
                    lines_out.len(),
                    lines.len(),
                    "{arguments}: an answer a line"
                );
                let _ = writeln!(out, "! {arguments}\n= {code}");
                for (input, answer) in lines.iter().zip(lines_out) {
                    let _ = writeln!(out, "? {input}\n  {answer}");
                }
            }
        }
    }
    out
}

fn golden(name: &str) {
    let path = root()
        .join("testdata/golden")
        .join(name)
        .with_extension("txt");
    let before = std::fs::read_to_string(&path).unwrap();
    let after = answers(&before, &folder(&format!("golden-{name}")));
    if std::env::var_os("GRUNDY_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, after).unwrap();
        return;
    }
    let mut differences = String::new();
    let mut question = "";
    for (was, is) in before.lines().zip(after.lines()) {
        if was.starts_with(['$', '?', '!']) {
            question = was;
        }
        if was != is {
            let _ = writeln!(differences, "{question}\n- {was}\n+ {is}");
            // One change of wording can affect every answer, so limit the report.
            if differences.len() > 10_000 {
                break;
            }
        }
    }
    assert!(
        differences.is_empty() && before.lines().count() == after.lines().count(),
        "{name}: answers have changed; if they should, bless them:\n{differences}"
    );
}

macro_rules! golden_files {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                golden(stringify!($name));
            }
        )*

        // Every golden file is tested, and every constructor has a question in solve.txt and
        // help.txt.
        #[test]
        fn every_golden_file_and_constructor_is_tested() {
            let mut files: Vec<String> = std::fs::read_dir(root().join("testdata/golden"))
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
            files.sort();
            let mut known = vec![$(stringify!($name)),*];
            known.sort_unstable();
            assert_eq!(files, known);
            let solve = std::fs::read_to_string(root().join("testdata/golden/solve.txt")).unwrap();
            let help = std::fs::read_to_string(root().join("testdata/golden/help.txt")).unwrap();
            for grundy_core::registry::Constructor { name, .. } in grundy_core::registry::CONSTRUCTORS {
                let written = format!("\"{name}(");
                assert!(solve.contains(&written), "solve.txt does not ask about {name}");
                let page = format!("[\"help\", \"{name}\"]");
                assert!(help.contains(&page), "help.txt does not ask about {name}");
            }
        }
    };
}

golden_files! {
    draw exercises explain files guess help label matrix nimber period play probe quotient rules solve table tree value verify wrong
}
