//! Lists in brackets, as programs write them: JSON, Python and `NumPy`, MATLAB, Mathematica.
//!
//! Brackets may be `[`, `(` or `{`, and entries may be separated by commas or by white space. In a
//! list without inner brackets, `;` and the ends of lines separate the rows.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};

use super::builder::MatrixBuilder;
use super::cell::{Pair, Shape, plain};
use super::number::number;
use super::tokens::parse_ratio;
use super::total::brief;

/// Returns the place of the outer bracket of a list, after an assignment such as `A =` and
/// functions such as `array(`. Returns `None` if the text does not begin with a list.
pub(super) fn start(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let word = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
            .unwrap_or(rest.len());
        let after = rest[word..].trim_start();
        if word == 0 {
            break;
        }
        let marks = [":=", "=", "("];
        let mark = marks.into_iter().find(|mark| after.starts_with(mark))?;
        // A table may begin with a name and two payoffs: `up (1, 0)`.
        if mark == "(" && !rest[word..].starts_with('(') {
            return None;
        }
        at = text.len() - after.len() + mark.len();
    }
    let rest = &text[at..];
    let inner = rest.get(1..).unwrap_or_default().trim_start();
    let nested = inner.starts_with(['(', '[', '{']);
    match rest.chars().next()? {
        // R prints `[,1]` above the columns of a table.
        '[' => (!inner.starts_with(',')).then_some(at),
        '{' => Some(at),
        '(' => nested.then_some(at),
        _ => None,
    }
}

/// Parses a text that is one list, which begins at `start`.
pub(super) fn read(
    text: &str,
    start: usize,
    builder: &mut MatrixBuilder,
) -> Result<(), Diagnostic> {
    let mut scan = Scan { text, at: start };
    list(&mut scan, builder)?;
    // After the list come the brackets of functions, and arguments such as `dtype=int8`.
    loop {
        scan.space();
        let rest = scan.rest();
        let argument = rest.strip_prefix(',').map(str::trim_start);
        let name = argument.and_then(|argument| argument.split_once('='));
        if let Some((name, value)) = name
            && matches!(name.trim(), "dtype" | "order" | "copy" | "shape")
        {
            let end = value.find([',', ')', '\n']).unwrap_or(value.len());
            scan.at = text.len() - value.len() + end;
        } else if !(scan.accept(')') || scan.accept(';')) {
            break;
        }
    }
    if scan.rest().starts_with(['[', '{', '(']) {
        let at = scan.at;
        let message = message!("there is more than one matrix");
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(at..at + 1)
            .help(message!(
                "write one list of rows; equilibria of games with two payoff matrices are not computed"
            )));
    }
    if scan.rest().is_empty() {
        return Ok(());
    }
    Err(scan.expected(&message!("the end of the input")))
}

/// Parses a list of rows.
pub(super) fn list(scan: &mut Scan<'_>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let close = scan.open(&message!("`[`"))?;
    scan.space();
    if !scan.rest().starts_with(['[', '(', '{']) && !scan.rest().starts_with(close) {
        return flat(scan, close, builder);
    }
    let mut separated = true;
    loop {
        scan.space();
        if scan.accept(close) {
            return Ok(());
        }
        if !separated && !scan.rest().starts_with(['[', '(', '{']) {
            return Err(scan.expected(&message!("`,` or `{close}`", close = close.to_string())));
        }
        row(scan, builder)?;
        scan.space();
        separated = scan.accept(',') || scan.accept(';');
    }
}

/// Parses a row in brackets.
fn row(scan: &mut Scan<'_>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let begin = scan.at;
    let close = scan.open(&message!("a row, starting with `[`"))?;
    loop {
        scan.space();
        if scan.accept(close) {
            return builder.end_row(begin..scan.at);
        }
        if scan.rest().starts_with([']', ')', '}']) {
            return Err(scan.expected(&message!("`,` or `{close}`", close = close.to_string())));
        }
        if scan.rest().starts_with(['[', '(', '{']) {
            pair(scan, builder)?;
        } else {
            entry(scan, builder)?;
        }
        scan.space();
        scan.accept(',');
    }
}

