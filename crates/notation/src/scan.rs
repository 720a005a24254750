//! A check of a text before it is parsed. The functions that visit a syntax tree are recursive, so
//! texts that are nested too deeply are rejected.

use std::ops::Range;

use grundy_core::ascii::ascii_of;
use grundy_core::{Kind, Message, message};

use crate::Diagnostic;

/// The limits for a kind of text, and the parts of error messages that depend on the kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLimits {
    /// The name of this kind of text in messages.
    pub(crate) name: fn() -> Message,
    /// Length limit of the text in bytes.
    pub(crate) length: usize,
    /// Largest depth of nested brackets.
    pub(crate) depth: usize,
    /// Largest number of operators. It is limited because every operator may increase the depth of
    /// the syntax tree by one.
    pub(crate) operators: usize,
    /// The hint in the error for a text that exceeds a limit.
    pub(crate) hint: fn() -> Message,
    /// The example in the error for an empty text.
    pub(crate) example: &'static str,
}

/// The limits for an expression.
pub(crate) const EXPRESSION: TextLimits = TextLimits {
    name: || message!("expression"),
    length: 4 << 20,
    depth: 200,
    operators: 1000,
    hint: || {
        message!(
            "write long sums as sum_of([g, h, ...]), or build them in Rust or Python with the library `grundy`"
        )
    },
    example: "nim(3, 4, 5)",
};

/// The limits for a rule file.
pub(crate) const RULES: TextLimits = TextLimits {
    name: || message!("rule file"),
    length: 1 << 20,
    depth: 100,
    operators: 20_000,
    hint: || message!("shorten the file"),
    example: "def moves(n): return [n - 1] if n > 0 else []",
};

/// Largest number of consecutive digits. For comparison, 2^64 has 20 digits.
const MAX_DIGITS: usize = 1000;

/// The nesting depth and the number of operators of a text, which determine whether it can be
/// parsed safely. Also the index of its first comma outside of all brackets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Complexity {
    depth: usize,
    operators: usize,
    /// The index of the first comma outside of all brackets.
    pub(crate) comma: Option<usize>,
}

/// Scans a text. Returns an error if the text is empty, too long or nested too deeply, or contains
/// a NUL byte. Too many operators or a number of too many digits are errors, too.
pub(crate) fn scan(source: &str, limits: &TextLimits) -> Result<Complexity, Diagnostic> {
    let name = (limits.name)();
    let error = |message, span: Range<usize>| Diagnostic::new(Kind::Syntax, message).at(span);
    // The length is checked first, so that the time of the scan is limited.
    if source.len() > limits.length {
        let length = limits.length >> 20;
        let message = message!("the {name} is longer than {length} MiB", name, length);
        return Err(error(message, 0..0).help((limits.hint)()));
    }
    if source.trim().is_empty() {
        return Err(error(message!("the {name} is empty", name), 0..0)
            .help(message!("try {example}", example = limits.example)));
    }
    if let Some(at) = source.find('\0') {
        let message = message!("the {name} contains a NUL byte", name);
        return Err(error(message, at..at + 1));
    }
    let bytes = source.as_bytes();
    let mut complexity = Complexity {
        depth: 0,
        operators: 0,
        comma: None,
    };
    let (mut open, mut at) = (0usize, 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' | b'\'' => {
                at = after_string(bytes, at);
                continue;
            }
            b'#' => {
                // Brackets and operators in comments are not counted.
                at += bytes[at..]
                    .iter()
                    .position(|&b| b == b'\n')
                    .unwrap_or(bytes.len() - at);
                continue;
            }
            b'(' | b'[' | b'{' => {
                open += 1;
                complexity.depth = complexity.depth.max(open);
            }
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'0'..=b'9' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                // A long number is rejected here, since the time for parsing it is quadratic in its
                // length.
                if at - start > MAX_DIGITS {
                    let message = message!("the number is larger than 2^64 - 1");
                    return Err(Diagnostic::new(Kind::Overflow, message).at(start..at));
                }
                continue;
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                // Some keywords are nested like operators, as in `not not x` or `lambda: lambda:
                // x`.
                let word = &source[start..at];
                if matches!(
                    word,
                    "not" | "lambda" | "if" | "else" | "and" | "or" | "in" | "for"
                ) {
                    complexity.operators += 1;
                }
                if complexity.operators > limits.operators {
                    break;
                }
                continue;
            }
            b',' if open == 0 && complexity.comma.is_none() => complexity.comma = Some(at),
            // Every punctuation mark is counted as an operator. So the count may be too large,
            // which the limits take into account.
            b if b.is_ascii_punctuation() && b != b',' => complexity.operators += 1,
            _ => {}
        }
        if complexity.depth > limits.depth {
            let depth = limits.depth;
            let message = message!("brackets are nested more than {depth} deep", depth);
            return Err(error(message, start..start + 1));
        }
        if complexity.operators > limits.operators {
            break;
        }
        at += 1;
    }
    if complexity.operators > limits.operators {
        let place = (0..=at.min(source.len() - 1))
            .rev()
            .find(|&i| source.is_char_boundary(i));
        let at = place.unwrap_or(0);
        let most = limits.operators;
        let message = message!("the {name} has more than {most} operators", name, most);
        return Err(error(message, at..at + 1).help((limits.hint)()));
    }
    Ok(complexity)
}

/// Returns the text with typographic and full-width punctuation marks replaced by ASCII, except in
/// strings.
///
/// ```
/// use grundy_notation::to_ascii;
/// assert_eq!(to_ascii("nim（３）"), "nim(3)");
/// ```
#[must_use]
pub fn to_ascii(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(letter) = source[at..].chars().next() {
        let end = match letter {
            '"' | '\'' => {
                let end = after_string(source.as_bytes(), at).min(source.len());
                if source.is_char_boundary(end) {
                    end
                } else {
                    source.len()
                }
            }
            _ => at + letter.len_utf8(),
        };
        match ascii_of(letter) {
            Some(ascii) => out.push(ascii),
            None => out.push_str(&source[at..end]),
        }
        at = end;
    }
    out
}

/// Returns the index after the end of the string literal that begins at `at`.
fn after_string(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let triple = bytes[at..].starts_with(&[quote; 3]);
    let mut at = at + if triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if !triple => return at,
            b if b == quote && (!triple || bytes[at..].starts_with(&[quote; 3])) => {
                return at + if triple { 3 } else { 1 };
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
