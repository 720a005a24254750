//! Diagnostics as text and as JSON. A diagnostic is an error with its place in the input and a
//! hint.

use std::fmt::Write as _;

use grundy_core::step::Step;
use grundy_core::{Diagnostic, LimitKind};
use serde::Serialize;

use crate::{Audience, hint_text, message_text, width, words};

/// The error object in JSON: `{"error": ...}`.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorView {
    error: DiagnosticView,
}

/// The content of an error object, worded for a reader.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticView {
    kind: &'static str,
    /// The name of the limit that was reached, if the error is due to a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    message: String,
    /// The name of the input text in which the location `at` lies, such as `rules` for a rule file.
    /// `None` if `at` is a location in the question itself.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    input: Option<&'static str>,
    at: Option<SourcePosition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The readings of an ambiguous text, as expressions.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    readings: Box<[String]>,
}

#[derive(Clone, Debug, Serialize)]
struct SourcePosition {
    offset: usize,
    line: usize,
    column: usize,
}

impl ErrorView {
    /// Creates the error object of a diagnostic, worded for a reader. The argument `source` is the
    /// text of the input.
    ///
    /// ```
    /// use grundy_notation::read_position;
    /// use grundy_wording::{Audience, diagnostic::ErrorView};
    /// let source = "nim(3, -1)";
    /// let error = read_position(source).unwrap_err();
    /// let json = serde_json::to_value(ErrorView::new(&error, source, Audience::default()))?;
    /// assert_eq!(json["error"]["message"], "-1 is less than 0");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, source: &str, audience: Audience) -> Self {
        Self {
            error: DiagnosticView::new(diagnostic, source, audience),
        }
    }
}

impl DiagnosticView {
    /// Creates the content of an error object, worded for a reader. The argument `source` is the
    /// text of the input. A hint is omitted if it cannot be followed in the reader's interface.
    ///
    /// ```
    /// use grundy_notation::read_position;
    /// use grundy_wording::{Audience, diagnostic::DiagnosticView};
    /// let source = "nim(3) +\nnim(3, -1)";
    /// let error = read_position(source).unwrap_err();
    /// let json = serde_json::to_value(DiagnosticView::new(&error, source, Audience::default()))?;
    /// assert_eq!(json["at"].to_string(), r#"{"offset":16,"line":2,"column":8}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, source: &str, audience: Audience) -> Self {
        let source = diagnostic.source.as_deref().unwrap_or(source);
        let source_position = |offset| {
            let (line, column) = line_and_column(source, offset);
            SourcePosition {
                offset,
                line,
                column,
            }
        };
        Self {
            kind: diagnostic.kind.name(),
            limit: diagnostic.limit.map(LimitKind::name),
            message: message_text(&diagnostic.message, audience),
            input: diagnostic.in_rules.then_some("rules"),
            at: diagnostic
                .span
                .as_ref()
                .map(|span| source_position(span.start)),
            // A hint that names an option which the interface lacks would mislead the reader.
            help: (diagnostic.help.as_ref()).and_then(|help| hint_text(help, audience)),
            readings: diagnostic.readings.clone(),
        }
    }
}

/// Returns the message and the hint of a diagnostic as lines of text. Below the message, the place
/// of the error in the input is underlined.
///
/// ```
/// use grundy_notation::read_position;
/// use grundy_wording::{Audience, diagnostic::render};
/// let source = "nim(3, -1)";
/// let error = read_position(source).unwrap_err();
/// let text = render(&error, source, Audience::default());
/// assert!(text.starts_with("error: -1 is less than 0\n  | nim(3, -1)\n  |        ^^\n"));
/// ```
#[must_use]
pub fn render(diagnostic: &Diagnostic, source: &str, audience: Audience) -> String {
    let language = audience.language;
    let source = diagnostic.source.as_deref().unwrap_or(source);
    let say = |code, text: &str| words(&Step::new(code).with("message", printable(text)), language);
    let mut out = say("error", &message_text(&diagnostic.message, audience));
    out.push('\n');
    if let Some(span) = &diagnostic.span {
        let (line, column) = line_and_column(source, span.start);
        let text = source.lines().nth(line - 1).unwrap_or("");
        let marked = source.get(span.clone()).map_or(1, width).max(1);
        // A line of input can have megabytes. Hence only the part around the error is shown.
        let from = (column - 1).saturating_sub(60);
        let shown: String = text.chars().skip(from).take(120).map(visible).collect();
        let before: String = shown.chars().take(column - 1 - from).collect();
        let room = width(&shown).saturating_sub(width(&before)).max(1);
        let dots = if from > 0 { "... " } else { "" };
        let place = if line > 1 {
            words(&Step::new("error_line").with("line", line), language)
        } else {
            String::new()
        };
        let _ = writeln!(out, "  | {place}{dots}{shown}");
        // The width is measured in columns, since a Chinese character fills two columns of a
        // terminal.
        let indent = " ".repeat(width(&place) + dots.len() + width(&before));
        let _ = writeln!(out, "  | {indent}{}", "^".repeat(marked.min(room)));
    }
    let help = diagnostic.help.as_ref();
    if let Some(help) = help.and_then(|help| hint_text(help, audience)) {
        let _ = writeln!(out, "  = {}", say("error_help", &help));
    }
    out
}
/// Returns a character that is safe to print: control characters are replaced.
fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// Returns a text with its control characters replaced. If the text has more than 300 characters,
/// `...` replaces the rest.
fn printable(text: &str) -> String {
    let mut short: String = text.chars().take(300).map(visible).collect();
    if text.chars().nth(300).is_some() {
        short.push_str("...");
    }
    short
}

/// Returns the line and the column of a byte offset. Both are counted from 1, and columns are
/// counted in characters.
fn line_and_column(source: &str, offset: usize) -> (usize, usize) {
    let before = source.get(..offset).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
