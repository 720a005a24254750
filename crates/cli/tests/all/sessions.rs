//! Games played in a pseudo-terminal. Each line is typed only when its prompt is shown.
//!
//! `GRUNDY_BLESS=1 cargo test -p grundy-cli --test all sessions::` records the sessions again. Read
//! the diff before you commit it.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::program::executable;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Starts the program in a pseudo-terminal, provided by util-linux's `script`. The recorded
/// sessions use a terminal without colours.
fn terminal(arguments: &[&str], environment: &[(&str, &str)]) -> Child {
    let quoted = arguments
        .iter()
        .map(|argument| format!(" '{}'", argument.replace('\'', r"'\''")));
    let command = format!("'{}'{}", executable(), quoted.collect::<String>());
    let mut script = Command::new("script");
    // Other variables that control colours; CI systems set some of them.
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "CI"] {
        script.env_remove(name);
    }
    script
        .args([
            "--quiet",
            "--flush",
            "--return",
            "--command",
            &command,
            "/dev/null",
        ])
        .current_dir(root())
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "dumb")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("`script` of util-linux")
}

/// Types each line at a prompt. Returns the text on the screen and the exit code.
fn session(arguments: &[&str], lines: &[&str]) -> (String, Option<i32>) {
    session_in(arguments, &[], lines)
}

/// Runs [`session`] with additional environment variables.
fn session_in(
    arguments: &[&str],
    environment: &[(&str, &str)],
    lines: &[&str],
) -> (String, Option<i32>) {
    let mut child = terminal(arguments, environment);
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut shown = Vec::new();
    let mut lines = lines.iter();
    // Read byte by byte: a prompt has no line end, and a larger read could block behind it.
    let mut byte = [0];
    while output.read(&mut byte).is_ok_and(|read| read == 1) {
        shown.push(byte[0]);
        if shown.ends_with(b"> ") {
            match lines.next() {
                Some(line) => input.write_all(format!("{line}\n").as_bytes()).unwrap(),
                // Ctrl-D ends the input.
                None => input.write_all(b"\x04").unwrap(),
            }
            input.flush().unwrap();
        }
    }
    let code = child.wait().unwrap().code();
    let text = String::from_utf8(shown).unwrap();
    (text.replace("\r\n", "\n").replace('\x08', ""), code)
}

/// The name, the arguments and the typed lines of each session.
#[rustfmt::skip]
const SESSIONS: &[(&str, &[&str], &[&str])] = &[
    ("nim", &["play", "nim(3, 4, 5)"], &["?", "h", "h", "h", "take 2 from heap 1", "w", "1", "u", "b", "take 9", "2 from 3", "save", "q"]),
    ("nim-second", &["play", "nim(1, 2)", "--second", "--misere"], &["1", "history"]),
    ("chomp", &["play", "chomp(3, 3)"], &["1 1", "2", "0, 1", "(0, 1)", "1", "1"]),
    ("chomp-second", &["play", "chomp(2, 2)", "--second"], &["0 1", "1 0", "1"]),
    ("hackenbush", &["play", "hackenbush(\"0-1 1-2 1-3 0-4 4-5\")"], &["h", "h", "4", "position", "cut edge 1", "3", "1"]),
    ("hackenbush-second", &["play", "hackenbush(\"0-1:b 1-2:r 0-3:r\")", "--second"], &["0", "2", "1"]),
    ("northcott", &["play", "northcott(6, [[0, 3], [1, 4]])"], &["w", "0 1", "1 2", "m", "q"]),
    ("northcott-second", &["play", "northcott(5, [[0, 3]])", "--second"], &["1", "1", "1"]),
    ("tic-tac-toe", &["play", "tic_tac_toe()"], &["1 1", "2", "0 1", "1 0", "2 2", "0 2", "2 1", "history"]),
    ("tic-tac-toe-second", &["play", "tic_tac_toe()", "--second"], &["1 1", "h", "h", "b", "q"]),
    ("domineering", &["play", "domineering([\"...\", \"...\"])"], &["m", "1", "1", "1"]),
    ("domineering-second", &["play", "domineering([\"...\", \"...\"])", "--second"], &["1", "1", "1"]),
    ("graph", &["play", "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\"], \"c\": [\"d\"], \"d\": []}, \"a\")"], &["b", "h", "b", "b", "u", "c", "1"]),
    ("graph-second", &["play", "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\"], \"c\": [\"d\"], \"d\": []}, \"a\")", "--second"], &["1", "1", "q"]),
    ("rules", &["play", "--rules", "examples/rules/silver_dollar.star", "game(moves, (1, 3, 7, 8))"], &["3 to 2", "1", "why", "1", "q"]),
    ("rules-second", &["play", "--rules", "examples/rules/squares.star", "game(moves, 12)", "--second"], &["1", "1", "1", "1"]),
    ("sum-two-players", &["play", "nim(2) + kayles(3)", "--two-players"], &["in kayles(3) take 1 leave 1, 1", "0: 0 0", "1", "1", "save"]),
    ("saved", &["play", "nim(2) + kayles(3)", "--moves", "1: 0 1 1; 0: 0 0"], &["history", "1", "1"]),
    ("chinese", &["play", "nim(2, 3)", "--lang", "zh"], &["?", "h", "第 2 堆取走 1 枚", "u", "r", "history", "save", "q"]),
    ("page", &["play", "hackenbush('0-1 1-2 1-3 0-4 4-5')"], &["h", "h", "cut edge 1", "0", "3"]),
    ("help", &["play", "kayles_row(\"111\") + nim(2)", "--misere"], &["?", "q"]),
    ("readings", &["solve", "subtraction(1, 2, 3, 21)"], &["1"]),
    ("readings-none", &["solve", "subtraction(1, 2, 3, 21)"], &["0"]),
    ("large", &["play", "nim(1000, 1000000000000)"], &["5 from 0", "h", "b", "1 999", "q"]),
];

