//! Positions of custom games.

use std::any::Any;
use std::fmt::{self, Debug, Display, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::composite::literal::Game;

/// A value of another language that serves as a position. Only that language can inspect it.
pub trait Foreign: Any + Debug + Display + Send + Sync {
    /// Returns a hash of the value. Equal values have equal hashes.
    fn code(&self) -> u64;

    /// Returns whether `other` is equal to this value.
    fn same(&self, other: &dyn Foreign) -> bool;
}

/// A position of a custom game: an integer, a string, or a tuple or list of these. An item of a
/// tuple or list may also be `None`.
///
/// If the rules are given in another language, a position may also be a value of that language.
/// Cloning is cheap, because large data are shared. The text form is that of Starlark and Python.
/// The code that creates a position must limit the nesting of the position, since comparing and
/// writing are recursive.
///
/// ```
/// use grundy_core::dynamic::DynamicPosition;
/// let position = DynamicPosition::tuple(vec![
///     DynamicPosition::Int(3),
///     DynamicPosition::text("a\"b"),
///     DynamicPosition::tuple(vec![DynamicPosition::Int(-1)]),
/// ]);
/// assert_eq!(position.to_string(), r#"(3, "a\"b", (-1,))"#);
/// ```
#[derive(Clone, Debug)]
pub enum DynamicPosition {
    /// The value `None`, which differs from all others.
    None,
    /// An integer.
    Int(i64),
    /// An integer that does not fit in 64 bits, although its absolute value does. See
    /// [`DynamicPosition::integer`].
    Wide {
        /// `true` if the integer is less than 0.
        negative: bool,
        /// The absolute value.
        magnitude: u64,
    },
    /// A string.
    Text(Arc<str>),
    /// A tuple.
    Tuple(Arc<[DynamicPosition]>),
    /// A list.
    List(Arc<[DynamicPosition]>),
    /// A value of another language.
    Foreign(Arc<dyn Foreign>),
    /// A finished value, which is a game given by its options. The rules are not called for its
    /// moves.
    Game(Game),
}

impl PartialEq for DynamicPosition {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Wide { .. }, Self::Wide { .. }) => self.to_integer() == other.to_integer(),
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::Tuple(one), Self::Tuple(other)) | (Self::List(one), Self::List(other)) => {
                one == other
            }
            (Self::Foreign(one), Self::Foreign(other)) => {
                // `code` is cheap and rejects most pairs. `same` calls into the other language.
                Arc::ptr_eq(one, other) || (one.code() == other.code() && one.same(&**other))
            }
            (Self::Game(one), Self::Game(other)) => one == other,
            _ => false,
        }
    }
}

impl Eq for DynamicPosition {}

impl Hash for DynamicPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The variant is hashed, because a tuple and a list of equal items are different positions.
        std::mem::discriminant(self).hash(state);
        match self {
            Self::None => {}
            Self::Int(n) => n.hash(state),
            Self::Wide { .. } => self.to_integer().hash(state),
            Self::Text(text) => text.hash(state),
            Self::Tuple(parts) | Self::List(parts) => parts.hash(state),
            Self::Foreign(value) => value.code().hash(state),
            Self::Game(game) => game.hash(state),
        }
    }
}

impl DynamicPosition {
    /// Creates a position that is an integer. Returns `None` unless the absolute value of the
    /// integer is less than 2^64.
    ///
    /// ```
    /// use grundy_core::dynamic::DynamicPosition;
    /// let largest = DynamicPosition::integer(u64::MAX.into()).unwrap();
    /// assert_eq!(largest.to_string(), "18446744073709551615");
    /// assert_eq!(DynamicPosition::integer(-3), Some(DynamicPosition::Int(-3)));
    /// assert_eq!(DynamicPosition::integer(1 << 64), None);
    /// ```
    #[must_use]
    pub fn integer(n: i128) -> Option<Self> {
        if let Ok(n) = i64::try_from(n) {
            return Some(Self::Int(n));
        }
        Some(Self::Wide {
            negative: n < 0,
            magnitude: n.unsigned_abs().try_into().ok()?,
        })
    }

    /// Returns the integer, if the position is one.
    ///
    /// ```
    /// use grundy_core::dynamic::DynamicPosition;
    /// let largest = DynamicPosition::integer(u64::MAX.into()).unwrap();
    /// assert_eq!(largest.to_integer(), Some(u64::MAX.into()));
    /// assert_eq!(DynamicPosition::text("7").to_integer(), None);
    /// ```
    #[must_use]
    pub fn to_integer(&self) -> Option<i128> {
        match *self {
            Self::Int(n) => Some(n.into()),
            Self::Wide {
                negative,
                magnitude,
            } => {
                let magnitude = i128::from(magnitude);
                Some(if negative { -magnitude } else { magnitude })
            }
            _ => None,
        }
    }

    /// Creates a position that is a string.
    ///
    /// ```
    /// use grundy_core::dynamic::DynamicPosition;
    /// assert_eq!(DynamicPosition::text("XO.").to_string(), r#""XO.""#);
    /// ```
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a position that is a tuple.
    ///
    /// ```
    /// use grundy_core::dynamic::DynamicPosition;
    /// let pair = DynamicPosition::tuple([3, 5].map(DynamicPosition::Int));
    /// assert_eq!(pair.to_string(), "(3, 5)");
    /// ```
    #[must_use]
    pub fn tuple(items: impl Into<Arc<[DynamicPosition]>>) -> Self {
        Self::Tuple(items.into())
    }

    /// Creates a position that is a list.
    ///
    /// ```
    /// use grundy_core::dynamic::DynamicPosition;
    /// let items = [3, 5].map(DynamicPosition::Int);
    /// let list = DynamicPosition::list(items.clone());
    /// assert_eq!(list.to_string(), "[3, 5]");
    /// assert_ne!(list, DynamicPosition::tuple(items));
    /// ```
    #[must_use]
    pub fn list(items: impl Into<Arc<[DynamicPosition]>>) -> Self {
        Self::List(items.into())
    }
}

impl fmt::Display for DynamicPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = |f: &mut fmt::Formatter<'_>, items: &[Self]| {
            for (index, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::None => f.write_str("None"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Wide { .. } => write!(f, "{}", self.to_integer().unwrap_or_default()),
            Self::Text(text) => quoted(text, f),
            Self::Tuple(parts) => {
                f.write_char('(')?;
                items(f, parts)?;
                // `(1)` would be read as the number 1.
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            Self::List(parts) => {
                f.write_char('[')?;
                items(f, parts)?;
                f.write_char(']')
            }
            Self::Foreign(value) => write!(f, "{value}"),
            Self::Game(game) => write!(f, "{game}"),
        }
    }
}

/// Writes `text` as a string literal with escapes.
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
