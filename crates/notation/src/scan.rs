//! A look at a text before it is parsed: the parser recurses, so what would nest too deep is refused first.

use std::ops::Range;

use grundy::Kind;

use crate::Diagnostic;

/// Longest expression, in bytes.
const LENGTH: usize = 4 << 20;
/// Deepest nesting of brackets.
const DEPTH: usize = 200;
/// Most operators in one expression, since each may nest the rest.
const OPERATORS: usize = 1000;
/// Longest run of digits: 2^64 has 20.
const DIGITS: usize = 1000;

/// How demanding a text is to parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) depth: usize,
    pub(crate) operators: usize,
}

/// Refuses what is too long, too deep or not text.
pub(crate) fn scan(source: &str) -> Result<Shape, Diagnostic> {
    let refuse =
        |message: &str, span: Range<usize>| Diagnostic::new(Kind::Syntax, message).at(span);
    if source.len() > LENGTH {
        return Err(refuse("the expression is longer than 4 MiB", 0..0)
            .help("read long games from a file, or build them with the library"));
    }
    if source.trim().is_empty() {
        return Err(refuse("the expression is empty", 0..0).help("try nim(3, 4, 5)"));
    }
    if let Some(at) = source.find('\0') {
        return Err(refuse("the expression holds a NUL byte", at..at + 1));
    }
    let bytes = source.as_bytes();
    let mut shape = Shape {
        depth: 0,
        operators: 0,
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
                at += bytes[at..]
                    .iter()
                    .position(|&b| b == b'\n')
                    .unwrap_or(bytes.len() - at);
                continue;
            }
            b'(' | b'[' | b'{' => {
                open += 1;
                shape.depth = shape.depth.max(open);
            }
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'0'..=b'9' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                if at - start > DIGITS {
                    let message = "the number is larger than 2^64 - 1";
                    return Err(Diagnostic::new(Kind::Overflow, message).at(start..at));
                }
                continue;
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                let word = &source[start..at];
                if matches!(
                    word,
                    "not" | "lambda" | "if" | "else" | "and" | "or" | "in" | "for"
                ) {
                    shape.operators += 1;
                }
                if shape.operators > OPERATORS {
                    break;
                }
                continue;
            }
            b if b.is_ascii_punctuation() && b != b',' => shape.operators += 1,
            _ => {}
        }
        if shape.depth > DEPTH {
            return Err(refuse(
                "brackets are nested more than 200 deep",
                start..start + 1,
            ));
        }
        if shape.operators > OPERATORS {
            break;
        }
        at += 1;
    }
    if shape.operators > OPERATORS {
        let place = (0..=at.min(source.len() - 1))
            .rev()
            .find(|&i| source.is_char_boundary(i));
        let at = place.unwrap_or(0);
        return Err(
            refuse("the expression has more than 1000 operators", at..at + 1)
                .help("write long sums as sum_of([g, h, ...])"),
        );
    }
    Ok(shape)
}

/// The index after the string literal that opens at `at`.
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
