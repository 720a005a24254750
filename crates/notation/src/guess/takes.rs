//! Texts that say how many chips may be taken, such as `21 chips, take 1-3`.

use super::named::{grouped_digits, named_numbers};
use super::tokens::{Token, tokens};
use super::{Guess, MAX_TAKE, subtraction, worded_subtraction};

/// A list of numbers in a text, such as `1, 3 or 4`, `1-3` or `up to 3`.
#[derive(Clone, Debug)]
struct Group {
    /// The numbers in the order of the text.
    numbers: Vec<String>,
    /// `true` if the group is a range, so that it cannot be a list of heaps.
    is_range: bool,
}

/// Returns the meaning of a text of words and numbers in lower case.
pub(super) fn of_words(text: &str) -> Option<Guess> {
    if counts_heaps_or_players(text) {
        return None;
    }
    if let Some(guess) = named_numbers(text) {
        return Some(guess);
    }
    let mut words = text.split_whitespace();
    if words.any(|word| grouped_digits(word.trim_end_matches(',')).is_some()) {
        return None;
    }
    let mut tokens = tokens(text)?;
    up_to(text, &mut tokens);
    // In Chinese, the words for `at most` stand before the verb.
    for at in 1..tokens.len() {
        if tokens[at - 1..=at] == [Token::Most, Token::Take] {
            tokens.swap(at - 1, at);
        }
    }
    let takes = tokens.iter().filter(|token| **token == Token::Take).count();
    match takes {
        1 => taken(&tokens),
        _ => None,
    }
}

/// Returns whether a number in a text counts heaps or players, as in `2 heaps of 10`. Such a number
/// is no size of a heap.
fn counts_heaps_or_players(text: &str) -> bool {
    let spaced = text.replace('\u{5806}', " heap ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let counted = pair[1].trim_matches(|c: char| !c.is_alphabetic());
        let is_number = pair[0].ends_with(|c: char| c.is_ascii_digit());
        is_number
            && matches!(
                counted,
                "heap" | "heaps" | "pile" | "piles" | "player" | "players"
            )
    })
}

/// Replaces the range sign of `up to` by `Token::Most`: a range sign without a number before it.
fn up_to(text: &str, tokens: &mut [Token]) {
    let is_worded = text.contains("up to");
    for at in 0..tokens.len() {
        let after_number = at > 0 && matches!(tokens[at - 1], Token::Number(_));
        if is_worded && tokens[at] == Token::To && !after_number {
            tokens[at] = Token::Most;
        }
    }
}

/// Returns the meaning of a text with one verb, such as `21 chips, take 1-3`.
fn taken(tokens: &[Token]) -> Option<Guess> {
    let take = tokens.iter().position(|token| *token == Token::Take)?;
    let (before, after) = (&tokens[..take], &tokens[take + 1..]);
    let from = after.iter().position(|token| *token == Token::From);
    let (take, heaps) = match from {
        Some(from) => {
            if before.iter().any(|token| matches!(token, Token::Number(_))) {
                return None;
            }
            (groups(&after[..from])?, groups(&after[from + 1..])?)
        }
        None => (groups(after)?, groups(before)?),
    };
    if !heaps.is_empty() {
        let mut take = take.into_iter();
        let mut all = take.next()?;
        // The numbers of `take 1 2 3` have no signs between them.
        for group in take {
            if group.is_range || all.is_range {
                return None;
            }
            all.numbers.extend(group.numbers);
        }
        return Some(Guess::One(of_groups(&all, &heaps)?));
    }
    // Without a word between them, only the range can be the numbers to take.
    let (ranges, others): (Vec<Group>, Vec<Group>) =
        take.into_iter().partition(|group| group.is_range);
    match &ranges[..] {
        [take] if !others.is_empty() => Some(Guess::One(of_groups(take, &others)?)),
        [] => worded_subtraction(others.iter().flat_map(Group::texts).collect()),
        _ => None,
    }
}

impl Group {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(String::as_str)
    }
}

/// Returns the subtraction game with the numbers to take in one group, and the heaps in others.
fn of_groups(take: &Group, heaps: &[Group]) -> Option<String> {
    if heaps.iter().any(|group| group.is_range) {
        return None;
    }
    let takes = take.texts().map(|take| take.parse().ok());
    let mut takes: Vec<u64> = takes.collect::<Option<_>>()?;
    takes.sort_unstable();
    takes.dedup();
    Some(subtraction(takes, heaps.iter().flat_map(Group::texts)))
}

/// Returns the lists of numbers among the tokens. Returns `None` for a malformed list.
fn groups(tokens: &[Token]) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    // The last group can be continued after a comma.
    let (mut joined, mut at, mut most) = (false, 0, false);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Number(number) => {
                let mut group = Group {
                    numbers: vec![number.clone()],
                    is_range: false,
                };
                let to = match tokens.get(at..at + 2) {
                    Some([Token::To, Token::Number(to)]) => Some((number.parse().ok()?, to)),
                    _ if most => Some((1, number)),
                    _ => None,
                };
                if let Some((from, to)) = to {
                    let to: u64 = to.parse().ok()?;
                    if from == 0 || from > to || to > MAX_TAKE {
                        return None;
                    }
                    group.numbers = (from..=to).map(|number| number.to_string()).collect();
                    group.is_range = true;
                    at += if most { 0 } else { 2 };
                }
                match groups.last_mut() {
                    Some(last) if joined => {
                        last.is_range |= group.is_range;
                        last.numbers.extend(group.numbers);
                    }
                    _ => groups.push(group),
                }
                (joined, most) = (false, false);
            }
            Token::Comma => joined = !groups.is_empty(),
            Token::Most => most = true,
            Token::To | Token::Take => return None,
            Token::Filler | Token::From => {}
        }
    }
    (!most).then_some(groups)
}
