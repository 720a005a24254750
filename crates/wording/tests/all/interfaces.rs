//! Tests that no text of the library names an option or a command in the form of only one
//! interface, such as the command line.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_wording::{Language, sentence};
use serde_json::Value;

/// The crates of the interfaces.
const INTERFACES: [&str; 3] = ["cli", "server", "wasm"];

/// Commands that are recognized after the word `grundy` in a text. Commands whose names can also
/// follow this word in ordinary English are excluded.
const COMMANDS: [&str; 21] = [
    "compare",
    "completions",
    "convert",
    "draw",
    "exercises",
    "explain",
    "help",
    "label",
    "man",
    "matrix",
    "nimber",
    "period",
    "play",
    "probe",
    "quotient",
    "serve",
    "solve",
    "table",
    "tree",
    "value",
    "verify",
];

/// Codes of the sentences that only the terminal shows: the help, and messages of the server on the
/// terminal.
const TERMINAL_SENTENCES: [&str; 5] = [
    "help_commands",
    "help_games",
    "help_more",
    "help_pages",
    "serve_open_to_all",
];

/// Codes of the sentences of the web page that name commands or options of the program that serves
/// it.
const PAGE_SENTENCES: [&str; 2] = ["rules_keys", "tables_none"];

/// Hints of the command line parser. Their Chinese texts are in `errors.zh-CN.json`, together with
/// the Chinese texts of error messages.
const PARSER_HINTS: [&str; 7] = [
    "--port 0 selects any free port",
    "`grundy help {of}` lists its options",
    "`grundy help {written}` describes this game",
    "write the name of a file after --rules, then the position: --rules squares.star \"game(moves, 5)\"",
    "pass a rule file as an option: grundy {of} --rules FILE \"{written}\"",
    "for more information, try '--help'",
    "a variable can be given a range with --practice only",
];

/// Searches a text for an option or a command in the form of the command line. Returns the rest of
/// the text from there, or `None` if the text contains neither.
fn named_option(text: &str) -> Option<&str> {
    let option = text.match_indices("--").find(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + 2..].chars().next();
        before.is_none_or(|c| c != '-') && after.is_some_and(|c| c.is_ascii_lowercase())
    });
    let command = text.match_indices("grundy ").find(|(at, found)| {
        let word = text[at + found.len()..].split(|c: char| !c.is_ascii_lowercase());
        word.into_iter()
            .next()
            .is_some_and(|word| COMMANDS.contains(&word))
    });
    option.or(command).map(|(at, _)| &text[at..])
}

/// Returns the string literals of a Rust file, outside of comments.
fn literals(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/', 'r']) {
        let here = &rest[at..];
        let letter_before = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let raw = here.strip_prefix('r').and_then(|raw| {
            let marks = raw.len() - raw.trim_start_matches('#').len();
            raw[marks..].starts_with('"').then_some(marks)
        });
        let (skipped, end) = if here.starts_with("//") {
            (0, here.find('\n').unwrap_or(here.len()))
        } else if let Some(marks) = raw.filter(|_| !letter_before) {
            let from = 2 + marks;
            let length = here[from..].find(&format!("\"{}", "#".repeat(marks)));
            let to = from + length.expect("a raw literal ends");
            found.push(&here[from..to]);
            (0, to + 1 + marks)
        } else if let Some(text) = here.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let end = end.expect("a literal ends");
            found.push(&text[..end]);
            (0, end + 2)
        } else if let Some(text) = here.strip_prefix('\'') {
            // A character literal, or else a lifetime.
            let letter = text.chars().next().map_or(0, char::len_utf8);
            let escape = text
                .strip_prefix('\\')
                .and_then(|text| text[1..].find('\''));
            match escape {
                Some(length) => (0, length + 4),
                None if text[letter..].starts_with('\'') => (0, letter + 2),
                None => (0, 1),
            }
        } else {
            (0, 1)
        };
        rest = &here[skipped + end..];
    }
    found
}

/// Returns the source folders of all crates in `crates` except the interfaces, and of the crates in
/// `cluster`.
fn library() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = fs::read_dir(&crates)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !INTERFACES.iter().any(|interface| path.ends_with(interface)))
        .collect();
    folders.extend(["../cluster", "../cluster/workers"].map(|path| crates.join(path)));
    folders.iter().map(|path| path.join("src")).collect()
}

/// Returns the files with an extension in some folders, except those of tests.
fn files(mut folders: Vec<PathBuf>, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap_or_default();
            if stem == "tests" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn no_literal_names_options_of_one_interface() {
    let mut seen = 0;
    for file in files(library(), "rs") {
        let text = fs::read_to_string(&file).unwrap();
        // Unit tests may contain command lines.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for text in literals(code) {
            seen += 1;
            assert_eq!(named_option(text), None, "{}: {text}", file.display());
        }
    }
    assert!(seen > 5_000, "{seen}");
}

#[test]
fn no_sentence_names_options_of_one_interface() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sentences");
    for (file, own) in [
        ("en.json", &TERMINAL_SENTENCES[..]),
        ("zh-CN.json", &TERMINAL_SENTENCES),
        ("page.en.json", &PAGE_SENTENCES),
        ("page.zh-CN.json", &PAGE_SENTENCES),
        ("errors.zh-CN.json", &PARSER_HINTS),
    ] {
        let sentences = fs::read_to_string(folder.join(file)).unwrap();
        let sentences: Value = serde_json::from_str(&sentences).unwrap();
        for (code, words) in sentences.as_object().unwrap() {
            let named = named_option(code).or(named_option(words.as_str().unwrap()));
            assert_eq!(named.is_some(), own.contains(&&code[..]), "{file}: {code}");
        }
    }
}

#[test]
fn names_of_options_and_commands_are_detected() {
    let code = r##"
        // "--of a comment"
        let (a, b) = ('"', "leave --resume out");
        let c: &'static str = r#"a "raw" literal: grundy label FILE"#;
        let d = "this grundy was built -- without \"it\"";
    "##;
    let found: Vec<Option<&str>> = literals(code).into_iter().map(named_option).collect();
    assert_eq!(
        found,
        [Some("--resume out"), Some("grundy label FILE"), None]
    );
}

/// Checks that the labels in messages are those that the page shows.
#[test]
fn labels_in_messages_exist_on_the_page() {
    let labels = [
        ("option play", "play_misere"),
        ("option rules", "view_rules"),
        ("option timeout", "quotient_seconds"),
        ("command explain", "view_explain"),
        ("command help", "view_games"),
        ("command label", "view_graph"),
        ("command matrix", "view_matrix"),
        ("command period", "view_period"),
        ("command probe", "view_tables"),
        ("command quotient", "view_quotient"),
        ("command table", "view_table"),
        ("command tree", "view_tree"),
        ("command value", "view_value"),
    ];
    for (language, file) in [(Language::En, "en"), (Language::Zh, "zh-CN")] {
        let name = format!("src/sentences/page.{file}.json");
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
        let page: Value = serde_json::from_str(&page).unwrap();
        for (code, label) in labels {
            let said = sentence(&format!("page {code}"), language);
            assert_eq!(said, page[label].as_str(), "{code}");
        }
    }
}
