//! The words of a text that is not in the notation.

/// A word of a text that is not in the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number, without leading zeros.
    Number(String),
    /// The signs and words between the numbers of a list: `,`, `or`, `and`. A text with `/` is not
    /// read, since it may be a fraction.
    Comma,
    /// The signs and words between the ends of a range: `-`, `to`, `..`.
    To,
    /// The verb: `take`, `remove`.
    Take,
    /// `from`, `of`.
    From,
    /// `at most`, `up to`.
    Most,
    /// A word without influence on the meaning, such as `chips`.
    Filler,
}

/// Chinese words with the English words of the same meaning. Longer words come before their parts.
const CHINESE: &[(&str, &str)] = &[
    ("拿走", " take "),
    ("取走", " take "),
    ("最多", " most "),
    ("至多", " most "),
    ("每次", " "),
    ("每人", " "),
    ("一次", " "),
    ("轮流", " "),
    ("可以", " "),
    ("石子", " "),
    ("石头", " "),
    ("火柴", " "),
    ("硬币", " "),
    ("棋子", " "),
    ("筹码", " "),
    ("或者", " or "),
    ("取", " take "),
    ("拿", " take "),
    ("从", " from "),
    ("到", " to "),
    ("至", " to "),
    ("或", " or "),
    ("和", " and "),
    ("个", " "),
    ("颗", " "),
    ("枚", " "),
    ("根", " "),
    ("粒", " "),
    ("堆", " "),
    ("中", " "),
    ("里", " "),
    ("有", " "),
    ("可", " "),
    ("的", " "),
];

/// The words for things that are taken, and for heaps of them.
pub(super) const THINGS: &[&str] = &[
    "chip",
    "chips",
    "stone",
    "stones",
    "match",
    "matches",
    "matchstick",
    "matchsticks",
    "counter",
    "counters",
    "coin",
    "coins",
    "stick",
    "sticks",
    "bean",
    "beans",
    "pebble",
    "pebbles",
    "marble",
    "marbles",
    "token",
    "tokens",
    "object",
    "objects",
    "heap",
    "heaps",
    "pile",
    "piles",
];

/// Words that do not change the meaning of a text.
pub(super) const FILLERS: &[&str] = &[
    "a", "an", "the", "each", "every", "per", "turn", "time", "player", "players", "may", "can",
    "you", "with", "in", "is", "are", "there", "away", "game", "sizes", "size",
];

/// Splits a text into tokens. Returns `None` if it has a word whose meaning is not known.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut spaced = text.to_owned();
    for (chinese, english) in CHINESE {
        spaced = spaced.replace(chinese, english);
    }
    let mut tokens = Vec::new();
    let mut rest = &spaced[..];
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let digits = rest[..length].trim_start_matches('0');
            let digits = if digits.is_empty() { "0" } else { digits };
            (Token::Number(digits.to_owned()), length)
        } else if first.is_alphabetic() {
            let length = rest.find(|letter: char| !letter.is_alphabetic());
            let length = length.unwrap_or(rest.len());
            (of_word(&rest[..length])?, length)
        } else if rest.starts_with("..") {
            (Token::To, 2 + usize::from(rest.starts_with("...")))
        } else {
            let token = match first {
                ',' => Token::Comma,
                '-' | '~' => Token::To,
                ':' | ';' | '.' => Token::Filler,
                blank if blank.is_whitespace() => {
                    rest = &rest[blank.len_utf8()..];
                    continue;
                }
                _ => return None,
            };
            (token, first.len_utf8())
        };
        tokens.push(token);
        rest = &rest[length..];
    }
    Some(tokens)
}

/// Returns the token of a word.
fn of_word(word: &str) -> Option<Token> {
    Some(match word {
        "or" | "and" => Token::Comma,
        "to" | "through" => Token::To,
        "take" | "takes" | "taking" | "remove" | "removes" | "removing" => Token::Take,
        "from" | "of" => Token::From,
        "most" | "max" | "maximum" => Token::Most,
        // `up to 3` and `at most 3`: the next word decides.
        "up" | "at" => Token::Filler,
        _ if THINGS.contains(&word) || FILLERS.contains(&word) => Token::Filler,
        _ => return None,
    })
}
