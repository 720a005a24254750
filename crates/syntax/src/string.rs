//! String literals.

use grundy_base::{Diagnostic, Kind, message};

use crate::ast::Span;

/// The place and the form of a string literal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal {
    /// The first byte of the content, after the quotation marks.
    content: usize,
    /// The byte after the content.
    content_end: usize,
    /// The byte after the literal.
    pub(crate) end: usize,
    /// `true` if the closing quotation marks are there.
    pub(crate) closed: bool,
    pub(crate) form: Form,
}

/// The form of a string literal, which its prefix determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// A literal in which a backslash is an ordinary character.
    Raw,
    Bytes,
    Format,
}

/// The prefixes of string literals, longer ones first.
const PREFIXES: [(&str, Form); 7] = [
    ("fr", Form::Format),
    ("br", Form::Bytes),
    ("rb", Form::Bytes),
    ("r", Form::Raw),
    ("b", Form::Bytes),
    ("f", Form::Format),
    ("", Form::Plain),
];

/// Returns the string literal that begins at byte `at`, if there is one.
pub(crate) fn literal(source: &str, at: usize) -> Option<Literal> {
    let bytes = source.as_bytes();
    let quoted = |(prefix, _): &(&str, Form)| {
        let quote = bytes.get(at + prefix.len());
        source[at..].starts_with(*prefix) && matches!(quote, Some(b'"' | b'\''))
    };
    let (prefix, form) = PREFIXES.into_iter().find(quoted)?;
    let start = at + prefix.len();
    let quote = bytes[start];
    let triple = bytes[start..].starts_with(&[quote; 3]);
    let marks = if triple { 3 } else { 1 };
    let content = start + marks;
    let mut end = content;
    let mut closed = false;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            // A quotation mark after a backslash does not close the literal, even if it is raw.
            b'\\' => end += 1,
            b'\n' if !triple => break,
            _ if byte == quote && (!triple || bytes[end..].starts_with(&[quote; 3])) => {
                closed = true;
                break;
            }
            _ => {}
        }
        end += 1;
    }
    let mut end = end.min(bytes.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    Some(Literal {
        content,
        content_end: end,
        end: if closed { end + marks } else { end },
        closed,
        form,
    })
}

/// Returns the content of a literal, with its escapes replaced.
pub(crate) fn content(source: &str, literal: &Literal) -> Result<String, Diagnostic> {
    let text = &source[literal.content..literal.content_end];
    if !text.contains(['\\', '\r']) {
        return Ok(text.to_owned());
    }
    let mut content = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = rest.find(['\\', '\r']) {
        content.push_str(&rest[..found]);
        rest = &rest[found..];
        let length = if let Some(after) = rest.strip_prefix("\r\n") {
            content.push('\n');
            rest.len() - after.len()
        } else if rest.starts_with('\r') {
            // As in other implementations, a carriage return without a line feed is dropped.
            1
        } else if literal.form == Form::Raw {
            raw_escape(rest, &mut content)
        } else {
            escape(rest, &mut content).ok_or_else(|| {
                let start = literal.content + text.len() - rest.len();
                let end = rest.chars().take(2).map(char::len_utf8).sum::<usize>();
                let message = message!("this escape is not valid");
                Diagnostic::new(Kind::Syntax, message).at(Span::new(start, start + end).range())
            })?
        };
        rest = &rest[length..];
    }
    content.push_str(rest);
    Ok(content)
}

/// Appends a backslash in a raw string, and the character after it. Returns their length.
fn raw_escape(text: &str, content: &mut String) -> usize {
    content.push('\\');
    match text[1..].chars().next() {
        Some(next) if next != '\r' => {
            content.push(next);
            1 + next.len_utf8()
        }
        _ => 1,
    }
}

/// Appends the character for the escape at the beginning of the text. Returns the length of the
/// escape, or `None` if it is not valid.
fn escape(text: &str, content: &mut String) -> Option<usize> {
    let kind = text[1..].chars().next()?;
    let simple = match kind {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\\' | '\'' | '"' => kind,
        // A line break after a backslash is not part of the string.
        '\n' => return Some(2),
        '\r' if text[2..].starts_with('\n') => return Some(3),
        '0'..='7' => {
            let digits = text[1..]
                .bytes()
                .take(3)
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            let code = u32::from_str_radix(&text[1..=digits], 8).ok()?;
            content.push(char::from_u32(code)?);
            return Some(1 + digits);
        }
        'x' => return code(text, 2, content),
        'u' => return code(text, 4, content),
        'U' => return code(text, 8, content),
        // Before any other character, a backslash is an ordinary character.
        _ => {
            content.push('\\');
            kind
        }
    };
    content.push(simple);
    Some(1 + kind.len_utf8())
}

/// Appends the character whose code has this number of hexadecimal digits.
fn code(text: &str, digits: usize, content: &mut String) -> Option<usize> {
    let code = text.get(2..2 + digits)?;
    if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    content.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
    Some(2 + digits)
}
