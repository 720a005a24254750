//! The name of a game with numbers after it, such as `nim 3 4 5`.

use grundy_core::registry;

use super::tokens::{FILLERS, THINGS, Token, tokens};
use super::{Guess, MAX_TAKE, called, subtraction, worded_subtraction};

/// Returns the meaning of numbers after the name of a game, or without a name: Nim.
pub(super) fn named_numbers(text: &str) -> Option<Guess> {
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let (before, numbers) = text.split_at(first);
    let (mut before, mut numbers) = (before.trim_end(), numbers.trim_end());
    // One pair of brackets around the numbers is allowed.
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(name) = before.strip_suffix(open) {
            numbers = numbers.strip_suffix(close)?;
            before = name.trim_end();
        }
    }
    let mut before = before.trim_end_matches(':').trim();
    // The number of a problem, such as that of `hdu 1846`, is a part of its name.
    let digits = numbers.bytes().take_while(u8::is_ascii_digit).count();
    let problem = &text[..first + digits];
    if !before.is_empty()
        && named(before).is_none()
        && numbers.len() > digits
        && named(problem).is_some()
        && POSITIONS.contains(&&*squeezed(problem))
    {
        before = problem.trim();
        numbers = numbers[digits..].trim_start_matches([' ', ',', ':']);
    }
    let tokens = tokens(numbers)?;
    let mut listed = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Number(number) => listed.push(&number[..]),
            Token::Comma if at > 0 && tokens[at - 1] != Token::Comma => {}
            _ => return None,
        }
    }
    if listed.is_empty() {
        return None;
    }
    if before.is_empty() || matches!(before, "heap" | "heaps" | "pile" | "piles" | "堆") {
        // A single number names no game.
        return match grouped_digits(numbers) {
            Some(number) => Some(Guess::Several(vec![
                called("nim", listed),
                called("nim", [&number[..]]),
            ])),
            None => (listed.len() > 1).then(|| Guess::One(called("nim", listed))),
        };
    }
    let squeezed = squeezed(before);
    if OTHER_INPUTS.contains(&&squeezed[..]) {
        return None;
    }
    match named(before)? {
        "subtraction" => {
            // `bash 21 3` names the heap first.
            let is_bash = BASH.iter().any(|name| squeezed.starts_with(name));
            let fixed = FIXED.iter().find(|(name, _)| squeezed == *name);
            if let Some((_, takes)) = fixed {
                let takes = takes.iter().copied();
                return (!listed.is_empty()).then(|| Guess::One(subtraction(takes, listed)));
            }
            match &listed[..] {
                [heap, most] if is_bash => {
                    let (heap_size, most): (u64, u64) = (heap.parse().ok()?, most.parse().ok()?);
                    (0 < most && most <= MAX_TAKE && most < heap_size)
                        .then(|| Guess::One(subtraction(1..=most, [*heap])))
                }
                _ => worded_subtraction(listed),
            }
        }
        // The first two numbers are the fraction.
        "at_most" if listed.len() < 3 => None,
        // A problem about taking stones may be Nim or a subtraction game.
        "nim" if squeezed.starts_with('取') && listed.len() == 2 => {
            let bounded = match worded_subtraction(listed.clone())? {
                Guess::Several(mut readings) => readings.pop()?,
                _ => return Some(Guess::One(called("nim", listed))),
            };
            Some(Guess::Several(vec![called("nim", listed), bounded]))
        }
        name => Some(Guess::One(called(name, listed))),
    }
}

/// Returns the letters and digits of a text.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The numbers of problems whose input is the position. In most other problems, the input begins
/// with the number of heaps, or the board is described in another way.
const POSITIONS: &[&str] = &[
    "cses2207",
    "hdu1525",
    "hdu1527",
    "hdu1846",
    "hdu2149",
    "hdu2188",
    "hdu2516",
    "leetcode292",
    "luogup1290",
    "luogup2252",
    "p1290",
    "p2252",
    "poj1067",
    "poj2348",
];

/// The titles of problems whose input is not the position of the game, or not all of it.
const OTHER_INPUTS: &[&str] = &["crossesandcrosses", "fibonacciagainandagain", "kikisgame"];

/// The names of the subtraction game in which 1 to m chips may be taken, and of problems whose
/// input is the heap n and then m.
const BASH: &[&str] = &["bash", "brave", "巴什", "hdu1846", "hdu2149", "hdu2188"];

/// The names of problems about subtraction games with fixed numbers to take. Their input is the
/// heap.
const FIXED: &[(&str, &[u64])] = &[("gameofstones", &[2, 3, 5]), ("leetcode292", &[1, 2, 3])];

/// Returns the constructor with this name or other name. The words of a name are separated by
/// blanks. Words such as `heaps` may follow.
fn named(words: &str) -> Option<&'static str> {
    let exact = |name: &str| {
        let known = registry::CONSTRUCTORS.iter().find(|game| game.name == name);
        known
            .map(|game| game.name)
            .or_else(|| registry::constructor_of_alias(name))
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    let of = |count: usize| exact(&words[..count].join("_").replace(['-', '\''], ""));
    let is_filler = |word: &&str| {
        let word = word.trim_end_matches([',', ':']);
        matches!(word, "of" | "with") || THINGS.contains(&word) || FILLERS.contains(&word)
    };
    let fillers = words
        .iter()
        .skip(1)
        .rev()
        .take_while(|word| is_filler(word))
        .count();
    (words.len() - fillers..=words.len()).rev().find_map(of)
}

/// Returns the digits of a number such as `1,000,000`, whose groups of three look like heaps. Only
/// a group that begins with 0 shows that a number may be meant.
pub(super) fn grouped_digits(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let later: Vec<&str> = groups.collect();
    let is_group = |group: &&str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let is_number = (1..=3).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_digit())
        && later.iter().all(is_group)
        && later.iter().any(|group| group.starts_with('0'));
    is_number.then(|| [&[first], &later[..]].concat().concat())
}
