//! The console blocks of the README and of docs/, run and compared with their output.
//!
//! `TRYCMD=overwrite cargo test -p grundy-cli --test all documents::` writes the current output
//! into the pages. Read the diff before you commit it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{executable, folder};

/// Returns the root of the repository, in which readers run the commands.
fn root() -> PathBuf {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(top).expect("the top of the repository")
}

/// Copies of the pages for the test runner. The copies mark failing commands with a status line,
/// which the pages for readers do not show.
struct Pages {
    /// The folder of the copies.
    copies: PathBuf,
    /// Pairs of a page and its copy.
    pages: Vec<(PathBuf, PathBuf)>,
}

impl Pages {
    fn copied() -> Self {
        let copies = folder("pages");
        let root = root();
        let docs = fs::read_dir(root.join("docs")).expect("the folder of the documents");
        let found = docs.map(|entry| entry.expect("an entry of the folder").path());
        let mut pages: Vec<_> = found
            .chain([root.join("README.md")])
            .filter(|page| page.extension().is_some_and(|ending| ending == "md"))
            .map(|page| (page.clone(), copies.join(page.file_name().unwrap())))
            .collect();
        pages.sort();
        for (page, copy) in &pages {
            fs::write(copy, marked(&text(page))).expect("a copy");
            // trycmd runs the commands in the folder that the `.in` file names.
            let link = copy.with_extension("in");
            fs::write(link, root.to_str().expect("a path in UTF-8")).expect("a link");
        }
        Self { copies, pages }
    }
}

// With `TRYCMD=overwrite` the runner changes the copies, so write them back to the pages.
impl Drop for Pages {
    fn drop(&mut self) {
        if std::env::var_os("TRYCMD").is_some_and(|wish| wish == "overwrite") {
            for (page, copy) in &self.pages {
                fs::write(page, unmarked(&text(copy))).expect("a page");
            }
        }
    }
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Adds a failure status under each command whose output reports an error or a limit. In lines that
/// are JSON objects, replaces `\"` by `/"`, since the test runner does the same in the output of
/// the commands.
fn marked(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("{\"") {
            out.push_str(&line.replace("\\\"", "/\""));
        } else {
            out.push_str(line);
        }
        out.push('\n');
        let is_command = |line: &str| line.starts_with("$ ");
        let ends_badly = |line: &str| {
            line.starts_with("error: ") || line.starts_with("  The rest of the answer is missing")
        };
        let mut output = lines
            .clone()
            .take_while(|next| !is_command(next) && *next != "```");
        if is_command(line) && output.any(ends_badly) {
            out.push_str("? failed\n");
        }
    }
    out
}

fn unmarked(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("? "));
    let lines = lines.map(|line| {
        if line.starts_with("{\"") {
            line.replace("/\"", "\\\"") + "\n"
        } else {
            line.to_owned() + "\n"
        }
    });
    lines.collect()
}

#[test]
fn documented_commands_print_the_documented_output() {
    let pages = Pages::copied();
    trycmd::TestCases::new()
        .register_bin("grundy", Path::new(executable()))
        .env("LC_ALL", "C")
        .case(pages.copies.join("*.md"));
}

// The pages are for readers, so they contain no syntax of the test runner.
#[test]
fn pages_contain_no_test_runner_syntax() {
    let root = root();
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let pages = docs.map(|entry| entry.unwrap().path());
    for page in pages.chain([root.join("README.md")]) {
        if page.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        for (number, line) in text(&page).lines().enumerate() {
            let pattern = ["[..]", "[EXE]", "[CWD]"].iter().any(|p| line.contains(p));
            assert!(
                !pattern && !line.starts_with("? "),
                "{} {}",
                page.display(),
                number + 1
            );
        }
    }
}
