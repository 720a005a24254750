//! One cell of a table: a number, the payoffs of both players, or a name.

use std::borrow::Cow;

use super::number::number;
use crate::matrix::MAX_STRATEGIES;

/// The kind of content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing.
    Empty,
    /// A number, or a text that was meant to be a number.
    One,
    /// Two payoffs, such as `(1, 0)` or `1 0`.
    Two,
    /// Either one number with a decimal comma or two payoffs, such as `1,5`.
    Doubtful,
    /// A name that begins like a number, such as `1st`.
    Label,
    /// A name.
    Text,
}

impl Shape {
    /// Returns the kind of content of a cell without quotes and markup.
    pub(super) fn of(text: &str) -> Self {
        if text.is_empty() {
            return Self::Empty;
        }
        if let Some(pair) = Pair::of(text) {
            return if pair.doubtful {
                Self::Doubtful
            } else {
                Self::Two
            };
        }
        if !numeric(text) {
            return Self::Text;
        }
        let label = text.contains(char::is_alphabetic) && number(text).is_err();
        if label && !not_finite(text) && !text.contains(['e', 'E']) {
            Self::Label
        } else {
            Self::One
        }
    }

    /// Returns whether a cell can be the name of a row or a column.
    pub(super) fn is_name(self) -> bool {
        matches!(self, Self::Text | Self::Label)
    }
}

/// The texts of two payoffs in one cell.
pub(super) struct Pair<'a> {
    pub(super) payoffs: [Cow<'a, str>; 2],
    /// `true` if the cell can also be one number with a decimal comma.
    doubtful: bool,
}

impl<'a> Pair<'a> {
    /// Splits a cell into two payoffs. Returns `None` if the cell does not have this form.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let inner = [('(', ')'), ('[', ']'), ('{', '}'), ('\u{27e8}', '\u{27e9}')]
            .into_iter()
            .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
        let bracketed = inner.is_some();
        let inner = inner.unwrap_or(text).trim();
        let count = |mark: char| inner.matches(mark).count();
        let (own, other, mut doubtful) = if count(';') == 1 {
            let (own, other) = inner.split_once(';')?;
            (own, other, false)
        } else if count(',') == 1 {
            let (own, other) = inner.split_once(',')?;
            // A decimal comma is between two digits, and only digits follow.
            let tight = own.ends_with(|c: char| c.is_ascii_digit())
                && other.starts_with(|c: char| c.is_ascii_digit());
            (own, other, tight && !bracketed)
        } else {
            let mut parts = inner.split_whitespace();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(own), Some(other), None) => (own, other, false),
                _ => return None,
            }
        };
        // If a semicolon separates the payoffs, a comma is a decimal point.
        let payoffs = [own, other].map(|payoff| {
            let payoff = payoff.trim();
            if payoff.contains(',') {
                Cow::Owned(payoff.replacen(',', ".", 1))
            } else {
                Cow::Borrowed(payoff)
            }
        });
        doubtful &= !payoffs.iter().any(|payoff| payoff.contains(['.', '/']));
        (payoffs.iter().all(|payoff| numeric(payoff))).then_some(Self { payoffs, doubtful })
    }
}

/// Returns whether a text begins like a number.
fn numeric(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', '\u{2212}', '\u{2013}']);
    let after_point = digits.strip_prefix('.').unwrap_or(digits);
    after_point.starts_with(|c: char| c.is_ascii_digit())
        || (digits.is_empty() && !text.is_empty())
        || not_finite(text)
}

/// Returns whether a text is `NaN` or infinity, as programs write it.
fn not_finite(text: &str) -> bool {
    let bare = text.trim_start_matches(['-', '+', '\u{2212}']);
    bare.len() <= 8
        && matches!(
            bare.to_ascii_lowercase().as_str(),
            "nan" | "inf" | "infinity" | "\u{221e}"
        )
}

