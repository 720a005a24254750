//! The words of Gambit's text formats: braces, quoted texts, numbers.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};
use num_rational::BigRational;
use num_traits::Zero as _;

use super::number::number;
use super::refused;
use crate::matrix::Number;

/// Returns the payoff of the first player, if the other one loses as much.
///
/// # Errors
/// Two payoffs that do not add up to zero.
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
        "the games here are zero-sum: what one player wins the other loses"
    )))
}

/// Returns a number of a file.
///
/// # Errors
/// What is no number.
pub fn ratio(word: &str, span: &Range<usize>) -> Result<BigRational, Diagnostic> {
    match number(word).map_err(|reason| refused(word, reason, span))? {
        Number::Small(small) => Ok(BigRational::from_integer(small.into())),
        Number::Ratio(ratio) => Ok(*ratio),
    }
}

/// Returns a syntax error.
#[must_use]
pub fn syntax(message: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span)
}

/// A word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// A text in quotes, without them.
    Quoted(&'a str),
    /// Anything else.
    Bare(&'a str),
}

/// A file, word by word. Commas count as space, as in Gambit.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub(super) text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    /// Returns the words of `text` from the byte `at` on.
    #[must_use]
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the byte after the last word.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the next word; commas count as space, as in Gambit.
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
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let closes = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                let length = end.ok_or_else(|| {
                    syntax(message!("the quotes are not closed"), start..start + 1)
                })?;
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

    /// Returns the next word, left where it is.
    ///
    /// # Errors
    /// Anything else.
    pub fn peek(&self) -> Result<Option<(Word<'a>, Range<usize>)>, Diagnostic> {
        self.scan()
    }

    /// Returns the next word.
    ///
    /// # Errors
    /// Anything else.
    #[expect(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<(Word<'a>, Range<usize>), Diagnostic> {
        let end = self.text.len();
        let (word, span) = self.scan()?.ok_or_else(|| {
            syntax(
                message!("the file ends in the middle of the game"),
                end..end,
            )
        })?;
        self.at = span.end;
        Ok((word, span))
    }

    /// This word; `what` names it in a message.
    ///
    /// # Errors
    /// Anything else.
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

    /// Returns a text in quotes.
    ///
    /// # Errors
    /// Anything else.
    pub fn quoted(&mut self, what: impl FnOnce() -> Message) -> Result<&'a str, Diagnostic> {
        match self.next()? {
            (Word::Quoted(text), _) => Ok(text),
            (_, span) => Err(syntax(message!("expected {what}", what = what()), span)),
        }
    }

    /// `{`; its first byte.
    ///
    /// # Errors
    /// Anything else.
    pub fn open(&mut self, what: impl FnOnce() -> Message) -> Result<usize, Diagnostic> {
        match self.next()? {
            (Word::Open, span) => Ok(span.start),
            (_, span) => Err(syntax(
                message!("expected {what} in braces", what = what()),
                span,
            )),
        }
    }

    /// `{ "a" "b" }`: the names, and where.
    ///
    /// # Errors
    /// Anything else.
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

    /// Returns a word without quotes or braces.
    ///
    /// # Errors
    /// Anything else.
    pub fn bare(
        &mut self,
        what: impl FnOnce() -> Message,
    ) -> Result<(&'a str, Range<usize>), Diagnostic> {
        match self.next()? {
            (Word::Bare(word), span) => Ok((word, span)),
            (_, span) => Err(syntax(message!("expected {what}", what = what()), span)),
        }
    }

    /// Nothing more.
    ///
    /// # Errors
    /// Anything else.
    pub fn end(&mut self) -> Result<(), Diagnostic> {
        match self.peek()? {
            None => Ok(()),
            Some((_, span)) => Err(syntax(
                message!("the game has ended, and more follows"),
                span,
            )),
        }
    }
}
