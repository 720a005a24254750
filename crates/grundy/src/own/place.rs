//! Positions of games of one's own.

use std::fmt::{self, Write as _};
use std::sync::Arc;

/// A position of a game of one's own: an integer, a string, or a tuple or list of these. Cloning one is cheap.
///
/// It is written as in Starlark and Python. Nesting is limited by whoever makes it: comparing and writing recurse.
///
/// ```
/// use grundy::own::Place;
/// let place = Place::tuple(vec![Place::Int(3), Place::text("a\"b"), Place::tuple(vec![Place::Int(-1)])]);
/// assert_eq!(place.to_string(), r#"(3, "a\"b", (-1,))"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// An integer.
    Int(i64),
    /// A string.
    Text(Arc<str>),
    /// A tuple.
    Tuple(Arc<[Place]>),
    /// A list.
    List(Arc<[Place]>),
}

impl Place {
    /// A string.
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A tuple.
    #[must_use]
    pub fn tuple(items: impl Into<Arc<[Place]>>) -> Self {
        Self::Tuple(items.into())
    }

    /// A list.
    #[must_use]
    pub fn list(items: impl Into<Arc<[Place]>>) -> Self {
        Self::List(items.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = |f: &mut fmt::Formatter<'_>, items: &[Self]| {
            for (index, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Text(text) => quoted(text, f),
            Self::Tuple(parts) => {
                f.write_char('(')?;
                items(f, parts)?;
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            Self::List(parts) => {
                f.write_char('[')?;
                items(f, parts)?;
                f.write_char(']')
            }
        }
    }
}

/// A string literal that reads back as `text`.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if (c as u32) < 0x20 || c as u32 == 0x7f => write!(f, "\\x{:02x}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
