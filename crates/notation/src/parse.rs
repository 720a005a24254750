//! From text to syntax tree. The parser is that of Starlark; it recurses, so what it gets has been
//! scanned before.

use std::ops::Range;

use grundy::{Kind, Message, message};
use starlark_syntax::codemap::Span;
use starlark_syntax::syntax::{AstModule, Dialect};

use crate::Diagnostic;
use crate::scan;

/// Returns the syntax tree of a file of rules, handed to `use_it` on a stack that is known to be
/// large enough for it.
///
/// # Errors
/// A text that is not a Starlark file, with its place, or what `use_it` answers.
pub fn with_rules<T: Send + 'static>(
    source: &str,
    use_it: impl FnOnce(&AstModule) -> Result<T, Diagnostic> + Send + 'static,
) -> Result<T, Diagnostic> {
    scan::scan(source, &scan::RULES)?;
    let length = source.len();
    let content = source.to_owned();
    on_a_large_stack(move || {
        let dialect = Dialect {
            enable_load: false,
            enable_top_level_stmt: true,
            ..Dialect::Standard
        };
        let module =
            module(content.clone(), &dialect).map_err(|error| error.of_rules(&content, length))?;
        use_it(&module)
    })?
}

/// Runs `work` on a stack of its own. Where there are no threads, whoever built the program gave it
/// a large one.
pub(crate) fn on_a_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Diagnostic> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(work)
        .map_err(|error| Diagnostic::new(Kind::Internal, message!("{error}", error)))?
        .join()
        .map_err(|_| Diagnostic::new(Kind::Internal, message!("the parser failed")))
}

/// What the parser refuses.
pub(crate) struct ParseError {
    message: String,
    span: Range<usize>,
}

impl ParseError {
    /// Returns the diagnostic for a text of `length` bytes.
    pub(crate) fn within(self, length: usize) -> Diagnostic {
        let span = self.span.start.min(length)..self.span.end.min(length);
        let refused = self.message.strip_prefix("Parse error: ");
        let refused = first_lower(refused.unwrap_or(&self.message));
        Diagnostic::new(Kind::Syntax, reworded(&refused)).at(span)
    }

    /// Returns the same for a file of rules, with what to write there instead.
    fn of_rules(self, source: &str, length: usize) -> Diagnostic {
        let help = advice(&self.message).or_else(|| sign_advice(source, &self.span));
        let diagnostic = self.within(length);
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// Returns the word of Python that the parser knows and refuses.
fn reserved(refused: &str) -> Option<&str> {
    let (_, word) = refused.split_once("cannot use reserved keyword `")?;
    word.strip_suffix('`')
}

/// What to write instead of what Python has and rule files have not.
fn advice(refused: &str) -> Option<Message> {
    Some(match reserved(refused) {
        Some("while") => message!("use a loop with an end, `for i in range(n)`"),
        Some("import" | "from") => message!("a rule file stands alone: what it needs, it defines"),
        Some("class") => {
            message!("a rule file is made of functions: moves(p), or left(p) and right(p)")
        }
        Some("yield") => message!("return a list of all moves: return [...]"),
        Some("try" | "except" | "raise") => {
            message!("nothing is caught: ask with if before it goes wrong, or stop with fail(text)")
        }
        None if refused.contains("f-strings") => {
            message!("join texts with +, and make a text of a number by str(n)")
        }
        None if refused.ends_with("tabs are not allowed") => message!("indent with blanks"),
        None if refused.contains("new indentation block") => {
            message!("the lines of a function, a loop or a condition are indented")
        }
        _ => return None,
    })
}

/// What to write instead of a sign of another language, which is refused where it ends or where it
/// begins.
fn sign_advice(source: &str, span: &Range<usize>) -> Option<Message> {
    let (before, refused) = (source.get(..span.start)?, source.get(span.clone())?);
    let line = before.rsplit('\n').next()?.trim_start();
    Some(match refused {
        "&" if before.ends_with('&') => message!("write `and` in place of `&&`"),
        "|" if before.ends_with('|') => message!("write `or` in place of `||`"),
        "!" => message!("write `not` in place of `!`"),
        "=" if line.starts_with("if ") || line.starts_with("elif ") => {
            message!("equality is written ==")
        }
        "for" if before.rfind('{') > before.rfind('}') => {
            message!("there are no sets: write a list, [x for x in ...]")
        }
        _ => return None,
    })
}

/// What the parser says, in words of our own; as it stands where it says something rare.
fn reworded(refused: &str) -> Message {
    if let Some(word) = reserved(refused) {
        return message!("{found} has no meaning here", found = format!("`{word}`"));
    }
    if refused.contains("f-strings") {
        return message!("f-strings have no meaning here");
    }
    if refused == "tabs are not allowed" {
        return message!("tabs are not allowed");
    }
    if refused == "unfinished string literal" {
        return message!("this text has no closing quotation mark");
    }
    if let Some(found) = refused.strip_prefix("invalid input ") {
        return message!("{found} has no meaning here", found);
    }
    let pair = refused
        .strip_prefix("unexpected ")
        .and_then(|rest| rest.rsplit_once(", expected "));
    let Some((found, expected)) = pair else {
        return message!("{error}", error = refused);
    };
    message!(
        "{expected} is expected here, not {found}",
        expected = token(expected),
        found = token(found)
    )
}

/// What the parser calls a token.
fn token(name: &str) -> Message {
    match name {
        "new line" => return message!("the end"),
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

/// Parses.
pub(crate) fn module(content: String, dialect: &Dialect) -> Result<AstModule, ParseError> {
    AstModule::parse("expression", content, dialect).map_err(|error| {
        let span = error.span().map_or(0..0, |file| range(file.span));
        let message = error.without_diagnostic().to_string();
        ParseError { message, span }
    })
}

/// Returns a span in bytes.
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
