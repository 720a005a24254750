//! Tokens and their names in error messages.

use grundy_base::{Message, message};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Name(&'a str),
    Int(i128),
    Float(&'a str),
    Text(String),
    /// A keyword, an operator or another sign.
    Sign(&'static str),
    /// The end of a line outside of brackets.
    Newline,
    /// The beginning of a block.
    Indent,
    /// The end of a block.
    Dedent,
    /// The end of the source.
    End,
}

impl Token<'_> {
    /// Returns the name of the token in error messages. `source` is its text.
    pub(crate) fn name(&self, source: &str) -> Message {
        /// Largest number of characters of a token that are shown.
        const MOST: usize = 40;
        match self {
            Self::Newline | Self::End => message!("end of line"),
            Self::Indent | Self::Dedent => message!("an indented line"),
            _ => {
                let end = source.char_indices().nth(MOST);
                let text = match end {
                    Some((end, _)) => format!("`{}...`", &source[..end]),
                    None => format!("`{source}`"),
                };
                message!("{text}", text)
            }
        }
    }
}

/// The keywords.
pub(crate) const KEYWORDS: [&str; 15] = [
    "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not",
    "or", "pass", "return",
];

/// The names that Starlark reserves without using them.
pub(crate) const RESERVED: [&str; 18] = [
    "as", "assert", "async", "await", "class", "del", "except", "finally", "from", "global",
    "import", "is", "nonlocal", "raise", "try", "while", "with", "yield",
];

/// The signs. Every sign precedes its own prefixes.
pub(crate) const SIGNS: [&str; 43] = [
    "<<=", ">>=", "//=", "...", "==", "!=", "<=", ">=", "<<", ">>", "//", "**", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "->", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "=",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".",
];
