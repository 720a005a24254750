//! Parsing of text to a syntax tree, by the parser of Starlark. That parser is recursive, so the
//! text is first scanned to limit its depth.

use std::ops::Range;

use grundy_core::{Kind, Message, message};
use starlark_syntax::codemap::Span;
use starlark_syntax::syntax::{AstModule, Dialect};

use crate::Diagnostic;
use crate::scan;

/// Parses a rule file and passes the syntax tree to `callback`. Both run on a stack that is large
/// enough.
///
/// # Errors
/// A text that is not valid Starlark, with the place of the error, or an error of `callback`.
///
/// # Examples
/// ```
/// use grundy_notation::parse::with_rules;
/// let rules = "def moves(n):\n    return [n - 1] if n else []\n";
/// assert_eq!(with_rules(rules, |_| Ok("valid")), Ok("valid"));
/// let error = with_rules("while True:\n    pass\n", |_| Ok("valid")).unwrap_err();
/// assert_eq!(error.help.unwrap(), "use a bounded loop, `for i in range(n)`");
/// ```
pub fn with_rules<T: Send + 'static>(
    source: &str,
    callback: impl FnOnce(&AstModule) -> Result<T, Diagnostic> + Send + 'static,
) -> Result<T, Diagnostic> {
    scan::scan(source, &scan::RULES)?;
    let length = source.len();
    let content = source.to_owned();
    on_large_stack(move || {
        let dialect = Dialect {
            enable_load: false,
            enable_top_level_stmt: true,
            ..Dialect::Standard
        };
        let module = module(content.clone(), &dialect)
            .map_err(|error| error.into_rules_diagnostic(&content, length))?;
        callback(&module)
    })?
}

/// Runs `work` on a thread with a large stack. On targets without threads, `work` runs directly,
/// and the stack size is set when the program is built.
pub(crate) fn on_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Diagnostic> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    // For the depth of nesting that `scan` allows, a stack of 256 MiB suffices. The memory is only
    // reserved, and most of it is never used.
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(work)
        .map_err(|error| Diagnostic::new(Kind::Internal, message!("{error}", error)))?
        .join()
        .map_err(|_| Diagnostic::new(Kind::Internal, message!("the parser failed")))
}

/// An error of the Starlark parser.
pub(crate) struct ParseError {
    message: String,
    span: Range<usize>,
}

impl ParseError {
    /// Converts the error to a diagnostic. The text that was parsed has `length` bytes.
    pub(crate) fn into_diagnostic(self, length: usize) -> Diagnostic {
        let span = self.span.start.min(length)..self.span.end.min(length);
        let parser_message = self.message.strip_prefix("Parse error: ");
        let parser_message = first_lower(parser_message.unwrap_or(&self.message));
        Diagnostic::new(Kind::Syntax, reword(&parser_message)).at(span)
    }

