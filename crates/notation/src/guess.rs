//! First guesses: texts that are not in the notation but have one obvious meaning.
//!
//! A guess is made only for a text that the strict notation rejects for certain, whatever names the
//! caller has bound. If a text has two meanings, both are returned and none is chosen.

mod named;
mod play;
mod sets;
mod takes;
mod tokens;

use std::ops::Range;

use grundy_core::registry;
use grundy_syntax::{Argument, Expression as Tree, ExpressionKind as Form, parse_expression};

use crate::guess::play::of_play;
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
            ("21 sticks take 1 2 3", "subtraction([1, 2, 3], 21)"),
            ("take 1 3 4 from 21", "subtraction([1, 3, 4], 21)"),
            ("take at most half of 20", "at_most(1, 2, 20)"),
            ("20 chips, take at most half", "at_most(1, 2, 20)"),
            (
                "20 chips, take up to a third of the heap",
                "at_most(1, 3, 20)",
            ),
            (
                "heaps of 20 and 30: remove no more than half of it",
                "at_most(1, 2, 20, 30)",
            ),
            ("20个石子，每次最多取一半", "at_most(1, 2, 20)"),
            (
                "take an even number of chips from 20",
                "subtraction(\"even\", 20)",
            ),
            ("take even from 20", "subtraction(\"even\", 20)"),
            ("20个石子，每次取奇数个", "subtraction(\"odd\", 20)"),
            ("HDU 1846 23 2", "subtraction([1, 2], 23)"),
            ("hdu1846 23 2", "subtraction([1, 2], 23)"),
            ("LeetCode 292: 7", "subtraction([1, 2, 3], 7)"),
            ("Game of Stones 7", "subtraction([2, 3, 5], 7)"),
            ("POJ 1067 3 5", "wythoff(3, 5)"),
            ("Luogu P2252 3 5", "wythoff(3, 5)"),
            ("take at most 1/5 of 20", "at_most(1, 5, 20)"),
            ("20个石子,每次最多取1/5", "at_most(1, 5, 20)"),
            ("nim 3 4 5, the last player wins", "nim(3, 4, 5)"),
            ("3 4 5, whoever takes the last chip wins", "nim(3, 4, 5)"),
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
            (
                "nim 3 4 5, whoever takes the last chip loses",
                "nim(3, 4, 5)",
            ),
            (
                "nim 3 4 5; the player who takes the last one loses",
                "nim(3, 4, 5)",
            ),
            ("if you take the last stone you lose: nim 3 4", "nim(3, 4)"),
            ("反尼姆 3 4 5", "nim(3, 4, 5)"),
            ("尼姆 3 4 5，取走最后一颗石子的人输", "nim(3, 4, 5)"),
            ("尼姆 3 4 5，最后取者负", "nim(3, 4, 5)"),
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
            ("取石子 21 3", ["nim(21, 3)", "subtraction([1, 2, 3], 21)"]),
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
            "take half of 20",
            "take at most half",
            "take at most half of 20 and at most half of 30",
            "the last chip loses",
            "last year he loses, nim 3",
            "P2197 stones",
            "P2197 2 45 45",
            "HDU 1907 1",
            "HDU 2147 5 3",
            "kiki's game 5 3",
            "POJ 1704 1 2 3",
            "HDU 1848 1 4 1",
            "take 1/2 of 20",
            "take at most 1/2/3 of 20",
            "nim 3/4/5",
            "at most 1/24",
            "4 1/2",
            "最后 3 4",
            "hdu 9999999 3",
            &long,
            &"(".repeat(9_000),
            &"nim ".repeat(2_000),
        ] {
            assert_eq!(guess(text), None, "{}", &text[..text.len().min(60)]);
        }
    }
}
