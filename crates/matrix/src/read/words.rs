//! Tokens of Gambit's text formats: braces, quoted strings, and other words such as numbers.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};
use num_rational::BigRational;
use num_traits::Zero as _;

use super::number::number;
use super::refused;
use crate::matrix::Number;

/// Returns the first of two payoffs if the two add up to zero.
///
/// # Errors
/// If the payoffs do not add up to zero.
pub fn zero_sum(
    wins: BigRational,
    other: &BigRational,
    span: Range<usize>,
) -> Result<BigRational, Diagnostic> {
    if (&wins + other).is_zero() {
        return Ok(wins);
    }
    Err(Diagnostic::new(
        Kind::IllegalPosition,
        message!("the two payoffs do not add up to zero"),
    )
    .at(span)
    .help(message!(
        "games must be zero-sum: what one player wins, the other loses"
    )))
}

/// Parses a number of a file.
///
/// # Errors
/// If the word is not a number.
pub fn ratio(word: &str, span: &Range<usize>) -> Result<BigRational, Diagnostic> {
    match number(word).map_err(|reason| refused(word, reason, span))? {
        Number::Small(small) => Ok(BigRational::from_integer(small.into())),
        Number::Ratio(ratio) => Ok(*ratio),
    }
}

/// Returns a syntax error at `span`.
#[must_use]
pub fn syntax(message: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span)
}

/// A token of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// An opening brace: `{`.
    Open,
    /// A closing brace: `}`.
    Close,
    /// A quoted string, without its quotes.
    Quoted(&'a str),
    /// Any other word, for example a number.
    Bare(&'a str),
}

/// A tokenizer of a file. Commas count as white space, as in Gambit.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub(super) text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    /// Creates a tokenizer of `text` that starts at byte `at`.
    #[must_use]
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the byte position after the last token that was consumed.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the next token and its span, without consuming it. Commas count as white space, as
    /// in Gambit.
    fn scan(&self) -> Result<Option<(Word<'a>, Range<usize>)>, Diagnostic> {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let (word, length) = match first {
            '{' => (Word::Open, 1),
            '}' => (Word::Close, 1),
            '"' => {
                // Gambit writes a backslash before a quote inside a string. The token keeps the
                // backslash, since it borrows from the file.
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let closes = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                let length =
                    end.ok_or_else(|| syntax(message!("unterminated string"), start..start + 1))?;
                (Word::Quoted(&rest[1..=length]), length + 2)
            }
            _ => {
                let length = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | '"'))
                    .unwrap_or(rest.len());
                (Word::Bare(&rest[..length]), length)
            }
        };
        Ok(Some((word, start..start + length)))
    }

    /// Returns the next token and its span, without consuming it. Returns `None` at the end of the
    /// file.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn peek(&self) -> Result<Option<(Word<'a>, Range<usize>)>, Diagnostic> {
        self.scan()
    }

    /// Returns the next token and its span, and consumes it.
    ///
    /// # Errors
    /// If the file ends or a quote is not closed.
    #[expect(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<(Word<'a>, Range<usize>), Diagnostic> {
        let end = self.text.len();
        let (word, span) = self
            .scan()?
            .ok_or_else(|| syntax(message!("unexpected end of file"), end..end))?;
        self.at = span.end;
        Ok((word, span))
    }

    /// Consumes the given word. `what` describes the word in the error message.
    ///
    /// # Errors
    /// If the next token is not this word.
    pub fn keyword(
        &mut self,
        keyword: &str,
        what: impl FnOnce() -> Message,
    ) -> Result<(), Diagnostic> {
        match self.next()? {
            (Word::Bare(word), _) if word == keyword => Ok(()),
            (_, span) => Err(syntax(message!("expected {what}", what = what()), span)),
        }
    }

    /// Consumes a quoted string and returns it. `what` describes it in the error message.
    ///
    /// # Errors
    /// If the next token is not a quoted string.
    pub fn quoted(&mut self, what: impl FnOnce() -> Message) -> Result<&'a str, Diagnostic> {
        match self.next()? {
            (Word::Quoted(text), _) => Ok(text),
            (_, span) => Err(syntax(message!("expected {what}", what = what()), span)),
        }
    }

    /// Consumes `{` and returns its position. `what` describes it in the error message.
    ///
    /// # Errors
    /// If the next token is not `{`.
    pub fn open(&mut self, what: impl FnOnce() -> Message) -> Result<usize, Diagnostic> {
        match self.next()? {
            (Word::Open, span) => Ok(span.start),
            (_, span) => Err(syntax(
                message!("expected {what} in braces", what = what()),
                span,
            )),
        }
    }

    /// Parses a list of quoted names in braces, such as `{ "a" "b" }`. Returns the names, and the
    /// span of the list.
    ///
    /// # Errors
    /// If the next tokens are not such a list.
    pub fn names(
        &mut self,
        what: impl FnOnce() -> Message,
    ) -> Result<(Vec<&'a str>, Range<usize>), Diagnostic> {
        let start = self.open(what)?;
        let mut names = Vec::new();
        loop {
            match self.next()? {
                (Word::Quoted(name), _) => names.push(name),
                (Word::Close, span) => return Ok((names, start..span.end)),
                (_, span) => {
                    return Err(syntax(message!("expected a name in quotes or `}`"), span));
                }
            }
        }
    }

    /// Consumes a word without quotes or braces, and returns it. `what` describes it in the error
    /// message.
    ///
    /// # Errors
    /// If the next token is not such a word.
    pub fn bare(
        &mut self,
        what: impl FnOnce() -> Message,
    ) -> Result<(&'a str, Range<usize>), Diagnostic> {
        match self.next()? {
            (Word::Bare(word), span) => Ok((word, span)),
            (_, span) => Err(syntax(message!("expected {what}", what = what()), span)),
        }
    }

    /// Checks that there are no more tokens.
    ///
    /// # Errors
    /// If more tokens follow.
    pub fn end(&mut self) -> Result<(), Diagnostic> {
        match self.peek()? {
            None => Ok(()),
            Some((_, span)) => Err(syntax(
                message!("unexpected text after the end of the game"),
                span,
            )),
        }
    }
}
