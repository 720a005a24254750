//! Texts that name a set of numbers to take, a fraction, or a variable.

use super::takes::of_words;
use super::tokens::{FILLERS, THINGS};
use super::{Guess, replaced};

/// The words for named sets of numbers that may be taken. Longer words come before their parts.
const SETS: &[(&str, &str)] = &[
    ("square numbers", "squares"),
    ("perfect squares", "squares"),
    ("squares", "squares"),
    ("cubes", "cubes"),
    ("triangular numbers", "triangular"),
    ("prime numbers", "primes"),
    ("primes", "primes"),
    ("powers of two", "powers_of_2"),
    ("powers of 2", "powers_of_2"),
    ("fibonacci numbers", "fibonacci"),
    ("factorials", "factorials"),
    ("an odd number of", "odd"),
    ("an odd number", "odd"),
    ("odd numbers of", "odd"),
    ("odd numbers", "odd"),
    ("odd", "odd"),
    ("an even number of", "even"),
    ("an even number", "even"),
    ("even numbers of", "even"),
    ("even numbers", "even"),
    ("even", "even"),
    ("a prime number of", "primes"),
    ("a prime number", "primes"),
    ("a square number of", "squares"),
    ("a square number", "squares"),
    ("a power of two", "powers_of_2"),
    ("a power of 2", "powers_of_2"),
    ("奇数", "odd"),
    ("偶数", "even"),
    ("平方数", "squares"),
    ("立方数", "cubes"),
    ("质数", "primes"),
    ("素数", "primes"),
    ("2的幂", "powers_of_2"),
    ("斐波那契数", "fibonacci"),
];

/// A number that stands for a set while the words of a text are read. Texts with this number are
/// not guessed.
const SET: &str = "999999999999999989";

/// A number that stands for a variable while the words of a text are read.
const SIZE: &str = "999999999999999877";

/// The words for a fraction of a heap. Longer words come before their parts.
const FRACTIONS: &[(&str, [u64; 2])] = &[
    ("one half", [1, 2]),
    ("a half", [1, 2]),
    ("half", [1, 2]),
    ("two thirds", [2, 3]),
    ("one third", [1, 3]),
    ("a third", [1, 3]),
    ("three quarters", [3, 4]),
    ("one quarter", [1, 4]),
    ("a quarter", [1, 4]),
    ("一半", [1, 2]),
    ("二分之一", [1, 2]),
    ("三分之一", [1, 3]),
    ("三分之二", [2, 3]),
    ("四分之一", [1, 4]),
];

/// The words before the largest fraction that may be taken.
const AT_MOST: &[&str] = &[
    "at most",
    "up to",
    "no more than",
    "not more than",
    "最多",
    "至多",
    "不超过",
];

/// Returns the fraction p/q at the beginning of a text, and the length of its words.
fn fraction(text: &str) -> Option<(u64, u64, usize)> {
    let worded = FRACTIONS.iter().find(|(words, _)| text.starts_with(words));
    if let Some((words, [p, q])) = worded {
        return Some((*p, *q, words.len()));
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let numerator = digits(text);
    let rest = text[numerator..].strip_prefix('/')?;
    let length = numerator + 1 + digits(rest);
    let (p, q) = text[..length].split_once('/')?;
    // `1/2/3` is no fraction.
    let ends = !text[length..].starts_with('/');
    Some((p.parse().ok()?, q.parse().ok()?, length)).filter(|(p, q, _)| ends && *p > 0 && *q > 0)
}

/// Returns the meaning of a text in lower case that names the largest fraction of a heap that may
/// be taken, such as `20 chips, take at most half`.
fn of_fraction(text: &str) -> Option<Guess> {
    let bounds = AT_MOST
        .iter()
        .filter_map(|words| Some((text.find(words)?, *words)));
    let (start, bound) = bounds.min()?;
    let after = text[start + bound.len()..].trim_start();
    // In Chinese, the verb is between the two words: `最多取一半`.
    let (verb, after) = match after.strip_prefix(['取', '拿']) {
        Some(rest) => ("take", rest.strip_prefix('走').unwrap_or(rest)),
        None => ("", after),
    };
    let (p, q, length) = fraction(after)?;
    let mut rest = after[length..].trim_start();
    // The words `of the heap` have no influence, but the words `of 20` name the heap.
    let filler = |rest: &str| {
        let word = rest
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        let is_filler = matches!(word, "it" | "them" | "what" | "left" | "remaining" | "rest");
        let known = is_filler || THINGS.contains(&word) || FILLERS.contains(&word);
        known.then_some(word.len())
    };
    let of = rest.strip_prefix("of ").map(str::trim_start);
    let of = of.filter(|rest| filler(rest).is_some());
    rest = of.unwrap_or(rest);
    while let Some(length) = filler(rest) {
        rest = rest[length..].trim_start();
    }
    let numbered = format!("{} {verb} {SET} {rest}", &text[..start]);
    let Guess::One(meaning) = of_variables(&numbered)? else {
        return None;
    };
    let heaps = meaning.strip_prefix(&format!("subtraction([{SET}], "))?;
    (!heaps.contains(SET)).then(|| Guess::One(format!("at_most({p}, {q}, {heaps}")))
}

/// Returns the meaning of a text in lower case that may name a set of numbers to take.
pub(super) fn of_names(text: &str) -> Option<Guess> {
    if text.contains(SET) || text.contains(SIZE) {
        return None;
    }
    if let Some(guess) = of_fraction(text) {
        return Some(guess);
    }
    let Some((words, set)) = SETS.iter().find(|(words, _)| text.contains(words)) else {
        return of_variables(text);
    };
    let Guess::One(meaning) = of_variables(&text.replacen(words, &format!(" {SET} "), 1))? else {
        return None;
    };
    let named = meaning.replacen(&format!("[{SET}]"), &format!("\"{set}\""), 1);
    (!named.contains(SET)).then_some(Guess::One(named))
}

/// Returns the meaning of a text in lower case that may have a variable as the size of a heap.
fn of_variables(text: &str) -> Option<Guess> {
    let (mut at, mut found) = (0, None);
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        // The letters of `Wythoff's` and `S-Nim` are no variables.
        let is_variable = matches!(word.as_bytes(), [b'b'..=b'z'])
            && !text[..at].ends_with(['\'', '-'])
            && !text[at + word.len()..].starts_with(['\'', '-']);
        if is_variable && found.replace(at..at + 1).is_some() {
            return None;
        }
        // The character that ends a word may have several bytes.
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    let Some(place) = found else {
        return of_words(text);
    };
    let variable = &text[place.clone()];
    let numbered = replaced(text, vec![(place.clone(), SIZE.to_owned())]);
    let named = |meaning: String| meaning.replace(SIZE, variable);
    Some(match of_words(&numbered)? {
        Guess::Several(readings) => Guess::Several(readings.into_iter().map(named).collect()),
        Guess::One(meaning) => Guess::One(named(meaning)),
        Guess::Misere(meaning) => Guess::Misere(named(meaning)),
    })
}
