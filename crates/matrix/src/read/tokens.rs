//! Tokens of Gambit's text formats: braces, quoted strings, and other words such as numbers.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};
use num_rational::BigRational;
use num_traits::Zero as _;

use super::number::number;
use super::number_error;
use crate::matrix::Number;

/// Returns the first of two payoffs if the two add up to zero.
///
/// # Errors
/// If the payoffs do not add up to zero.
pub fn zero_sum_payoff(
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

/// Parses a token of a Gambit file as an exact number.
///
/// # Errors
/// If the word is not a number.
pub fn parse_ratio(token: &str, span: &Range<usize>) -> Result<BigRational, Diagnostic> {
    match number(token).map_err(|reason| number_error(token, reason, span))? {
        Number::Small(small) => Ok(BigRational::from_integer(small.into())),
        Number::Ratio(ratio) => Ok(*ratio),
    }
}

/// Returns a syntax error at `span`.
#[must_use]
pub fn syntax_error(message: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span)
}

/// A token of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
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
pub struct Tokenizer<'a> {
    pub(super) text: &'a str,
    at: usize,
}

impl<'a> Tokenizer<'a> {
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
    fn scan(&self) -> Result<Option<(Token<'a>, Range<usize>)>, Diagnostic> {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let (token, length) = match first {
            '{' => (Token::Open, 1),
            '}' => (Token::Close, 1),
            '"' => {
                // Gambit writes a backslash before a quote inside a string. The token keeps the
                // backslash, since it borrows from the file.
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let closes = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                let length = end.ok_or_else(|| {
                    syntax_error(message!("unterminated string"), start..start + 1)
                })?;
                (Token::Quoted(&rest[1..=length]), length + 2)
            }
            _ => {
                let length = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | '"'))
                    .unwrap_or(rest.len());
                (Token::Bare(&rest[..length]), length)
            }
        };
        Ok(Some((token, start..start + length)))
    }

    /// Returns the next token and its span, without consuming it. Returns `None` at the end of the
    /// file.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub fn peek(&self) -> Result<Option<(Token<'a>, Range<usize>)>, Diagnostic> {
        self.scan()
    }

    /// Returns the next token and its span, and consumes it.
    ///
    /// # Errors
    /// If the file ends or a quote is not closed.
    #[expect(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<(Token<'a>, Range<usize>), Diagnostic> {
        let end = self.text.len();
        let (token, span) = self
            .scan()?
            .ok_or_else(|| syntax_error(message!("unexpected end of file"), end..end))?;
        self.at = span.end;
        Ok((token, span))
    }

    /// Consumes the given word. `what` describes the word in the error message.
    ///
    /// # Errors
    /// If the next token is not this word.
    pub fn expect_keyword(
        &mut self,
        keyword: &str,
        what: impl FnOnce() -> Message,
    ) -> Result<(), Diagnostic> {
        match self.next()? {
            (Token::Bare(token), _) if token == keyword => Ok(()),
            (_, span) => Err(syntax_error(
                message!("expected {what}", what = what()),
                span,
            )),
        }
    }

    /// Consumes a quoted string and returns it. `what` describes it in the error message.
    ///
    /// # Errors
    /// If the next token is not a quoted string.
    pub fn expect_quoted(&mut self, what: impl FnOnce() -> Message) -> Result<&'a str, Diagnostic> {
        match self.next()? {
            (Token::Quoted(text), _) => Ok(text),
            (_, span) => Err(syntax_error(
                message!("expected {what}", what = what()),
                span,
            )),
        }
    }

    /// Consumes `{` and returns its position. `what` describes it in the error message.
    ///
    /// # Errors
    /// If the next token is not `{`.
    pub fn expect_open(&mut self, what: impl FnOnce() -> Message) -> Result<usize, Diagnostic> {
        match self.next()? {
            (Token::Open, span) => Ok(span.start),
            (_, span) => Err(syntax_error(
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
    pub fn expect_names(
        &mut self,
        what: impl FnOnce() -> Message,
    ) -> Result<(Vec<&'a str>, Range<usize>), Diagnostic> {
        let start = self.expect_open(what)?;
        let mut names = Vec::new();
        loop {
            match self.next()? {
                (Token::Quoted(name), _) => names.push(name),
                (Token::Close, span) => return Ok((names, start..span.end)),
                (_, span) => {
                    return Err(syntax_error(
                        message!("expected a name in quotes or `}`"),
                        span,
                    ));
                }
            }
        }
    }

    /// Consumes a word without quotes or braces, and returns it. `what` describes it in the error
    /// message.
    ///
    /// # Errors
    /// If the next token is not such a word.
    pub fn expect_bare(
        &mut self,
        what: impl FnOnce() -> Message,
    ) -> Result<(&'a str, Range<usize>), Diagnostic> {
        match self.next()? {
            (Token::Bare(token), span) => Ok((token, span)),
            (_, span) => Err(syntax_error(
                message!("expected {what}", what = what()),
                span,
            )),
        }
    }

    /// Checks that there are no more tokens.
    ///
    /// # Errors
    /// If more tokens follow.
    pub fn expect_end(&mut self) -> Result<(), Diagnostic> {
        match self.peek()? {
            None => Ok(()),
            Some((_, span)) => Err(syntax_error(
                message!("unexpected text after the end of the game"),
                span,
            )),
        }
    }
}
