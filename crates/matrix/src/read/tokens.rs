//! Tokens of Gambit's text formats: braces, quoted strings, and other words such as numbers.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};
use num_rational::BigRational;

use super::builder::number_error;
use super::number::number;
use crate::matrix::Number;

/// Parses a token of a Gambit file as an exact number.
///
/// # Errors
/// If the word is not a number.
///
/// # Examples
/// ```
/// use grundy_matrix::read::tokens::parse_ratio;
/// assert_eq!(parse_ratio("-0.75", &(0..5)).unwrap().to_string(), "-3/4");
/// assert_eq!(parse_ratio("x", &(7..8)).unwrap_err().span, Some(7..8));
/// ```
pub fn parse_ratio(token: &str, span: &Range<usize>) -> Result<BigRational, Diagnostic> {
    match number(token).map_err(|reason| number_error(token, reason, span))? {
        Number::Small(small) => Ok(BigRational::from_integer(small.into())),
        Number::Ratio(ratio) => Ok(*ratio),
    }
}

/// Returns a syntax error at `span`.
///
/// # Examples
/// ```
/// use grundy_base::{Kind, message};
/// use grundy_matrix::read::tokens::syntax_error;
/// let error = syntax_error(message!("unterminated string"), 3..4);
/// assert_eq!((error.kind, error.span), (Kind::Syntax, Some(3..4)));
/// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::read::tokens::{Token, Tokenizer};
    /// let mut tokens = Tokenizer::new("NFG 1 R", 3);
    /// assert_eq!(tokens.next().unwrap(), (Token::Bare("1"), 4..5));
    /// ```
    #[must_use]
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the byte position after the last token that was consumed.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("NFG 1 R", 0);
    /// tokens.next().unwrap();
    /// assert_eq!(tokens.at(), 3);
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::read::tokens::{Token, Tokenizer};
    /// let mut tokens = Tokenizer::new("{ }", 0);
    /// assert_eq!(tokens.peek().unwrap(), Some((Token::Open, 0..1)));
    /// assert_eq!(tokens.next().unwrap(), (Token::Open, 0..1));
    /// assert_eq!(tokens.next().unwrap(), (Token::Close, 2..3));
    /// assert_eq!(tokens.peek().unwrap(), None);
    /// ```
    pub fn peek(&self) -> Result<Option<(Token<'a>, Range<usize>)>, Diagnostic> {
        self.scan()
    }

    /// Returns the next token and its span, and consumes it.
    ///
    /// # Errors
    /// If the file ends or a quote is not closed.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::read::tokens::{Token, Tokenizer};
    /// let mut tokens = Tokenizer::new("\"odd or even\" 2, 3", 0);
    /// assert_eq!(tokens.next().unwrap(), (Token::Quoted("odd or even"), 0..13));
    /// assert_eq!(tokens.next().unwrap(), (Token::Bare("2"), 14..15));
    /// assert_eq!(tokens.next().unwrap(), (Token::Bare("3"), 17..18));
    /// assert_eq!(tokens.next().unwrap_err().message, "unexpected end of file");
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::message;
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("NFG 2", 0);
    /// assert!(tokens.expect_keyword("NFG", || message!("the players")).is_ok());
    /// let error = tokens.expect_keyword("1", || message!("the format version 1"));
    /// assert_eq!(error.unwrap_err().message, "expected the format version 1");
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::message;
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("\"Morra\" 2", 0);
    /// let title = || message!("the title, in quotes");
    /// assert_eq!(tokens.expect_quoted(title), Ok("Morra"));
    /// assert_eq!(tokens.expect_quoted(title).unwrap_err().span, Some(8..9));
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::message;
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("  { 2 3", 0);
    /// let players = || message!("the players");
    /// assert_eq!(tokens.expect_open(players), Ok(2));
    /// let error = tokens.expect_open(players).unwrap_err();
    /// assert_eq!(error.message, "expected the players in braces");
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::message;
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("{ \"Rose\" \"Colin\" }", 0);
    /// let names = tokens.expect_names(|| message!("the players"));
    /// assert_eq!(names, Ok((vec!["Rose", "Colin"], 0..18)));
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::message;
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("-1/2 }", 0);
    /// let payoff = || message!("the payoffs");
    /// assert_eq!(tokens.expect_bare(payoff), Ok(("-1/2", 0..4)));
    /// assert_eq!(tokens.expect_bare(payoff).unwrap_err().message, "expected the payoffs");
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::read::tokens::Tokenizer;
    /// let mut tokens = Tokenizer::new("2 3\n", 1);
    /// assert_eq!(tokens.expect_end().unwrap_err().span, Some(2..3));
    /// tokens.next().unwrap();
    /// assert_eq!(tokens.expect_end(), Ok(()));
    /// ```
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
