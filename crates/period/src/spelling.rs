//! The spelling of numbers and families in certificates, as described in `docs/proofs.md`. The
//! second verifier, which is written in Python, uses the same grammar. So both verifiers read the
//! same claim.

use std::borrow::Cow;
use std::sync::Arc;

use grundy_core::heap::HeapRules;
use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Kind, Position, message};

/// Length limit of a family in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The names of families that have only a heap as their argument.
const NAMED_FAMILIES: [&str; 7] = [
    "kayles",
    "dawsons_chess",
    "dawsons_kayles",
    "treblecross",
    "officers",
    "laskers_nim",
    "grundys_game",
];

/// The reserved words of Python and Starlark, which cannot be names of variables.
const RESERVED: [&str; 36] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "load", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Returns whether a text is a natural number in the spelling of certificates. That is `0`, or
/// ASCII digits that do not start with `0`.
///
/// ```
/// use grundy_period::spelling::is_natural;
/// assert!(is_natural("0") && is_natural("120"));
/// assert!(!["", "+1", "-0", "01", "1_0", "0x8", " 1", "\u{661}"].into_iter().any(is_natural));
/// ```
#[must_use]
pub fn is_natural(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}

/// Returns a family in canonical spelling: the variable is `n`, and each comma is followed by one
/// space. Returns `None` if the text does not follow the grammar of certificates.
///
/// ```
/// use grundy_period::spelling::family;
/// assert_eq!(family(" subtraction( [1,3 ] , heap)").as_deref(), Some("subtraction([1, 3], n)"));
/// assert_eq!(family("subtraction([1, 0x3], n)"), None);
/// ```
#[must_use]
pub fn family(source: &str) -> Option<String> {
    if source.len() > MAX_BYTES {
        return None;
    }
    // The parser of the notation is not used, since it accepts much more, such as comments and
    // other forms of numbers.
    let (name, inside) = trim_spaces(source).strip_suffix(')')?.split_once('(')?;
    let inside = trim_spaces(inside);
    // Python permits a trailing comma in a call.
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    let (argument, variable) = match inside.rsplit_once(',') {
        Some((argument, variable)) => (Some(trim_spaces(argument)), trim_spaces(variable)),
        None => (None, trim_spaces(inside)),
    };
    if !is_variable(variable) {
        return None;
    }
    match (name.trim_end_matches(' '), argument) {
        (name, None) => NAMED_FAMILIES.contains(&name).then(|| format!("{name}(n)")),
        ("take_and_break", Some(argument)) => {
            let code = quoted(argument)?;
            let plain = code
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() || byte == b'.');
            plain.then(|| format!("take_and_break(\"{code}\", n)"))
        }
        (name @ ("subtraction" | "all_but"), Some(argument)) if argument.starts_with('[') => {
            Some(format!("{name}([{}], n)", list(argument)?.join(", ")))
        }
        ("subtraction", Some(argument)) => {
            let set = quoted(argument)?;
            let lower =
                // A name of a set, such as `squares`. The grammar allows any name.
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            let plain = !set.is_empty() && set.bytes().all(lower);
            plain.then(|| format!("subtraction(\"{set}\", n)"))
        }
        _ => None,
    }
}

/// Returns a family in the spelling of certificates. A text that follows the grammar is returned
/// unchanged. For any other text, the family is parsed and printed.
///
/// # Errors
/// A text that is not a family with one heap, or a code that certificates do not support.
///
/// # Examples
/// ```
/// use grundy_period::spelling::certificate_spelling;
/// assert_eq!(certificate_spelling("kayles(heap)")?, "kayles(heap)");
/// assert_eq!(certificate_spelling("subtraction((2, 1), n)")?, "subtraction([1, 2], n)");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn certificate_spelling(source: &str) -> Result<Cow<'_, str>, Diagnostic> {
    if family(source).is_some() {
        return Ok(source.into());
    }
    let term = crate::family(source)?;
    let text = if term.name() == "take_and_break"
        && let Some((HeapRules::TakeAndBreak(code), _)) = term.heap_rules()
    {
        let code = code.hexadecimal();
        code.map(|code| format!("take_and_break(\"{code}\", n)"))
    } else {
        Some(printed_family(term))
    };
    let text = text.filter(|text| family(text).is_some());
    text.map(Cow::from).ok_or_else(|| {
        Diagnostic::new(
            Kind::Type,
            message!("certificates do not support this code"),
        )
        .at(0..source.len())
        .help(message!(
            "a certificate needs a code with finitely many digits, each of them at most f"
        ))
        .with_source(source)
    })
}