/// Returns the content of a cell without quotes, Markdown and LaTeX markup.
pub(super) fn plain(field: &str) -> Cow<'_, str> {
    let mut text = field.trim();
    if let Some(quoted) = (text.strip_prefix('"')).and_then(|rest| rest.strip_suffix('"')) {
        text = quoted.trim();
        if text.contains("\"\"") {
            return Cow::Owned(text.replace("\"\"", "\""));
        }
    }
    if let Some(quoted) = (text.strip_prefix('\'')).and_then(|rest| rest.strip_suffix('\'')) {
        text = quoted.trim();
    }
    text = text.trim_matches(['$', '*', '`']).trim();
    if text.contains('\\') || (text.contains('{') && !text.starts_with('{')) {
        return Cow::Owned(without_latex(text));
    }
    Cow::Borrowed(text)
}

/// Commands of LaTeX for fractions, whose two arguments are the numerator and the denominator.
const FRACTIONS: [&str; 6] = ["frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"];

/// Returns a LaTeX text without commands and braces: `-\frac{1}{2}` becomes `-1/2`, and `\text{up}`
/// becomes `up`. Commands that are not known are left out of names and make numbers invalid.
fn without_latex(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        match first {
            '\\' => {
                let letters = after
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(after.len());
                let (command, mut tail) = after.split_at(letters);
                if FRACTIONS.contains(&command) {
                    let over = argument(&mut tail);
                    let under = argument(&mut tail);
                    // A digit next to a fraction would become a digit of its numerator or
                    // denominator, so it makes the number invalid.
                    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
                    if out.ends_with(is_digit) || tail.starts_with(is_digit) {
                        out.push('\\');
                    }
                    out.extend([over.trim(), "/", under.trim()]);
                } else if matches!(command, "phantom" | "hphantom" | "vphantom") {
                    // The argument only takes space.
                    argument(&mut tail);
                } else if command.is_empty() {
                    // An escaped character, or a space such as `\,`.
                    let mark = tail.chars().next().unwrap_or(' ');
                    tail = &tail[tail.chars().next().map_or(0, char::len_utf8)..];
                    if matches!(mark, '&' | '%' | '_' | '#' | '$' | '{' | '}') {
                        out.push(mark);
                    } else if mark == ' ' {
                        out.push(' ');
                    }
                } else if command == "infty" {
                    out.push('\u{221e}');
                } else if !known(command) {
                    out.push('\\');
                    out.push_str(command);
                }
                rest = tail;
                continue;
            }
            '{' | '}' | '$' => {}
            '~' => out.push(' '),
            other => out.push(other),
        }
        rest = after;
    }
    out.trim().to_owned()
}

/// Returns whether a command of LaTeX only changes how its argument looks.
fn known(command: &str) -> bool {
    let font = (command.strip_prefix("text")).or_else(|| command.strip_prefix("math"));
    if let Some(font) = font {
        return matches!(
            font,
            "" | "bf"
                | "it"
                | "rm"
                | "sf"
                | "tt"
                | "up"
                | "md"
                | "sl"
                | "sc"
                | "normal"
                | "bb"
                | "cal"
        );
    }
    matches!(
        command,
        "mbox"
            | "left"
            | "right"
            | "bf"
            | "it"
            | "rm"
            | "quad"
            | "qquad"
            | "displaystyle"
            | "emph"
            | "operatorname"
            | "bfseries"
            | "boldsymbol"
    )
}

/// Removes an argument of a LaTeX command from the front of `rest` and returns it.
fn argument<'a>(rest: &mut &'a str) -> &'a str {
    let text = rest.trim_start();
    let Some(inner) = text.strip_prefix('{') else {
        // Without braces, the argument is one character, as in `\frac12`.
        let length = text.chars().next().map_or(0, char::len_utf8);
        let (taken, tail) = text.split_at(length);
        *rest = tail;
        return taken;
    };
    let end = inner.find('}').unwrap_or(inner.len());
    *rest = inner.get(end + 1..).unwrap_or("");
    &inner[..end]
}

/// Returns whether `names` are the numbers from 0, which rows and columns have anyway.
pub(super) fn counts_from_0<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    (names.take(MAX_STRATEGIES).enumerate()).all(|(index, name)| name == index.to_string())
}
