//! The spelling of numbers and families in certificates, which `docs/proofs.md` describes. The
//! second verifier, in Python, reads by the same grammar, so both read the same claim in a file.

use std::borrow::Cow;

use grundy::{Diagnostic, Position};

/// Most bytes of a family.
const LONGEST: usize = 1 << 20;

/// Families without an argument.
const NAMED: [&str; 7] = [
    "kayles",
    "dawsons_chess",
    "dawsons_kayles",
    "treblecross",
    "officers",
    "laskers_nim",
    "grundys_game",
];

/// Words that are no names of variables, in Python or in Starlark.
const RESERVED: [&str; 36] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "load", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Returns whether a text is a natural number as certificates spell it: `0`, or digits of ASCII
/// the first of which is not `0`.
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

/// Returns a family of heaps with the variable `n` and no spaces but those after commas, if a text
/// spells a family as certificates do.
///
/// ```
/// use grundy_period::spelling::family;
/// assert_eq!(family(" subtraction( [1,3 ] , heap)").as_deref(), Some("subtraction([1, 3], n)"));
/// assert_eq!(family("subtraction([1, 0x3], n)"), None);
/// ```
#[must_use]
pub fn family(source: &str) -> Option<String> {
    if source.len() > LONGEST {
        return None;
    }
    let (name, inside) = spaced(source).strip_suffix(')')?.split_once('(')?;
    let inside = spaced(inside);
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    let (argument, variable) = match inside.rsplit_once(',') {
        Some((argument, variable)) => (Some(spaced(argument)), spaced(variable)),
        None => (None, spaced(inside)),
    };
    if !is_variable(variable) {
        return None;
    }
    match (name.trim_end_matches(' '), argument) {
        (name, None) => NAMED.contains(&name).then(|| format!("{name}(n)")),
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
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            let plain = !set.is_empty() && set.bytes().all(lower);
            plain.then(|| format!("subtraction(\"{set}\", n)"))
        }
        _ => None,
    }
}

/// Returns a family as a certificate spells it: as it is written if that is the grammar of
/// certificates, or else as the game prints it.
///
/// # Errors
/// A text that is no family of one heap.
pub fn certified(source: &str) -> Result<Cow<'_, str>, Diagnostic> {
    if family(source).is_some() {
        return Ok(source.into());
    }
    let printed = Position::from(crate::family(source)?).to_string();
    let heap = printed.rfind([' ', '(']).map_or(0, |before| before + 1);
    Ok(format!("{}n)", &printed[..heap]).into())
}

/// Cuts spaces, and no other blanks, off both ends.
fn spaced(text: &str) -> &str {
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

/// Returns what stands between quotation marks of the same kind.
fn quoted(text: &str) -> Option<&str> {
    ['"', '\'']
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark)?.strip_suffix(mark))
}

/// Returns the numbers of a list, positive and below 2^64.
fn list(text: &str) -> Option<Vec<&str>> {
    let inside = spaced(text.strip_prefix('[')?.strip_suffix(']')?);
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    let positive = |number: &&str| is_natural(number) && number.parse::<u64>().is_ok_and(|n| n > 0);
    let numbers = inside.split(',').map(spaced);
    numbers
        .map(|number| Some(number).filter(positive))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_games_print_is_the_grammar() {
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
            assert_eq!(certified(source).unwrap(), expected);
            assert_eq!(family(expected).as_deref(), Some(expected));
            assert_eq!(certified(expected).unwrap(), expected);
        }
        let spaced = " all_but ( [ 2 , 4 , ] , heap_2 , ) ";
        assert_eq!(family(spaced).as_deref(), Some("all_but([2, 4], n)"));
        assert!(crate::family(spaced).is_ok());
    }

    #[test]
    fn other_spellings_are_refused() {
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
        let long = format!("subtraction([{}], n)", "1,".repeat(LONGEST / 2));
        assert_eq!(family(&long), None);
    }
}