    /// Converts an error in a rule file to a diagnostic. For common mistakes, it adds a hint that
    /// states what to write instead.
    fn into_rules_diagnostic(self, source: &str, length: usize) -> Diagnostic {
        let help = python_hint(&self.message).or_else(|| operator_hint(source, &self.span));
        let diagnostic = self.into_diagnostic(length);
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// Returns the Python keyword in an error message of the parser, if the parser rejected one.
fn reserved_keyword(parser_message: &str) -> Option<&str> {
    let (_, word) = parser_message.split_once("cannot use reserved keyword `")?;
    word.strip_suffix('`')
}

/// Returns a hint for features of Python that do not exist in rule files.
fn python_hint(parser_message: &str) -> Option<Message> {
    Some(match reserved_keyword(parser_message) {
        Some("while") => message!("use a bounded loop, `for i in range(n)`"),
        Some("import" | "from") => {
            message!(
                "a rule file cannot import other files: define everything that the rules need in the rule file"
            )
        }
        Some("class") => {
            message!(
                "classes are not supported: define the functions moves(p), or left(p) and right(p)"
            )
        }
        Some("yield") => message!("return a list of all moves: return [...]"),
        Some("try" | "except" | "raise") => {
            message!(
                "exceptions cannot be caught: test the condition with if, or stop with fail(text)"
            )
        }
        None if parser_message.contains("f-strings") => {
            message!("concatenate strings with +, and convert a number with str(n)")
        }
        None if parser_message.ends_with("tabs are not allowed") => message!("indent with spaces"),
        None if parser_message.contains("new indentation block") => {
            message!("indent the lines of a function, a loop or a condition")
        }
        _ => return None,
    })
}

/// Returns a hint for an operator of another language, for `=` in a condition, or for a set
/// comprehension. The range `span` is the token that the parser rejected. In `&&` and `||`, this is
/// the second character.
fn operator_hint(source: &str, span: &Range<usize>) -> Option<Message> {
    let (before, rejected) = (source.get(..span.start)?, source.get(span.clone())?);
    let line = before.rsplit('\n').next()?.trim_start();
    Some(match rejected {
        "&" if before.ends_with('&') => message!("write `and` instead of `&&`"),
        "|" if before.ends_with('|') => message!("write `or` instead of `||`"),
        "!" => message!("write `not` instead of `!`"),
        "=" if line.starts_with("if ") || line.starts_with("elif ") => {
            message!("write == for equality")
        }
        // If a brace before `for` is not closed, it is the beginning of a set comprehension.
        "for" if before.rfind('{') > before.rfind('}') => {
            message!("sets are not supported: write a list, [x for x in ...]")
        }
        _ => return None,
    })
}

/// Returns a clearer message for a common error of the parser. Rare messages are not changed.
fn reword(parser_message: &str) -> Message {
    if let Some(word) = reserved_keyword(parser_message) {
        return message!("unexpected {found}", found = format!("`{word}`"));
    }
    if parser_message.contains("f-strings") {
        return message!("f-strings are not supported");
    }
    if parser_message == "tabs are not allowed" {
        return message!("tabs are not allowed");
    }
    if parser_message == "unfinished string literal" {
        return message!("unterminated string");
    }
    if let Some(found) = parser_message.strip_prefix("invalid input ") {
        return message!("unexpected {found}", found);
    }
    // The messages of the parser have the form `unexpected X, expected Y`. X may contain a comma,
    // so the text is split at the last comma.
    let pair = parser_message
        .strip_prefix("unexpected ")
        .and_then(|rest| rest.rsplit_once(", expected "));
    let Some((found, expected)) = pair else {
        return message!("{error}", error = parser_message);
    };
    message!(
        "expected {expected}, found {found}",
        expected = token_name(expected),
        found = token_name(found)
    )
}

/// Returns a clearer name for a token than that of the parser.
fn token_name(name: &str) -> Message {
    match name {
        "new line" => return message!("end of line"),
        "expression" => return message!("an expression"),
        "identifier" => return message!("a name"),
        "indentation block" | "new indentation block" => return message!("an indented line"),
        _ => {}
    }
    let written = name
        .split_once(" '")
        .and_then(|(_, written)| written.strip_suffix('\''));
    if let Some(written) = written {
        message!("`{written}`", written)
    } else {
        message!("{token}", token = name)
    }
}

/// Parses the Starlark text `content` to a syntax tree.
pub(crate) fn module(content: String, dialect: &Dialect) -> Result<AstModule, ParseError> {
    AstModule::parse("expression", content, dialect).map_err(|error| {
        let span = error.span().map_or(0..0, |file| range(file.span));
        let message = error.without_diagnostic().to_string();
        ParseError { message, span }
    })
}

/// Converts a span of the parser to a range of bytes.
///
/// ```
/// use grundy_notation::parse::{range, with_rules};
/// let span = with_rules("n = 2 + 3", |module| Ok(range(module.statement().span)))?;
/// assert_eq!(span, 0..9);
/// # Ok::<(), grundy_notation::Diagnostic>(())
/// ```
#[must_use]
pub fn range(span: Span) -> Range<usize> {
    span.begin().get() as usize..span.end().get() as usize
}

fn first_lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