/// Returns the family of a heap in its printed form, with the variable `n`.
pub(crate) fn printed_family(heap: Arc<dyn AnyTerm>) -> String {
    // The printed position has a number as its last argument, in place of the variable.
    let printed = Position::from(heap).to_string();
    let size = printed.rfind([' ', '(']).map_or(0, |before| before + 1);
    format!("{}n)", &printed[..size])
}

/// Removes spaces, but no other white space, from both ends of a text.
fn trim_spaces(text: &str) -> &str {
    text.trim_matches(' ')
}

fn is_variable(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = text
        .bytes()
        .next()
        .is_some_and(|byte| !byte.is_ascii_digit());
    begins && text.bytes().all(word) && !RESERVED.contains(&text)
}

/// Returns the text inside quotation marks. The two marks must be equal.
fn quoted(text: &str) -> Option<&str> {
    ['"', '\'']
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark)?.strip_suffix(mark))
}

/// Returns the numbers in a list. They must be positive and less than 2^64.
fn list(text: &str) -> Option<Vec<&str>> {
    let inside = trim_spaces(text.strip_prefix('[')?.strip_suffix(']')?);
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    let positive = |number: &&str| is_natural(number) && number.parse::<u64>().is_ok_and(|n| n > 0);
    let numbers = inside.split(',').map(trim_spaces);
    numbers
        .map(|number| Some(number).filter(positive))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_games_follow_the_grammar() {
        // The notation accepts these spellings, but the grammar of certificates does not.
        for (source, expected) in [
            ("kayles(n) # Kayles", "kayles(n)"),
            ("(dawsons_chess(heap))", "dawsons_chess(n)"),
            (
                "take_and_break(r\"0.137\", n)",
                "take_and_break(\"0.137\", n)",
            ),
            ("subtraction([+12, 0x3], n)", "subtraction([3, 12], n)"),
            ("subtraction((1, 2), n)", "subtraction([1, 2], n)"),
            (
                "subtraction(r\"squares\", n)",
                "subtraction(\"squares\", n)",
            ),
            ("all_but([0b11,], n)", "all_but([3], n)"),
            ("all_but((), n)", "all_but([], n)"),
        ] {
            assert_eq!(family(source), None, "{source}");
            assert_eq!(certificate_spelling(source).unwrap(), expected);
            assert_eq!(family(expected).as_deref(), Some(expected));
            assert_eq!(certificate_spelling(expected).unwrap(), expected);
        }
        let spaced = " all_but ( [ 2 , 4 , ] , heap_2 , ) ";
        assert_eq!(family(spaced).as_deref(), Some("all_but([2, 4], n)"));
        assert!(crate::family(spaced).is_ok());
    }

    #[test]
    fn other_spellings_are_refused() {
        // Each text violates the grammar in one place. Several of them are valid in the notation.
        for source in [
            "",
            "kayles",
            "kayles()",
            "kayles(3)",
            "kayles(n, n)",
            "kayles(n,,)",
            "kayles(,n)",
            "kayles(for)",
            "kayles(load)",
            "kayles(\u{f6})",
            "kayles(n)\n",
            "kayles(\tn)",
            "nim(n)",
            "laskers_nim(3, n)",
            "take_and_break(\"0.137', n)",
            "take_and_break(\"0.1g7\", n)",
            "take_and_break(\", n)",
            "subtraction([01], n)",
            "subtraction([0], n)",
            "subtraction([1_0], n)",
            "subtraction([+1], n)",
            "subtraction([1 3], n)",
            "subtraction([1,,3], n)",
            "subtraction([,], n)",
            "subtraction([1, 3,,], n)",
            "subtraction([18446744073709551616], n)",
            "subtraction([\u{661}], n)",
            "subtraction(\"\", n)",
            "all_but(\"squares\", n)",
        ] {
            assert_eq!(family(source), None, "{source}");
        }
        let long = format!("subtraction([{}], n)", "1,".repeat(MAX_BYTES / 2));
        assert_eq!(family(&long), None);
    }
}
