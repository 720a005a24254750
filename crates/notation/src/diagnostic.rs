//! Diagnostics: what is wrong with a text, where, and what to do.

use std::fmt::Write as _;
use std::ops::Range;

use grundy::{Kind, Refusal, Stop};
use serde_json::{Value, json};

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind, for programs.
    pub kind: Kind,
    /// One lower-case sentence.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The culprit, in bytes of the input.
    pub span: Option<Range<usize>>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: None,
            span: None,
        }
    }

    /// The same with a place.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A refusal of the library at `span`.
    #[must_use]
    pub fn refused(refusal: Refusal, span: Range<usize>) -> Self {
        Self {
            kind: refusal.kind,
            message: refusal.message,
            help: refusal.help,
            span: Some(span),
        }
    }

    /// A limit that ended the work.
    #[must_use]
    pub fn stopped(stop: Stop) -> Self {
        let help = match stop {
            Stop::Positions(_) => Some("--max-positions raises the limit"),
            Stop::Memory(_) => Some("--max-memory raises the limit"),
            Stop::Time => Some("--timeout raises the limit"),
            Stop::Forgotten(_) => Some("leave --stream out: all values are kept then"),
            _ => None,
        };
        let kind = match stop {
            Stop::Cyclic => Kind::Cyclic,
            Stop::NotImpartial => Kind::NotImpartial,
            Stop::Rules => Kind::IllegalPosition,
            _ => Kind::Limit,
        };
        let diagnostic = Self::new(kind, stop.to_string());
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }

    /// The contract's error object for an input `source`.
    #[must_use]
    pub fn to_json(&self, source: &str) -> Value {
        let at = self.span.clone().map_or(Value::Null, |span| {
            let (line, column) = line_and_column(source, span.start);
            json!({"offset": span.start, "line": line, "column": column})
        });
        let mut error = json!({"kind": self.kind.name(), "message": self.message, "at": at});
        if let Some(help) = &self.help {
            error["help"] = json!(help);
        }
        json!({ "error": error })
    }

    /// The message with the place underlined, for a terminal.
    #[must_use]
    pub fn render(&self, source: &str) -> String {
        let mut out = format!("error: {}\n", printable(&self.message));
        if let Some(span) = &self.span {
            let (line, column) = line_and_column(source, span.start);
            let text = source.lines().nth(line - 1).unwrap_or("");
            let width = source
                .get(span.clone())
                .map_or(1, |s| s.chars().count())
                .max(1);
            // A window of the line: inputs can be megabytes long.
            let from = (column - 1).saturating_sub(60);
            let shown: String = text.chars().skip(from).take(120).map(visible).collect();
            let before = column - 1 - from;
            let room = shown.chars().count().saturating_sub(before).max(1);
            let dots = if from > 0 { "... " } else { "" };
            let place = if line > 1 {
                format!("line {line}: ")
            } else {
                String::new()
            };
            let _ = writeln!(out, "  | {place}{dots}{shown}");
            let indent = " ".repeat(place.len() + dots.len() + before);
            let _ = writeln!(out, "  | {indent}{}", "^".repeat(width.min(room)));
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "  = help: {}", printable(help));
        }
        out
    }
}

/// Control characters shown as a replacement, so that no input can write to the terminal.
fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// At most 300 characters, none of them control characters.
fn printable(text: &str) -> String {
    let mut short: String = text.chars().take(300).map(visible).collect();
    if text.chars().nth(300).is_some() {
        short.push_str("...");
    }
    short
}

/// Line and column of a byte offset, both from 1, columns in characters.
fn line_and_column(source: &str, offset: usize) -> (usize, usize) {
    let before = source.get(..offset).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
