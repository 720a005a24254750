//! The help as plain text, wrapped into lines for a terminal.

use std::fmt::Write as _;

use grundy_core::Play;
use grundy_core::message::Command;
use grundy_core::step::Step;

use grundy_core::registry::CONSTRUCTORS;

use super::{GameHelp, Group, PAGES};
use crate::{Language, words};

/// Largest width of a line, in columns of a terminal.
const MAX_COLUMNS: usize = 100;

/// Returns the shell command that solves a position. The position is in quotation marks.
///
/// ```
/// use grundy_wording::help::command;
/// assert_eq!(command("nim(3)"), "grundy solve \"nim(3)\"");
/// assert_eq!(command("cram([\"..\"])"), "grundy solve 'cram([\"..\"])'");
/// ```
#[must_use]
pub fn command(position: &str) -> String {
    Command::new("solve")
        .argument("game", position)
        .command_line_form()
}

/// Returns the page of the help about a game. The argument `answer` is the answer to the example of
/// the game, in one line.
///
/// ```
/// use grundy_wording::{Language, help};
/// let nim = help::game("nim", Language::En).unwrap();
/// let sheet = help::game_page(&nim, None, Language::En);
/// assert!(sheet.starts_with("nim(n, ...)\n"));
/// ```
#[must_use]
pub fn game_page(game: &GameHelp, answer: Option<&str>, language: Language) -> String {
    let mut out = format!("{}\n", game.signature);
    let mut say = |text: &str, indent| {
        for line in wrapped(text, MAX_COLUMNS - indent) {
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    };
    let labelled = |code, text: &str| words(&Step::new(code).with("text", text), language);
    say(game.summary, 2);
    say("", 0);
    say(game.rules, 2);
    say("", 0);
    if !game.names.is_empty() {
        let between = match language {
            Language::En => ", ",
            Language::Zh => "、",
        };
        say(&labelled("help_names", &game.names.join(between)), 2);
    }
    say(&labelled("help_arguments", game.arguments), 2);
    say(&labelled("help_example", &command(game.example)), 2);
    if let Some(answer) = answer {
        say(answer, 4);
    }
    for theorem in &game.theorems {
        // If the source of the theorem is also the reference of the game, it is printed only once,
        // below.
        let code = if theorem.source == game.reference {
            "help_theorem"
        } else {
            "help_theorem_of"
        };
        let step = Step::new(code)
            .with("name", theorem.name)
            .with("statement", theorem.statement)
            .with("source", theorem.source);
        say(&words(&step, language), 2);
    }
    say(&labelled("help_reference", game.reference), 2);
    out
}

/// Returns the list of all games. Each game has a line below the title of its group.
///
/// ```
/// use grundy_wording::{Language, help};
/// let list = help::list(&help::groups(Language::En), Language::En);
/// assert!(list.lines().any(|line| line.trim_start().starts_with("kayles ")));
/// ```
#[must_use]
pub fn list(groups: &[Group], language: Language) -> String {
    let names = groups.iter().flat_map(|group| &group.games);
    let width = names.map(|game| game.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for group in groups {
        let _ = writeln!(out, "{}", group.title);
        for game in &group.games {
            let _ = writeln!(out, "  {:width$}  {}", game.name, game.summary);
        }
        out.push('\n');
    }
    let more = words(&Step::new("help_more"), language);
    for line in wrapped(&more, MAX_COLUMNS) {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// Returns an overview of the help: the first screen, the pages, the given commands, and the games.
///
/// ```
/// use grundy_wording::{Language, help};
/// let overview = help::overview(&["solve", "explain"], Language::En);
/// assert!(overview.contains("solve, explain"));
/// ```
#[must_use]
pub fn overview(commands: &[&str], language: Language) -> String {
    let games: Vec<&str> = CONSTRUCTORS.iter().map(|game| game.name).collect();
    let mut out = super::page("first", language)
        .unwrap_or_default()
        .to_owned();
    for (code, names) in [
        ("help_pages", &PAGES[..]),
        ("help_commands", commands),
        ("help_games", &games),
    ] {
        let line_text = words(&Step::new(code).with("list", names.join(", ")), language);
        out.push('\n');
        for line in wrapped(&line_text, MAX_COLUMNS) {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// Returns the rules of the games, each game once, in wrapped lines. If there are several games,
/// each has its title. The texts describe normal play. For misère play, a sentence about the
/// difference is added.
///
/// ```
/// use grundy_core::Play;
/// use grundy_wording::{Language, help::rules};
/// let normal = rules(["nim"], Play::Normal, Language::En);
/// assert!(normal.ends_with("The player who takes the last chip wins."));
/// let misere = rules(["nim"], Play::Misere, Language::En);
/// assert!(misere.ends_with("the player who would win by these rules loses."));
/// ```
#[must_use]
pub fn rules<'a>(
    names: impl IntoIterator<Item = &'a str>,
    play: Play,
    language: Language,
) -> String {
    let mut games: Vec<GameHelp> = Vec::new();
    for game in names
        .into_iter()
        .filter_map(|name| super::game(name, language))
    {
        if games.iter().all(|known| known.name != game.name) {
            games.push(game);
        }
    }
    let several = games.len() > 1;
    let mut paragraphs: Vec<String> = games
        .iter()
        .map(|game| {
            let title = Step::new("rules_of").with("title", game.title);
            let title = title.with("rules", game.rules);
            paragraph(&if several {
                words(&title, language)
            } else {
                game.rules.to_owned()
            })
        })
        .collect();
    if play == Play::Misere && !paragraphs.is_empty() {
        paragraphs.push(paragraph(&words(&Step::new("rules_misere"), language)));
    }
    paragraphs.join("\n\n")
}

/// Breaks a text into lines of at most 100 columns.
///
/// ```
/// use grundy_wording::help::paragraph;
/// // A line has room for 25 words of three letters.
/// let text = paragraph(&"nim ".repeat(60));
/// let lengths: Vec<_> = text.lines().map(|line| line.trim_end().len()).collect();
/// assert_eq!(lengths, [99, 99, 39]);
/// ```
#[must_use]
pub fn paragraph(text: &str) -> String {
    wrapped(text, MAX_COLUMNS).join("\n")
}

/// Breaks a text into lines of at most `columns` columns, and returns the lines. A line ends at a
/// blank or next to a Chinese character, but not before a closing punctuation mark. A word that is
/// longer than a line is not broken.
///
/// ```
/// use grundy_wording::help::wrapped;
/// assert_eq!(wrapped("take one or two chips", 12), ["take one or", "two chips"]);
/// assert_eq!(wrapped("有若干堆棋子。取一枚", 12), ["有若干堆棋", "子。取一枚"]);
/// ```
#[must_use]
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut filled = 0;
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        word.push(letter);
        let next = letters.peek();
        // In Chinese, a line must not begin with a closing mark or end with an opening mark.
        let can_break = match next {
            None => true,
            Some(next) if is_wide(letter) || is_wide(*next) => {
                !is_closing_mark(*next) && !is_opening_mark(letter)
            }
            Some(_) => letter == ' ',
        };
        if !can_break {
            continue;
        }
        let width: usize = word.trim_end().chars().map(columns_of).sum();
        if filled > 0 && filled + width > columns {
            if let Some(line) = lines.last_mut() {
                line.truncate(line.trim_end().len());
            }
            lines.push(String::new());
            filled = 0;
        }
        filled += word.chars().map(columns_of).sum::<usize>();
        if let Some(line) = lines.last_mut() {
            line.push_str(&word);
        }
        word.clear();
    }
    lines
}

fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

fn columns_of(letter: char) -> usize {
    if is_wide(letter) { 2 } else { 1 }
}

/// Returns whether a line must not begin with this character.
fn is_closing_mark(letter: char) -> bool {
    matches!(
        letter,
        ' ' | ','
            | '.'
            | ';'
            | ':'
            | ')'
            | '”'
            | '\u{3001}'
            | '\u{3002}'
            | '\u{ff09}'
            | '\u{ff0c}'
            | '\u{ff1a}'
            | '\u{ff1b}'
    )
}

/// Returns whether a line must not end with this character.
fn is_opening_mark(letter: char) -> bool {
    matches!(letter, '(' | '“' | '\u{ff08}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_allowed() {
        assert_eq!(
            wrapped("take one or two chips", 12),
            ["take one or", "two chips"]
        );
        assert_eq!(
            wrapped("有若干堆棋子。取一枚", 12),
            ["有若干堆棋", "子。取一枚"]
        );
        assert_eq!(wrapped("", 12), [""]);
        assert_eq!(wrapped("indivisible", 3), ["indivisible"]);
    }
}
