//! Every console block of the README and of docs/ is run, and what it prints is compared.
//! `TRYCMD=overwrite cargo test -p grundy-cli --test all documents::` writes the present output
//! into them: read the diff.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{executable, folder};

/// Returns the top of the repository, where a reader runs the commands.
fn root() -> PathBuf {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(top).expect("the top of the repository")
}

/// The pages as they are tested: a command that ends with an error is marked as one, which no
/// reader needs to see.
struct Pages {
    /// Where the copies are.
    copies: PathBuf,
    /// The pages, and their copies.
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
            // The runner takes this for a link to the folder in which the commands are run.
            let link = copy.with_extension("in");
            fs::write(link, root.to_str().expect("a path in UTF-8")).expect("a link");
        }
        Self { copies, pages }
    }
}

/// What was overwritten goes back into the pages.
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

/// Returns the text with a status under each command whose output has a line of an error or of a
/// limit. In lines of JSON a backslash is written as the runner reads it in what was printed.
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
            line.starts_with("error: ") || line.starts_with("  The rest was not worked out")
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
fn what_the_documents_show_is_what_the_program_prints() {
    let pages = Pages::copied();
    trycmd::TestCases::new()
        .register_bin("grundy", Path::new(executable()))
        .env("LC_ALL", "C")
        .case(pages.copies.join("*.md"));
}

/// Pages are for readers: nothing in them is the test runner's.
#[test]
fn no_page_speaks_to_the_test_runner() {
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
