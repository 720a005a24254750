//! First guesses: texts that are not in the notation but have one obvious meaning.
//!
//! A guess is made only for a text that the strict notation rejects for certain, whatever names the
//! caller has bound. If a text has two meanings, both are returned and none is chosen.

use std::ops::Range;

use grundy_core::registry;
use grundy_syntax::{Argument, Expression as Tree, ExpressionKind as Form, parse_expression};

use crate::scan;

/// The meaning of a text that is not in the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// The only meaning, as an expression.
    One(String),
    /// All meanings, each as an expression.
    Several(Vec<String>),
    /// A position, as an expression, with words for misère play. The notation has no word for it,
    /// since misère play is an option of a question.
    Misere(String),
}

/// Length limit of a text in bytes. Longer texts are written by programs, which know the notation.
const MAX_BYTES: usize = 10_000;

/// Largest number in a range such as `1-3`, whose numbers are written out in the notation.
const MAX_TAKE: u64 = 1000;

/// Returns the meaning of `source`, if the notation rejects it and it has an obvious meaning.
pub(crate) fn guess(source: &str) -> Option<Guess> {
    if source.len() > MAX_BYTES {
        return None;
    }
    if let Some(tree) = parsed(source) {
        return of_tree(&tree, source);
    }
    let text = bare(&scan::to_ascii(source));
    if text != source
        && let Some(tree) = parsed(&text)
    {
        return of_tree(&tree, &text).or(Some(Guess::One(text)));
    }
    of_play(&text.to_lowercase())
}

/// Parses a text in the notation.
fn parsed(source: &str) -> Option<Tree> {
    let complexity = scan::scan(source, &scan::EXPRESSION).ok()?;
    let tree = complexity
        .comma
        .is_none()
        .then(|| parse_expression(source))?;
    // A text in quotation marks is no position.
    tree.ok().filter(|tree| !matches!(tree.kind, Form::Text(_)))
}

/// Returns the text without the quotation marks around it, and without signs that end a sentence.
fn bare(source: &str) -> String {
    let mut text = source.trim();
    loop {
        let shorter = text
            .trim_end_matches([';', '.', '\u{3002}', '!', '?', ','])
            .trim();
        let unquoted = ['"', '\'', '`'].into_iter().find_map(|quote| {
            let inner = shorter.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(quote)).then(|| inner.trim())
        });
        let shorter = unquoted.unwrap_or(shorter);
        if shorter.len() == text.len() {
            return scan::to_ascii(text);
        }
        text = shorter;
    }
}

/// Returns the meaning of a text with the syntax of the notation. It may have capital letters in
/// the names of games, or numbers instead of the list of a subtraction game.
fn of_tree(tree: &Tree, source: &str) -> Option<Guess> {
    if let Form::Tuple(items) | Form::List(items) = &tree.kind
        && items.len() > 1
        && items.iter().all(|item| matches!(item.kind, Form::Int(_)))
    {
        let numbers = items.iter().map(|item| &source[item.span.range()]);
        return Some(Guess::One(called("nim", numbers)));
    }
    let mut names: Vec<(Range<usize>, String)> = Vec::new();
    let mut ambiguous = Vec::new();
    // The stack is explicit, since operators may be nested up to the limit of `scan`.
    let mut pending = vec![tree];
    while let Some(expression) = pending.pop() {
        match &expression.kind {
            Form::Binary(both, _) => pending.extend([&both.0, &both.1]),
            Form::Unary(_, inner) => pending.push(inner),
            Form::List(items) | Form::Tuple(items) => pending.extend(items),
            Form::Call(function, arguments) => {
                pending.extend(arguments.iter().map(|argument| &argument.value));
                let Form::Name(name) = &function.kind else {
                    continue;
                };
                let lower = name.to_ascii_lowercase();
                if *name != lower && is_constructor(&lower) {
                    names.push((function.span.range(), lower.clone()));
                }
                if lower == "subtraction"
                    && let Some(readings) = subtractions(arguments, source)
                {
                    ambiguous.push((expression.span.range(), readings));
                }
            }
            _ => {}
        }
    }
    match &mut ambiguous[..] {
        [] if names.is_empty() => None,
        [] => Some(Guess::One(replaced(source, names))),
        [(span, readings)] => {
            names.retain(|(name, _)| name.start < span.start || name.start >= span.end);
            let reading = |reading: String| {
                let mut parts = names.clone();
                parts.push((span.clone(), reading));
                replaced(source, parts)
            };
            Some(one_or_several(readings.drain(..).map(reading).collect()))
        }
        // Every combination would be a reading. The error of the notation is clearer.
        _ => None,
    }
}