#[test]
fn sessions_match_the_recordings() {
    let folder = root().join("testdata/sessions");
    let bless = std::env::var_os("GRUNDY_BLESS").is_some();
    let mut known = Vec::new();
    for (name, arguments, lines) in SESSIONS {
        let (shown, code) = session(arguments, lines);
        let told = format!(
            "$ grundy {}\n{shown}= {}\n",
            arguments.join(" "),
            code.unwrap_or(-1)
        );
        let file = folder.join(format!("{name}.txt"));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &told).unwrap();
        }
        let recorded = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(told, recorded, "{name}");
        known.push(format!("{name}.txt"));
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "nothing makes {name}");
    }
}

// The session in docs/play.md is the recorded one.
#[test]
fn the_page_shows_the_recorded_session() {
    let shown = std::fs::read_to_string(root().join("testdata/sessions/page.txt")).unwrap();
    let (command, rest) = shown.split_once('\n').unwrap();
    let command = command.replace("play ", "play \"") + "\"";
    let (rest, _) = rest.rsplit_once("= 0\n").unwrap();
    let block = format!("```text\n{command}\n{rest}```");
    let page = root().join("docs/play.md");
    let text = std::fs::read_to_string(&page).unwrap();
    if std::env::var_os("GRUNDY_BLESS").is_some() {
        let (before, after) = text.split_once("```text\n").map_or_else(
            || text.split_once("PAGE").unwrap(),
            |(before, after)| (before, after.split_once("```").unwrap().1),
        );
        std::fs::write(&page, format!("{before}{block}{after}")).unwrap();
        return;
    }
    assert!(text.contains(&block), "docs/play.md shows another session");
}

/// Removes the escape sequences from a text.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('m').expect("a colour").1);
    std::iter::once(first).chain(rest).collect()
}

// Colours appear only in a terminal that supports them, and carry no information: without them the
// text is the same.
#[test]
fn colours_appear_only_in_a_terminal() {
    let (blue, red, green, out) = ("\x1b[94m", "\x1b[91m", "\x1b[32m", "\x1b[7m");
    // A position, the typed lines, and coloured text that must appear.
    let games: &[(&str, &[&str], &[String])] = &[
        (
            "hackenbush('0-1:b 1-2:r 1-3:g')",
            &["q"],
            &[
                format!("{blue}⡇0b\x1b[0m"),
                format!("{red}1r⢳⡀"),
                format!("{green}⣰⠃2g"),
            ],
        ),
        (
            "k_in_a_row(['X..', '.O.', '...'], 3)",
            &["0 1", "q"],
            &[
                format!("│{blue} X \x1b[0m│{out}{blue} X \x1b[0m│"),
                format!("{red} O \x1b[0m"),
            ],
        ),
        ("toads_and_frogs('TT..FF')", &["q"], &[format!("{blue} T ")]),
        ("col('0-1', '.R')", &["q"], &[format!("1 {red}R\x1b[0m │")]),
        ("northcott(4, [[0, 2]])", &["q"], &[format!("{blue} L ")]),
        (
            "nim(2, 3)",
            &["1 from 2", "q"],
            &[format!("{out}2 │ ●● 2\x1b[0m")],
        ),
        (
            "kayles(7)",
            &["take 1 from heap 1 and leave 2, 4", "q"],
            &[format!("{out}1 │ ●● 2\x1b[0m\n{out}2 │ ●●●● 4\x1b[0m")],
        ),
    ];
    for (game, typed, shown) in games {
        let arguments = ["play", game, "--two-players"];
        let (coloured, _) = session_in(&arguments, &[("TERM", "xterm-256color")], typed);
        for seen in *shown {
            assert!(coloured.contains(seen), "{seen:?} in {coloured:?}");
        }
        let (plain, _) = session(&arguments, typed);
        assert_eq!(without_escapes(&coloured), plain);
        assert!(!plain.contains('\x1b'), "{plain:?}");
        let unwanted = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];
        assert_eq!(session_in(&arguments, &unwanted, typed).0, plain);
    }
}

// Practice asks questions, judges the answers and reports the score.
#[test]
fn practice_asks_and_reports_the_score() {
    for (ask, answers) in [
        ("outcome", ["N", "P", "n"]),
        ("value", ["0", "1", "2"]),
        ("move", ["1 from 0", "2 from 1", "0: 0 0"]),
    ] {
        let (shown, code) = session(
            &["play", "nim", "--practice", ask, "--level", "0"],
            &[&["?", "what"][..], &answers, &["q"]].concat(),
        );
        assert_eq!(code, Some(0), "{shown}");
        assert!(shown.contains("Question 1, level 0\n"), "{shown}");
        // The first question includes the rules of the game.
        assert!(
            shown.contains("The game is played with heaps of chips"),
            "{shown}"
        );
        assert!(
            shown.contains("this is not an answer to the question; ? prints help"),
            "{shown}"
        );
        assert!(shown.ends_with(" right.\n"), "{shown}");
    }
}

// A game ends at the first Ctrl-C, since no work is in progress.
#[test]
fn the_first_ctrl_c_ends_the_game() {
    let mut child = terminal(&["play", "nim(3, 4, 5)"], &[]);
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut shown = Vec::new();
    let mut byte = [0];
    while !shown.ends_with(b"> ") && output.read(&mut byte).is_ok_and(|read| read == 1) {
        shown.push(byte[0]);
    }
    input.write_all(b"\x03").unwrap();
    input.flush().unwrap();
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
