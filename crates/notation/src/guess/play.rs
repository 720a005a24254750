//! Words for misère play and for normal play.

use std::ops::Range;

use super::sets::of_names;
use super::tokens::THINGS;
use super::{Guess, parsed};

/// The words for misère play and for normal play, in lower case, and whether they mean misère play.
const PLAYS: &[(&str, bool)] = &[
    ("misère play", true),
    ("misère", true),
    ("misere play", true),
    ("misere", true),
    ("normal play", false),
    ("反常规则", true),
    ("反常", true),
    // `反尼姆` is misère Nim.
    ("反", true),
    ("正常规则", false),
];

/// The words of a clause such as `whoever takes the last chip`, except `last` and the things that
/// are taken.
const LAST: &[&str] = &[
    "a", "and", "but", "he", "if", "makes", "making", "move", "moves", "one", "person", "player",
    "plays", "she", "take", "takes", "taking", "that", "the", "they", "to", "who", "whoever",
    "you",
];

/// The characters of a clause such as `取走最后一颗石子的人` before its end.
const CHINESE_LAST: &str = "谁取走拿到最后一个颗枚根粒步的人者石子火柴硬币棋子则方为判就";

/// Finds a clause that says what the last move means, such as `whoever takes the last chip loses`.
/// Returns its place, and whether the last player loses.
fn last_clause(text: &str) -> Option<(Range<usize>, bool)> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_ascii_alphabetic(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    let word = |index: usize| &text[words[index].clone()];
    for end in 0..words.len() {
        let is_misere = match word(end) {
            "lose" | "loses" => true,
            "win" | "wins" => false,
            _ => continue,
        };
        let is_known = |index: &usize| {
            // Only blanks are between the words of a clause.
            let gap = &text[words[*index].end..words[*index + 1].start];
            let known = word(*index);
            let belongs = known == "last" || LAST.contains(&known) || THINGS.contains(&known);
            belongs && gap.trim().is_empty()
        };
        let first = (0..end).rev().take_while(is_known).last()?;
        if (first..end).any(|index| word(index) == "last") {
            return Some((words[first].start..words[end].end, is_misere));
        }
    }
    let at = text.find("最后")?;
    let is_known = |letter: char| CHINESE_LAST.contains(letter);
    let before = text[..at].trim_end_matches(is_known).len();
    let rest = &text[at..];
    let end = at + rest.len() - rest.trim_start_matches(is_known).len();
    let is_misere = match text[end..].chars().next()? {
        '输' | '负' | '败' => true,
        '胜' | '赢' => false,
        '获' | '失' => text[end..].starts_with("失败"),
        _ => return None,
    };
    let verb = if text[end..].starts_with(['获', '失']) {
        2
    } else {
        1
    };
    let end = end
        + text[end..]
            .chars()
            .take(verb)
            .map(char::len_utf8)
            .sum::<usize>();
    Some((before..end, is_misere))
}

/// Returns the meaning of a text in lower case that may name the kind of play.
pub(super) fn of_play(text: &str) -> Option<Guess> {
    let named = || {
        let (words, is_misere) = PLAYS.iter().find(|(words, _)| text.contains(words))?;
        let at = text.find(words)?;
        Some((at..at + words.len(), *is_misere))
    };
    let Some((place, is_misere)) = last_clause(text).or_else(named) else {
        return of_names(text);
    };
    let rest = format!("{} {}", &text[..place.start], &text[place.end..]);
    let rest = rest.trim_matches([' ', ',', ':', ';', '.', '\u{3002}']);
    let known = || parsed(rest).map(|_| Guess::One(rest.to_owned()));
    match of_names(rest).or_else(known)? {
        Guess::One(position) if is_misere => Some(Guess::Misere(position)),
        guess => Some(guess),
    }
}