/// Returns whether the notation has a function with this name.
fn is_constructor(name: &str) -> bool {
    matches!(name, "sum_of" | "board" | "game") || registry::usage(name).is_some()
}

/// Returns the text with parts replaced. The parts do not overlap.
fn replaced(source: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(span, _)| span.start);
    let (mut text, mut at) = (String::new(), 0);
    for (span, part) in parts {
        text.push_str(&source[at..span.start]);
        text.push_str(&part);
        at = span.end;
    }
    text.push_str(&source[at..]);
    text
}

fn one_or_several(mut readings: Vec<String>) -> Guess {
    if readings.len() == 1 {
        Guess::One(readings.remove(0))
    } else {
        Guess::Several(readings)
    }
}

/// Returns the readings of the call `subtraction(arguments)` without a list. The last argument may
/// be a variable.
fn subtractions(arguments: &[Argument], source: &str) -> Option<Vec<String>> {
    let (last, takes) = arguments.split_last()?;
    let usual = arguments.iter().all(|argument| argument.name.is_none())
        && matches!(last.value.kind, Form::Int(_) | Form::Name(_))
        && takes
            .iter()
            .all(|take| matches!(take.value.kind, Form::Int(_)));
    let texts = arguments
        .iter()
        .map(|argument| &source[argument.value.span.range()]);
    usual.then(|| subtraction_readings(&texts.collect::<Vec<_>>()))?
}

/// Returns the readings of numbers of which the first is certainly a number to take, and the last
/// the size of a heap.
fn subtraction_readings(numbers: &[&str]) -> Option<Vec<String>> {
    let (heap, takes) = numbers.split_last()?;
    let values: Vec<u64> = takes
        .iter()
        .map(|take| take.parse().ok())
        .collect::<Option<_>>()?;
    if values.contains(&0) {
        return None;
    }
    let all = format!("subtraction([{}], {heap})", takes.join(", "));
    Some(match &values[..] {
        [1] => vec![all],
        [most] if *most <= MAX_TAKE => vec![all, subtraction(1..=*most, [*heap])],
        [] | [_] => return None,
        _ => {
            let heaps = numbers[1..].join(", ");
            vec![all, format!("subtraction([{}], {heaps})", takes[0])]
        }
    })
}

/// Returns the meaning of the name of a subtraction game with numbers. `take away 21 3` names the
/// larger of two numbers first, and the notation names it last.
fn worded_subtraction(mut numbers: Vec<&str>) -> Option<Guess> {
    if let [first, second] = &mut numbers[..]
        && first.parse::<u64>().ok()? > second.parse::<u64>().ok()?
    {
        std::mem::swap(first, second);
    }
    subtraction_readings(&numbers).map(one_or_several)
}

/// Returns the call of `subtraction` for the numbers to take and the heaps.
fn subtraction<'a>(
    takes: impl IntoIterator<Item = u64>,
    heaps: impl IntoIterator<Item = &'a str>,
) -> String {
    let takes: Vec<String> = takes.into_iter().map(|take| take.to_string()).collect();
    let heaps: Vec<&str> = heaps.into_iter().collect();
    format!("subtraction([{}], {})", takes.join(", "), heaps.join(", "))
}

/// Returns the call of the constructor `name` with numbers as arguments.
fn called<'a>(name: &str, numbers: impl IntoIterator<Item = &'a str>) -> String {
    let numbers: Vec<&str> = numbers.into_iter().collect();
    format!("{name}({})", numbers.join(", "))
}