/// Parses the payoffs of both players in brackets.
fn pair(scan: &mut Scan<'_>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let begin = scan.at;
    let close = scan.open(&message!("two payoffs"))?;
    let mut payoffs = Vec::new();
    loop {
        scan.space();
        if scan.accept(close) {
            break;
        }
        if payoffs.len() == 2 || scan.rest().starts_with(['[', '(', '{', ']', ')', '}']) {
            break;
        }
        payoffs.push(scan.scalar()?);
        scan.space();
        scan.accept(',');
    }
    let span = begin..scan.at;
    let closed = scan.text[span.clone()].ends_with(close);
    let [(own, first), (other, second)] = &payoffs[..] else {
        return Err(two_payoffs(span));
    };
    if !closed {
        return Err(two_payoffs(span));
    }
    let payoffs = [parse_ratio(own, first)?, parse_ratio(other, second)?];
    builder.push_pair(payoffs, span)
}

fn two_payoffs(span: Range<usize>) -> Diagnostic {
    let message = message!("expected one number, or two payoffs in brackets");
    Diagnostic::new(Kind::Syntax, message).at(span).help(help())
}

/// Parses rows that are separated by `;` or by the ends of lines, up to the bracket `close`.
fn flat(scan: &mut Scan<'_>, close: char, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let start = scan.at;
    let (mut begin, mut entries, mut rows) = (start, 0, 0);
    loop {
        // After a comma, a row goes on in the next line.
        let before = scan.at;
        scan.space();
        let line_ends = scan.text[before..scan.at].contains('\n');
        let row_ends = scan.accept(';') || line_ends;
        let ends = scan.accept(close);
        if (row_ends || ends) && entries > 0 {
            builder.end_row(begin..before)?;
            (entries, rows) = (0, rows + 1);
        }
        if ends {
            break;
        }
        if entries == 0 {
            scan.space();
            begin = scan.at;
        }
        if scan.rest().starts_with(']') || scan.rest().starts_with([')', '}', '[', '(', '{']) {
            return Err(scan.expected(&message!("a number or a string")));
        }
        if scan.rest().is_empty() {
            return Err(scan.expected(&message!("`,` or `{close}`", close = close.to_string())));
        }
        if scan.rest().starts_with(';') || scan.rest().starts_with(close) {
            continue;
        }
        entry(scan, builder)?;
        entries += 1;
        if scan.rest().trim_start_matches(' ').starts_with(',') {
            scan.space();
            scan.accept(',');
            scan.space();
        }
    }
    if rows == 1 {
        let message = message!(
            "expected {what}",
            what = message!("a row, starting with `[`")
        );
        let end = start + scan.text[start..].chars().next().map_or(0, char::len_utf8);
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(start..end)
            .help(help()));
    }
    Ok(())
}

/// Parses an entry without brackets. A string can contain two payoffs.
fn entry(scan: &mut Scan<'_>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let (text, span) = scan.scalar()?;
    match Shape::of(&text) {
        Shape::Two => {
            if let Some(Pair {
                payoffs: [own, other],
                ..
            }) = Pair::of(&text)
            {
                let payoffs = [parse_ratio(&own, &span)?, parse_ratio(&other, &span)?];
                return builder.push_pair(payoffs, span);
            }
        }
        Shape::Doubtful => {
            let shown = brief(&text, 24);
            let message = message!("`{shown}` can be read in more than one way", shown);
            return Err(Diagnostic::new(Kind::Syntax, message)
                .at(span)
                .help(message!(
                    "write [1, 5] for two payoffs, and 1.5 for a decimal"
                )));
        }
        _ => {}
    }
    builder.push_text(&text, span).map_err(|error| {
        if text.starts_with("...") {
            error.help(message!(
                "the output of a program is abbreviated here: print the whole matrix"
            ))
        } else {
            error
        }
    })
}

fn help() -> Message {
    message!("write a matrix in JSON as an array of arrays: [[1, 0], [0, \"1/2\"]]")
}

