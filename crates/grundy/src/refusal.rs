//! Refusals: why something is not a position, as data.

use std::fmt;
use std::ops::Range;

/// The kinds of error a user can meet; their names are part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The text is not an expression of the notation.
    Syntax,
    /// A value has the wrong type.
    Type,
    /// A number lies outside its range.
    Range,
    /// A number does not fit 64 bits.
    Overflow,
    /// No game, set or argument has this name.
    UnknownName,
    /// The arguments are well formed and still describe no position.
    IllegalPosition,
    /// The move is not legal here.
    IllegalMove,
    /// The bytes are not UTF-8.
    Encoding,
    /// A file could not be read or written.
    Io,
    /// A limit ended the work.
    Limit,
    /// The question needs an impartial game.
    NotImpartial,
    /// The question needs a game that ends.
    Cyclic,
    /// A mistake in the program itself.
    Internal,
}

impl Kind {
    /// The name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Type => "type",
            Self::Range => "range",
            Self::Overflow => "overflow",
            Self::UnknownName => "unknown_name",
            Self::IllegalPosition => "illegal_position",
            Self::IllegalMove => "illegal_move",
            Self::Encoding => "encoding",
            Self::Io => "io",
            Self::Limit => "limit",
            Self::NotImpartial => "not_impartial",
            Self::Cyclic => "cyclic",
            Self::Internal => "internal",
        }
    }
}

/// Why arguments do not make a position, and where.
///
/// `path` leads to the culprit: the number of the argument (from 0, in the order written), then the
/// indices inside nested lists. An empty path means the call as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind, for programs.
    pub kind: Kind,
    /// One lower-case sentence.
    pub message: String,
    /// What to do instead, if there is something to say.
    pub help: Option<String>,
    /// Where the culprit stands.
    pub path: Vec<usize>,
    /// The bytes at fault, when the culprit is a string and they are known.
    pub within: Option<Range<usize>>,
}

impl Refusal {
    /// A refusal of the whole call; see [`Refusal::at`] and [`Refusal::help`].
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: None,
            path: Vec::new(),
            within: None,
        }
    }

    /// Shorthand for [`Kind::IllegalPosition`].
    #[must_use]
    pub fn illegal(message: impl Into<String>) -> Self {
        Self::new(Kind::IllegalPosition, message)
    }

    /// The same refusal, pointing at `path`.
    #[must_use]
    pub fn at(mut self, path: impl Into<Vec<usize>>) -> Self {
        self.path = path.into();
        self
    }

    /// The same refusal, pointing at some bytes of the string it is about.
    #[must_use]
    pub fn within(mut self, bytes: Range<usize>) -> Self {
        self.within = Some(bytes);
        self
    }

    /// The same refusal, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
