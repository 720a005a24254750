//! The lexer: from text to tokens.

use grundy_base::{Diagnostic, Kind, Message, message};

use crate::ast::Span;
use crate::string::{self, Form, Literal};
use crate::token::{KEYWORDS, RESERVED, SIGNS, Token};

/// The kind of text that is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// One expression. Line breaks and indentation have no meaning.
    Expression,
    /// A rule file, in which lines and indentation delimit statements and blocks.
    File,
}

/// The lexer of a text. It returns one token at a time.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    source: &'a str,
    mode: Mode,
    at: usize,
    /// The number of open brackets. Between brackets, line breaks have no meaning.
    open: usize,
    /// The indentation of each open block, in blanks.
    blocks: Vec<usize>,
    /// The number of blocks that end before the next token.
    ends: usize,
    /// `true` at the beginning of a line, whose indentation has not been read yet.
    line_begins: bool,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str, mode: Mode) -> Self {
        Self {
            source,
            mode,
            at: 0,
            open: 0,
            blocks: Vec::new(),
            ends: 0,
            line_begins: mode == Mode::File,
        }
    }

    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// Returns whether line breaks end statements here.
    fn lines(&self) -> bool {
        self.mode == Mode::File && self.open == 0
    }

    /// Returns the next token and its place. After the end of the source, it returns
    /// [`Token::End`] again and again.
    pub(crate) fn next(&mut self) -> Result<(Token<'a>, Span), Diagnostic> {
        if self.ends > 0 {
            self.ends -= 1;
            return Ok((Token::Dedent, self.span_from(self.at)));
        }
        if self.line_begins
            && let Some(token) = self.indentation()?
        {
            return Ok((token, self.span_from(self.at)));
        }
        self.blanks()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok((self.end(), self.span_from(start)));
        };
        // `blanks` leaves only those line breaks that end a statement.
        if let Some(length) = line_break(self.rest()) {
            self.at += length;
            self.line_begins = true;
            return Ok((Token::Newline, Span::new(start, start)));
        }
        if let Some(literal) = string::literal(self.source, self.at) {
            return self.string(literal);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let word = &self.rest()[..prefix(self.rest(), is_part)];
            self.at += word.len();
            let span = self.span_from(start);
            if RESERVED.contains(&word) {
                return Err(self.reserved(word, span));
            }
            let keyword = KEYWORDS.into_iter().find(|keyword| *keyword == word);
            return Ok((keyword.map_or(Token::Name(word), Token::Sign), span));
        }
        let after_point = self.rest().strip_prefix('.');
        let decimal =
            after_point.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if first.is_ascii_digit() || decimal {
            return self.number();
        }
        let Some(sign) = SIGNS.into_iter().find(|sign| self.rest().starts_with(sign)) else {
            self.at += first.len_utf8();
            let found = format!("`{}`", first.escape_debug());
            let error = error(message!("unexpected {found}", found), self.span_from(start));
            return Err(if first == '!' && self.mode == Mode::File {
                error.help(message!("write `not` instead of `!`"))
            } else {
                error
            });
        };
        self.at += sign.len();
        match sign {
            "(" | "[" | "{" => self.open += 1,
            // If a closing bracket is missing, the parser reports it.
            ")" | "]" | "}" => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        Ok((Token::Sign(sign), self.span_from(start)))
    }

    /// Skips blanks, comments, joined lines, and line breaks that have no meaning.
    fn blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            match rest.as_bytes().first() {
                Some(b' ') => self.at += 1,
                Some(b'\t' | b'\r') if self.mode == Mode::Expression => self.at += 1,
                Some(b'\t') => {
                    let span = Span::new(self.at, self.at + 1);
                    let error = error(message!("tabs are not allowed"), span);
                    return Err(error.help(message!("indent with spaces")));
                }
                Some(b'#') => self.at += prefix(rest, |c| c != '\n'),
                Some(b'\\') => match line_break(&rest[1..]) {
                    Some(length) => self.at += 1 + length,
                    None => return Ok(()),
                },
                Some(b'\n' | b'\r') if !self.lines() => match line_break(rest) {
                    Some(length) => self.at += length,
                    None => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    /// Reads the indentation of the next line that is not empty. Returns the token for a change of
    /// the indentation.
    fn indentation(&mut self) -> Result<Option<Token<'a>>, Diagnostic> {
        let width = loop {
            let start = self.at;
            self.at += prefix(self.rest(), |c| c == ' ');
            let width = self.at - start;
            self.blanks()?;
            match line_break(self.rest()) {
                Some(length) => self.at += length,
                None if self.rest().is_empty() => break 0,
                None => {
                    // A comment or a joined line can lie between the blanks and the first token.
                    break width;
                }
            }
        };
        // At the end of the source, the last line has been ended.
        self.line_begins = self.rest().is_empty();
        if width > self.blocks.last().copied().unwrap_or(0) {
            self.blocks.push(width);
            return Ok(Some(Token::Indent));
        }
        let before = self.blocks.len();
        while self.blocks.last().is_some_and(|&block| block > width) {
            self.blocks.pop();
        }
        if self.blocks.last().copied().unwrap_or(0) != width {
            let message = message!("this indentation is not that of an earlier line");
            return Err(error(message, Span::new(self.at, self.at + 1)));
        }
        self.ends = before - self.blocks.len();
        if self.ends == 0 {
            return Ok(None);
        }
        self.ends -= 1;
        Ok(Some(Token::Dedent))
    }

    /// Returns the token at the end of the source. The last line and all blocks are ended first.
    fn end(&mut self) -> Token<'a> {
        if self.mode == Mode::File && !self.line_begins {
            self.line_begins = true;
            return Token::Newline;
        }
        Token::End
    }

    fn number(&mut self) -> Result<(Token<'a>, Span), Diagnostic> {
        let (start, rest) = (self.at, self.rest());
        let digits = prefix(rest, |c| c.is_ascii_digit());
        for (letter, radix) in [(b'x', 16), (b'b', 2), (b'o', 8)] {
            let bytes = rest.as_bytes();
            if digits == 1
                && bytes[0] == b'0'
                && bytes.get(1).map(u8::to_ascii_lowercase) == Some(letter)
            {
                let length = prefix(&rest[2..], |c| c.is_digit(radix));
                if length > 0 {
                    self.at += 2 + length;
                    let value = i128::from_str_radix(&rest[2..2 + length], radix);
                    let token = Token::Int(value.unwrap_or(i128::MAX));
                    return Ok((token, self.span_from(start)));
                }
            }
        }
        let fraction = match rest[digits..].strip_prefix('.') {
            // `a[1...]` cannot occur, but a text such as `1..3` is read as `1.` and `.3`.
            Some(after) => 1 + prefix(after, |c| c.is_ascii_digit()),
            None => 0,
        };
        let mantissa = digits + fraction;
        let exponent = exponent(&rest[mantissa..]);
        let length = mantissa + exponent;
        self.at += length;
        let (text, span) = (&rest[..length], self.span_from(start));
        if fraction > 0 || exponent > 0 {
            return Ok((Token::Float(text), span));
        }
        if text.len() > 1 && text.starts_with('0') {
            let message = message!("an integer cannot begin with 0");
            return Err(error(message, span));
        }
        let value = text.parse().unwrap_or(i128::MAX);
        Ok((Token::Int(value), span))
    }

    fn string(&mut self, literal: Literal) -> Result<(Token<'a>, Span), Diagnostic> {
        let start = self.at;
        self.at = literal.end;
        let span = self.span_from(start);
        if literal.form == Form::Format {
            let error = error(message!("f-strings are not supported"), span);
            return Err(error.help(message!(
                "concatenate strings with +, and convert a number with str(n)"
            )));
        }
        if literal.form == Form::Bytes {
            return Err(error(message!("byte strings are not supported"), span));
        }
        if !literal.closed {
            return Err(error(message!("unterminated string"), span));
        }
        let content = string::content(self.source, &literal)?;
        Ok((Token::Text(content), span))
    }

    /// Returns the error for a name that Starlark reserves. In a rule file, a hint says what to
    /// write instead.
    fn reserved(&self, word: &str, span: Span) -> Diagnostic {
        let found = format!("`{word}`");
        let error = error(message!("unexpected {found}", found), span);
        let help = match word {
            _ if self.mode == Mode::Expression => return error,
            "while" => message!("use a bounded loop, `for i in range(n)`"),
            "import" | "from" => message!(
                "a rule file cannot import other files: define everything that the rules need in the rule file"
            ),
            "class" => message!(
                "classes are not supported: define the functions moves(p), or left(p) and right(p)"
            ),
            "yield" => message!("return a list of all moves: return [...]"),
            "try" | "except" | "raise" => message!(
                "exceptions cannot be caught: test the condition with if, or stop with fail(text)"
            ),
            _ => return error,
        };
        error.help(help)
    }
}

/// Returns a syntax error.
pub(crate) fn error(message: Message, span: Span) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span.range())
}

/// Returns the length of the line break at the beginning of the text, if there is one.
fn line_break(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Returns the length in bytes of the longest prefix whose characters all satisfy the condition.
fn prefix(text: &str, condition: impl Fn(char) -> bool) -> usize {
    text.find(|c| !condition(c)).unwrap_or(text.len())
}

/// Returns the length of the exponent at the beginning of the text, or 0 if there is none.
fn exponent(text: &str) -> usize {
    let Some(after) = text.strip_prefix(['e', 'E']) else {
        return 0;
    };
    let sign = usize::from(after.starts_with(['+', '-']));
    match prefix(&after[sign..], |c| c.is_ascii_digit()) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}
