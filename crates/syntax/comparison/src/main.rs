//! Compares the parser with that of the crate `starlark_syntax`.
//!
//!     cargo run --release -- PROGRAMS FILE...
//!     cargo run --release -- --write FILE...
//!
//! The first form parses the files, and PROGRAMS random programs and changed files. It prints every
//! text that the parsers read differently, and exits with 1 if there is one. The second form prints
//! the cases of `testdata/syntax.jsonl`: the files and some random programs, with the trees of
//! `starlark_syntax`.
//!
//! These differences are intended:
//!
//! - Constructs that rule files do not support are syntax errors. These are unpacked arguments, `*`
//!   and `**` before parameters, assignments to attributes, byte strings, and indices with a comma.
//! - `return`, `break` and `continue` outside of functions and loops are rejected by the compiler.
//! - In a raw string, a backslash before a quotation mark stays, as in Python.
//! - A comment may contain a carriage return.
//! - Blocks are nested at most 100 deep, as in Python, and brackets at most 200 deep.

#[path = "../../tests/all/dump.rs"]
mod dump;
mod programs;
mod theirs;

use std::process::ExitCode;

/// Words that replace a character of a text.
const WORDS: [&str; 61] = [
    "a", "b", "f", "1", "0", "007", "0x1F", "1.5", "2e3", ".5", "\"s\"", "'t'", "r'\\n'",
    "'\\x41'", "b'x'", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "==", "<", "<=", "!=",
    "+", "-", "*", "/", "//", "%", "&", "|", "^", "~", "<<", ">>", "+=", "//=", "and", "or", "not",
    "in", "if", "else", "elif", "for", "lambda", "def", "return", "pass", "\n", "\n    ", ";", " ",
    "#c\n", "is",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first = arguments
        .next()
        .expect("usage: PROGRAMS FILE..., or --write FILE...");
    let files: Vec<String> = arguments
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .collect();
    if first == "--write" {
        write(&files);
        return ExitCode::SUCCESS;
    }
    let programs: u64 = first.parse().expect("the number of programs is an integer");
    let mut counts = Counts::default();
    for file in &files {
        counts.check(file);
    }
    for seed in 0..programs {
        fastrand::seed(seed);
        let mut text = if seed % 2 == 0 || files.is_empty() {
            programs::program()
        } else {
            files[fastrand::usize(..files.len())].clone()
        };
        if seed % 4 > 0 {
            change(&mut text);
        }
        counts.check(&text);
    }
    println!(
        "{} texts are read alike, {} of them without an error; {} differ",
        counts.alike, counts.valid, counts.different
    );
    ExitCode::from(u8::from(counts.different > 0))
}

#[derive(Default)]
struct Counts {
    alike: u64,
    valid: u64,
    different: u64,
}

impl Counts {
    fn check(&mut self, text: &str) {
        let (ours, theirs) = (dump::file(text), theirs::file(text));
        let alike = match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                self.valid += 1;
                ours == theirs || text.contains("\\'") || text.contains("\\\"")
            }
            (Err(_), Err(_)) => true,
            (Ok(_), Err(error)) => {
                error.contains("cannot be used outside of a")
                    || (error.contains("invalid input `\r`") && text.contains('#'))
            }
            (Err(error), Ok(_)) => error.contains("nested more than"),
        };
        if alike {
            self.alike += 1;
            return;
        }
        self.different += 1;
        if self.different <= 20 {
            println!("--- {text:?}\nours   {ours:?}\ntheirs {theirs:?}");
        }
    }
}

/// Removes, inserts or replaces some characters.
fn change(text: &mut String) {
    for _ in 0..fastrand::usize(1..4) {
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        if places.is_empty() {
            return;
        }
        let at = places[fastrand::usize(..places.len())];
        let word = WORDS[fastrand::usize(..WORDS.len())];
        match fastrand::u8(..3) {
            0 => drop(text.remove(at)),
            1 => text.insert_str(at, word),
            _ => {
                text.remove(at);
                text.insert_str(at, word);
            }
        }
    }
}

/// Writes the cases of the test of the parser: the files, 350 valid random programs, and 60 texts
/// that are rejected.
fn write(files: &[String]) {
    let random = (0..).map(|seed| {
        fastrand::seed(seed);
        let mut text = programs::program();
        if seed % 2 == 1 {
            change(&mut text);
        }
        text
    });
    let (mut valid, mut rejected) = (350 + files.len(), 60);
    for text in files.iter().cloned().chain(random) {
        let (case, left) = match (dump::file(&text), theirs::file(&text)) {
            (Ok(_), Ok(tree)) => (
                serde_json::json!({ "source": text, "tree": tree }),
                &mut valid,
            ),
            (Err(_), Err(_)) => (serde_json::json!({ "source": text }), &mut rejected),
            _ => continue,
        };
        if *left > 0 {
            *left -= 1;
            println!("{case}");
        } else if valid + rejected == 0 {
            return;
        }
    }
}