/// A word of a text that is not in the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A number, without leading zeros.
    Number(String),
    /// The signs and words between the numbers of a list: `,`, `or`, `and`.
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
const THINGS: &[&str] = &[
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
const FILLERS: &[&str] = &[
    "a", "an", "the", "each", "every", "per", "turn", "time", "player", "players", "may", "can",
    "you", "with", "in", "is", "are", "there", "away", "game", "sizes", "size",
];

/// Splits a text into tokens. Returns `None` if it has a word whose meaning is not known.
fn tokens(text: &str) -> Option<Vec<Token>> {
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
                ',' | '/' => Token::Comma,
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

/// A list of numbers in a text, such as `1, 3 or 4`, `1-3` or `up to 3`.
#[derive(Clone, Debug)]
struct Group {
    /// The numbers in the order of the text.
    numbers: Vec<String>,
    /// `true` if the group is a range, so that it cannot be a list of heaps.
    is_range: bool,
}

/// The words for misère play and for normal play, in lower case, and whether they mean misère play.
const PLAYS: &[(&str, bool)] = &[
    ("misère play", true),
    ("misère", true),
    ("misere play", true),
    ("misere", true),
    ("the last player loses", true),
    ("last player loses", true),
    ("last one loses", true),
    ("last to move loses", true),
    ("last loses", true),
    ("normal play", false),
    ("the last player wins", false),
    ("last player wins", false),
    ("last to move wins", false),
    ("last wins", false),
    ("反常规则", true),
    ("正常规则", false),
];

/// Returns the meaning of a text in lower case that may name the kind of play.
fn of_play(text: &str) -> Option<Guess> {
    let Some((words, is_misere)) = PLAYS.iter().find(|(words, _)| text.contains(words)) else {
        return of_names(text);
    };
    let rest = text.replacen(words, " ", 1);
    let rest = rest.trim_matches([' ', ',', ':', ';', '.']);
    let known = || parsed(rest).map(|_| Guess::One(rest.to_owned()));
    match of_names(rest).or_else(known)? {
        Guess::One(position) if *is_misere => Some(Guess::Misere(position)),
        guess => Some(guess),
    }
}

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
    ("odd numbers", "odd"),
    ("even numbers", "even"),
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

/// Returns the meaning of a text in lower case that may name a set of numbers to take.
fn of_names(text: &str) -> Option<Guess> {
    if text.contains(SET) || text.contains(SIZE) {
        return None;
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

/// Returns the meaning of a text of words and numbers in lower case.
fn of_words(text: &str) -> Option<Guess> {
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
        let [take] = &take[..] else {
            return None;
        };
        return Some(Guess::One(of_groups(take, &heaps)?));
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

/// Returns the meaning of numbers after the name of a game, or without a name: Nim.
fn named_numbers(text: &str) -> Option<Guess> {
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
    let before = before.trim_end_matches(':').trim();
    let tokens = tokens(numbers)?;
    let mut listed = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Number(number) => listed.push(&number[..]),
            Token::Comma if at > 0 && tokens[at - 1] != Token::Comma => {}
            _ => return None,
        }
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
    match named(before)? {
        "subtraction" => {
            // `bash 21 3` names the heap first.
            let is_bash = ["bash", "brave", "巴什"]
                .iter()
                .any(|name| before.starts_with(name));
            match &listed[..] {
                [heap, most] if is_bash => {
                    let (heap_size, most): (u64, u64) = (heap.parse().ok()?, most.parse().ok()?);
                    (0 < most && most <= MAX_TAKE && most < heap_size)
                        .then(|| Guess::One(subtraction(1..=most, [*heap])))
                }
                _ => worded_subtraction(listed),
            }
        }
        name => Some(Guess::One(called(name, listed))),
    }
}

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
fn grouped_digits(text: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::{Guess, guess};
    use crate::Expression;

    #[test]
    fn counts_of_heaps_and_players_are_no_heaps() {
        for text in [
            "1 heap of 21 chips, take 1-3",
            "21 stones, 2 players, take 1-3",
            "take 1, 2 or 3 from 2 heaps of 10",
            "2堆石子，取1到3",
            "take 3 from 1,000",
            "3堆石子 1 2 3",
            "take at most 3 from 2 piles of 7",
        ] {
            assert_eq!(guess(text), None, "{text}");
        }
    }

    #[test]
    fn obvious_meanings_are_guessed() {
        for (text, meaning) in [
            ("nim 13 12 8", "nim(13, 12, 8)"),
            ("nim 13,12,8", "nim(13, 12, 8)"),
            ("Nim(13,12,8)", "nim(13,12,8)"),
            ("NIM (13, 12, 8)", "nim (13, 12, 8)"),
            ("nim: 13, 12 and 8", "nim(13, 12, 8)"),
            ("nim with heaps 3, 4, 5", "nim(3, 4, 5)"),
            ("Nim heaps 3 4 5.", "nim(3, 4, 5)"),
            ("nim (3 4 5)", "nim(3, 4, 5)"),
            ("kayles 7", "kayles(7)"),
            ("Kayles(7) + NIM(2)", "kayles(7) + nim(2)"),
            ("SUM_OF([Nim(3), kayles(2)])", "sum_of([nim(3), kayles(2)])"),
            ("13,12,8", "nim(13, 12, 8)"),
            ("13 12 8", "nim(13, 12, 8)"),
            ("3 4 5", "nim(3, 4, 5)"),
            ("(3, 4, 5)", "nim(3, 4, 5)"),
            ("\u{ff11}\u{ff12}\u{ff0c}8", "nim(12, 8)"),
            ("heaps 3 4 5", "nim(3, 4, 5)"),
            ("Piles: 3, 4, 5", "nim(3, 4, 5)"),
            ("nim\u{ff08}13\u{ff0c}12\u{ff0c}8\u{ff09}", "nim(13,12,8)"),
            ("nim(3, 4)\u{3002}", "nim(3, 4)"),
            (" \"nim(3, 4)\" ", "nim(3, 4)"),
            ("\u{201c}nim(3, 4)\u{201d};", "nim(3, 4)"),
            ("'nim 3 4'", "nim(3, 4)"),
            ("21 chips, take 1-3", "subtraction([1, 2, 3], 21)"),
            (
                "21 Chips: take 1 to 3 each turn.",
                "subtraction([1, 2, 3], 21)",
            ),
            ("take 1-3 from 21", "subtraction([1, 2, 3], 21)"),
            ("take 1, 2 or 3 from 21 chips", "subtraction([1, 2, 3], 21)"),
            ("take up to 3 from 21", "subtraction([1, 2, 3], 21)"),
            ("21 stones, remove at most 3", "subtraction([1, 2, 3], 21)"),
            ("21 stones, take 1, 3 or 4", "subtraction([1, 3, 4], 21)"),
            (
                "take 4, 1 or 3 from 21, 22",
                "subtraction([1, 3, 4], 21, 22)",
            ),
            ("take away 21 1-3", "subtraction([1, 2, 3], 21)"),
            ("[3, 4]", "nim(3, 4)"),
            ("bash game 21 3", "subtraction([1, 2, 3], 21)"),
            ("brave game 21 3", "subtraction([1, 2, 3], 21)"),
            ("巴什博弈 21 3", "subtraction([1, 2, 3], 21)"),
            (
                "21 个石子\u{ff0c}每次取 1-3 个",
                "subtraction([1, 2, 3], 21)",
            ),
            (
                "21颗石子\u{ff0c}每次最多取3颗",
                "subtraction([1, 2, 3], 21)",
            ),
            ("从21个石子中取1到3个", "subtraction([1, 2, 3], 21)"),
            ("尼姆 3 4 5", "nim(3, 4, 5)"),
            ("威佐夫博弈 3 5", "wythoff(3, 5)"),
            ("Wythoff's game 3 5", "wythoff(3, 5)"),
            ("subtraction(1, 21)", "subtraction([1], 21)"),
        ] {
            let strict = Expression::parse(text).and_then(|read| read.position(&[]));
            assert!(strict.is_err(), "{text}");
            assert_eq!(guess(text), Some(Guess::One(meaning.to_owned())), "{text}");
            assert!(
                Expression::parse(meaning)
                    .and_then(|read| read.position(&[]))
                    .is_ok(),
                "{meaning}"
            );
        }
    }

    #[test]
    fn sets_and_variables_are_named() {
        for (text, meaning) in [
            ("take squares from 20", "subtraction(\"squares\", 20)"),
            (
                "20 chips, take powers of 2",
                "subtraction(\"powers_of_2\", 20)",
            ),
            ("20个石子，每次取素数个", "subtraction(\"primes\", 20)"),
            ("take squares from n", "subtraction(\"squares\", n)"),
            ("take 1-3 from n", "subtraction([1, 2, 3], n)"),
            ("n chips, take 1-3", "subtraction([1, 2, 3], n)"),
            ("kayles n", "kayles(n)"),
            ("nim 3 n", "nim(3, n)"),
            ("nim 3 4, normal play", "nim(3, 4)"),
            ("rabbit and grass 3 5", "nimble(3, 5)"),
        ] {
            assert_eq!(guess(text), Some(Guess::One(meaning.to_owned())), "{text}");
            let read = Expression::parse(meaning).and_then(|read| read.position(&[("n", 9)]));
            assert!(read.is_ok(), "{meaning}");
        }
    }

    #[test]
    fn words_for_misere_play_lead_to_the_option() {
        for (text, position) in [
            ("misere nim 3 4 5", "nim(3, 4, 5)"),
            ("misère nim(3, 4)", "nim(3, 4)"),
            ("last player loses nim 3 4 5", "nim(3, 4, 5)"),
            (
                "21 chips, take 1-3, last loses",
                "subtraction([1, 2, 3], 21)",
            ),
        ] {
            assert_eq!(
                guess(text),
                Some(Guess::Misere(position.to_owned())),
                "{text}"
            );
            let error = Expression::parse_or_guess(text).unwrap_err();
            assert!(error.help.unwrap().to_string().contains(position), "{text}");
        }
    }

    #[test]
    fn two_readings_are_both_returned() {
        for (text, readings) in [
            (
                "subtraction(1, 2, 3, 21)",
                ["subtraction([1, 2, 3], 21)", "subtraction([1], 2, 3, 21)"],
            ),
            (
                "nim(2) + Subtraction(1, 2, 3, 21)",
                [
                    "nim(2) + subtraction([1, 2, 3], 21)",
                    "nim(2) + subtraction([1], 2, 3, 21)",
                ],
            ),
            (
                "subtraction 3 21",
                ["subtraction([3], 21)", "subtraction([1, 2, 3], 21)"],
            ),
            (
                "take away 21 3",
                ["subtraction([3], 21)", "subtraction([1, 2, 3], 21)"],
            ),
            (
                "subtraction(2, n)",
                ["subtraction([2], n)", "subtraction([1, 2], n)"],
            ),
            ("1,000,000", ["nim(1, 0, 0)", "nim(1000000)"]),
        ] {
            let readings = readings.map(str::to_owned).to_vec();
            assert_eq!(guess(text), Some(Guess::Several(readings)), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_guessed() {
        let long = "1, ".repeat(1_000_000);
        for text in [
            "nim(3, 4, 5)",
            "nim(3, -1)",
            "nim(n, 3)",
            "heap(3)",
            "poker(3)",
            "3",
            "3 + 4",
            "1/2",
            "[3, n]",
            "[3]",
            "",
            "  ",
            "nim",
            "hello world",
            "nim(3) kayles(7)",
            "nim(3)\nkayles(7)",
            "nim(3",
            "nim n m",
            "take squares from 20, take cubes",
            "take 1-n from 20",
            "take 3-1 from 21",
            "take 0-3 from 21",
            "take 1-1001 from 5000",
            "take 1-3",
            "take from 21",
            "21 chips",
            "take 1-3 take 2 from 5",
            "chess 3 4",
            "1-3",
            "subtraction(0, 5)",
            "subtraction(3)",
            "subtraction([1, 2], 5)",
            "subtraction(1, 2, 3, 21) + subtraction(1, 2, 3)",
            "bash 3 21",
            "squares.star",
            &long,
            &"(".repeat(9_000),
            &"nim ".repeat(2_000),
        ] {
            assert_eq!(guess(text), None, "{}", &text[..text.len().min(60)]);
        }
    }
}
