//! Diagnostics for people and for programs: what is wrong, where in the text, and what to do.

use std::fmt::Write as _;

use grundy::step::Step;
use grundy::{Diagnostic, LimitKind};
use serde::Serialize;

use crate::{Audience, advice, told, width, words};

/// The contract's error object.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorView {
    error: DiagnosticView,
}

/// What such an object says.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticView {
    kind: &'static str,
    /// The limit that stopped the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    message: String,
    /// The input that `at` is a place in, where it is not the question.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    input: Option<&'static str>,
    at: Option<Spot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Spot {
    offset: usize,
    line: usize,
    column: usize,
}

impl ErrorView {
    /// Words a diagnostic about an input `source` for its reader.
    #[must_use]
    pub fn told(diagnostic: &Diagnostic, source: &str, audience: Audience) -> Self {
        Self {
            error: DiagnosticView::told(diagnostic, source, audience),
        }
    }
}

impl DiagnosticView {
    /// Words a diagnostic about an input `source` for its reader. Advice that cannot be followed
    /// through the reader's interface is left out.
    #[must_use]
    pub fn told(diagnostic: &Diagnostic, source: &str, audience: Audience) -> Self {
        let source = diagnostic.source.as_deref().unwrap_or(source);
        let spot = |offset| {
            let (line, column) = line_and_column(source, offset);
            Spot {
                offset,
                line,
                column,
            }
        };
        Self {
            kind: diagnostic.kind.name(),
            limit: diagnostic.limit.map(LimitKind::name),
            message: told(&diagnostic.message, audience),
            input: diagnostic.in_rules.then_some("rules"),
            at: diagnostic.span.as_ref().map(|span| spot(span.start)),
            help: (diagnostic.help.as_ref()).and_then(|help| advice(help, audience)),
        }
    }
}

/// Returns the message with the place underlined, as text.
#[must_use]
pub fn render(diagnostic: &Diagnostic, source: &str, audience: Audience) -> String {
    let language = audience.language;
    let source = diagnostic.source.as_deref().unwrap_or(source);
    let say = |code, text: &str| words(&Step::new(code).with("message", printable(text)), language);
    let mut out = say("error", &told(&diagnostic.message, audience));
    out.push('\n');
    if let Some(span) = &diagnostic.span {
        let (line, column) = line_and_column(source, span.start);
        let text = source.lines().nth(line - 1).unwrap_or("");
        let marked = source.get(span.clone()).map_or(1, width).max(1);
        // A window of the line: inputs can be megabytes long.
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
        let indent = " ".repeat(width(&place) + dots.len() + width(&before));
        let _ = writeln!(out, "  | {indent}{}", "^".repeat(marked.min(room)));
    }
    let help = diagnostic.help.as_ref();
    if let Some(help) = help.and_then(|help| advice(help, audience)) {
        let _ = writeln!(out, "  = {}", say("error_help", &help));
    }
    out
}
/// Control characters shown as a replacement, so that no input can write to the terminal.
fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// Returns at most 300 characters, none of them control characters.
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
