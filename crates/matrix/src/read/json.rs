//! The JSON format: an array of arrays of numbers or strings. Numbers are exact, so 0.1 is one
//! tenth.

use grundy_base::{Diagnostic, Kind, Message, message};

use super::MatrixBuilder;

// A general JSON parser would round numbers to `f64` and lose the positions for errors. This format
// needs only arrays, numbers and plain strings.
pub(super) fn read(
    text: &str,
    start: usize,
    builder: &mut MatrixBuilder,
) -> Result<(), Diagnostic> {
    let mut scan = Scan { text, at: start };
    scan.expect(b'[', &message!("`[`"))?;
    if scan.accept(b']') {
        return scan.end();
    }
    loop {
        let begin = scan.at;
        scan.expect(b'[', &message!("a row, starting with `[`"))?;
        if !scan.accept(b']') {
            loop {
                entry(&mut scan, builder)?;
                if !scan.accept(b',') {
                    break;
                }
            }
            scan.expect(b']', &message!("`,` or `]`"))?;
        }
        builder.end_row(begin..scan.at)?;
        if !scan.accept(b',') {
            break;
        }
    }
    scan.expect(b']', &message!("`,` or `]`"))?;
    scan.end()
}

fn entry(scan: &mut Scan<'_>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    scan.space();
    let start = scan.at;
    let rest = &scan.text[start..];
    let length = if let Some(string) = rest.strip_prefix('"') {
        match string.find(['"', '\\', '\n']) {
            Some(length) if string.as_bytes()[length] == b'"' => length + 2,
            _ => {
                return Err(Diagnostic::new(
                    Kind::Syntax,
                    message!("unterminated string, or a string with an escape"),
                )
                .at(start..start + 1));
            }
        }
    } else {
        rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '[' | '{' | '}' | '"'))
            .unwrap_or(rest.len())
    };
    if length == 0 {
        return Err(scan.expected(&message!("a number or a string")));
    }
    let written = &rest[..length];
    scan.at += length;
    builder.push_text(written.trim_matches('"').trim(), start..start + length)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn accept(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &Message) -> Result<(), Diagnostic> {
        if self.accept(byte) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        self.space();
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.expected(&message!("the end of the input")))
    }

    fn expected(&self, what: &Message) -> Diagnostic {
        // The span ends at the boundary of a character.
        let width = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        let message = if width == 0 {
            message!("unexpected end of input: expected {what}", what)
        } else {
            message!("expected {what}", what)
        };
        Diagnostic::new(Kind::Syntax, message)
            .at(self.at..self.at + width)
            .help(message!(
                "write a matrix in JSON as an array of arrays: [[1, 0], [0, \"1/2\"]]"
            ))
    }
}