/// A scan over the text of a list.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space.
    pub(super) fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips a character if it comes next. Returns whether it does.
    pub(super) fn accept(&mut self, expected: char) -> bool {
        let found = self.rest().starts_with(expected);
        self.at += if found { expected.len_utf8() } else { 0 };
        found
    }

    /// Skips an opening bracket and returns the bracket that closes it.
    fn open(&mut self, what: &Message) -> Result<char, Diagnostic> {
        self.space();
        let brackets = [('[', ']'), ('(', ')'), ('{', '}')];
        match brackets.into_iter().find(|(open, _)| self.accept(*open)) {
            Some((_, close)) => Ok(close),
            None => Err(self.expected(what)),
        }
    }

    /// Parses a string, whose quotes must be on one line.
    pub(super) fn string(&mut self) -> Result<(String, Range<usize>), Diagnostic> {
        let start = self.at;
        let unterminated = || {
            Diagnostic::new(
                Kind::Syntax,
                message!("unterminated string, or a string with an unknown escape"),
            )
            .at(start..start + 1)
        };
        let mut rest = self.rest().chars();
        let quote = rest.next().unwrap_or('"');
        let mut content = String::new();
        loop {
            match rest.next() {
                Some(c) if c == quote => break,
                Some('\\') => {
                    let code = |rest: &mut std::str::Chars<'_>| {
                        let digits = rest.as_str().get(..4)?;
                        *rest = rest.as_str()[4..].chars();
                        u16::from_str_radix(digits, 16).ok()
                    };
                    content.push(match rest.next() {
                        Some(c @ ('"' | '\'' | '\\' | '/')) => c,
                        Some('n' | 't' | 'r' | 'b' | 'f') => ' ',
                        Some('u') => {
                            let first = code(&mut rest).ok_or_else(unterminated)?;
                            // Characters beyond 2^16 are written as two codes.
                            let mut codes = vec![first];
                            if (0xd800..0xdc00).contains(&first) && rest.as_str().starts_with("\\u")
                            {
                                rest = rest.as_str()[2..].chars();
                                codes.push(code(&mut rest).ok_or_else(unterminated)?);
                            }
                            let decoded = char::decode_utf16(codes).next();
                            decoded.and_then(Result::ok).ok_or_else(unterminated)?
                        }
                        _ => return Err(unterminated()),
                    });
                }
                None | Some('\n') => return Err(unterminated()),
                Some(c) => content.push(c),
            }
        }
        self.at = self.text.len() - rest.as_str().len();
        Ok((content.trim().to_owned(), start..self.at))
    }

    /// Parses a number or a string, without checking it.
    pub(super) fn scalar(&mut self) -> Result<(String, Range<usize>), Diagnostic> {
        self.space();
        let rest = self.rest();
        if rest.starts_with(['"', '\'']) {
            return self.string();
        }
        let length = rest
            .find(|c: char| {
                c.is_whitespace()
                    || matches!(c, ',' | ';' | '[' | ']' | '(' | ')' | '{' | '}' | '"')
            })
            .unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected(&message!("a number or a string")));
        }
        let start = self.at;
        self.at += length;
        if !self.rest().starts_with('(') || number(&rest[..length]).is_ok() {
            return Ok((rest[..length].to_owned(), start..self.at));
        }
        // Python writes numbers of other types as calls: `Fraction(1, 2)`, `np.float64(0.5)`.
        let inner = &self.rest()[1..];
        let Some(end) = inner
            .find([')', '(', '\n'])
            .filter(|&end| inner[end..].starts_with(')'))
        else {
            return Err(self.expected(&message!("a number or a string")));
        };
        self.at += end + 2;
        let written = &rest[..length + end + 2];
        let value = called_number(&rest[..length], &inner[..end]);
        // Any other call is an invalid number, which is reported later.
        Ok((value.unwrap_or_else(|| written.to_owned()), start..self.at))
    }

    pub(super) fn expected(&self, what: &Message) -> Diagnostic {
        // The span ends at the boundary of a character.
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        let message = if width == 0 {
            message!("unexpected end of input: expected {what}", what)
        } else {
            message!("expected {what}", what)
        };
        Diagnostic::new(Kind::Syntax, message)
            .at(self.at..self.at + width)
            .help(help())
    }
}

/// Returns the number that a call such as `-Fraction(1, 2)` or `np.float64(0.5)` stands for.
/// Returns `None` if the function is not the name of a type of numbers.
fn called_number(function: &str, arguments: &str) -> Option<String> {
    let (sign, name) = match function.strip_prefix('-') {
        Some(name) => ("-", name),
        None => ("", function),
    };
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_fraction = matches!(name, "Fraction" | "Rational" | "mpq");
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = matches!(
        kind,
        "Decimal" | "Float" | "Integer" | "float" | "int" | "uint" | "mpf" | "longdouble"
    );
    let parts: Vec<String> = arguments
        .split(',')
        .map(|argument| plain(argument).into_owned())
        .collect();
    let value = match &parts[..] {
        [value] if is_fraction || is_number => value.clone(),
        [over, under] if is_fraction => format!("{over}/{under}"),
        _ => return None,
    };
    Some(match (sign, value.strip_prefix('-')) {
        ("-", Some(positive)) => positive.to_owned(),
        _ => format!("{sign}{value}"),
    })
}
