//! The one record of what went wrong: why something is not a position, not a file, or not to be
//! had.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::limit_kind::LimitKind;
use crate::message;
use crate::message::Message;

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
    /// Another process of the same work was lost.
    Lost,
    /// A mistake in the program itself.
    Internal,
}

impl Kind {
    /// Returns the name used in JSON.
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
            Self::Lost => "lost",
            Self::Internal => "internal",
        }
    }
}

/// Where a culprit stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// In the text that was read: these bytes.
    Span(Range<usize>),
    /// In the arguments of a call: the number of the argument (from 0, in the order written), then
    /// the indices inside nested lists.
    Argument(Vec<usize>),
}

impl From<Range<usize>> for Culprit {
    fn from(span: Range<usize>) -> Self {
        Self::Span(span)
    }
}

impl<const N: usize> From<[usize; N]> for Culprit {
    fn from(path: [usize; N]) -> Self {
        Self::Argument(path.into())
    }
}

impl From<Vec<usize>> for Culprit {
    fn from(path: Vec<usize>) -> Self {
        Self::Argument(path)
    }
}

impl From<&[usize]> for Culprit {
    fn from(path: &[usize]) -> Self {
        Self::Argument(path.into())
    }
}

/// What an error of somebody else was, who is to be told of it as it is: an exception that a rule
/// in another language has raised.
#[derive(Clone, Debug)]
pub struct Cause(Arc<dyn std::error::Error + Send + Sync>);

impl Cause {
    /// Returns the error, where it is of this type.
    #[must_use]
    pub fn of_type<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// The same error, not only an equal one.
impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cause {}

/// What is wrong, where, and what to do.
///
/// A constructor that refuses its arguments names them by [`Diagnostic::path`]; who has read them
/// from a text puts the bytes in its place, in [`Diagnostic::span`].
///
/// ```
/// use grundy_base::{Diagnostic, Kind, message};
/// let wrong = Diagnostic::new(Kind::Range, message!("{n} is less than {least}", n = -1, least = 0))
///     .at([1])
///     .help(message!("heaps have 0 chips or more"));
/// assert_eq!((wrong.kind.name(), &wrong.path[..]), ("range", &[1][..]));
/// assert_eq!(wrong.at(7..9).span, Some(7..9));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind, for programs.
    pub kind: Kind,
    /// One lower-case sentence.
    pub message: Message,
    /// What to do instead, if there is something to say.
    pub help: Option<Message>,
    /// The culprit, in bytes of the text it speaks of.
    pub span: Option<Range<usize>>,
    /// The culprit among the arguments of a call; empty for the call as a whole.
    pub path: Vec<usize>,
    /// The bytes at fault within an argument that is a string, when they are known.
    pub within: Option<Range<usize>>,
    /// The text that `span` speaks of, where it is not the input that was asked about.
    pub source: Option<Arc<str>>,
    /// The error behind it, where it was not made here.
    pub cause: Option<Cause>,
    /// `true` if it speaks of the rules that came with the input, not of the input.
    pub in_rules: bool,
    /// The limit that stopped the work, for an error of [`Kind::Limit`] that another limit would
    /// avoid.
    pub limit: Option<LimitKind>,
}

impl Diagnostic {
    /// Returns a diagnostic without a place; see [`Diagnostic::at`] and [`Diagnostic::help`].
    #[must_use]
    pub fn new(kind: Kind, message: Message) -> Self {
        Self {
            kind,
            message,
            help: None,
            span: None,
            path: Vec::new(),
            within: None,
            source: None,
            cause: None,
            in_rules: false,
            limit: None,
        }
    }

    /// Shorthand for [`Kind::IllegalPosition`].
    #[must_use]
    pub fn illegal(message: Message) -> Self {
        Self::new(Kind::IllegalPosition, message)
    }

    /// Returns a file that could not be read or written, by the name that the user knows.
    #[must_use]
    pub fn io(file: impl fmt::Display, error: &io::Error) -> Self {
        Self::new(
            Kind::Io,
            message!("{file}: {what}", file, what = Message::from(error)),
        )
    }

    /// Returns the same, pointing at a place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Culprit>) -> Self {
        match place.into() {
            Culprit::Span(span) => self.span = Some(span),
            Culprit::Argument(path) => self.path = path,
        }
        self
    }

    /// Returns the same, pointing at some bytes of the string that the argument is.
    #[must_use]
    pub fn within(mut self, bytes: Range<usize>) -> Self {
        self.within = Some(bytes);
        self
    }

    /// Returns the same, where the text it speaks of was the argument at this path: its bytes are
    /// those within.
    #[must_use]
    pub fn in_argument(mut self, path: impl Into<Vec<usize>>) -> Self {
        self.within = self.span.take();
        self.path = path.into();
        self
    }

    /// Returns the same, where the text it speaks of begins at this byte of a longer one.
    #[must_use]
    pub fn further(mut self, bytes: usize) -> Self {
        self.span = self.span.map(|span| span.start + bytes..span.end + bytes);
        self
    }

    /// Returns the same, with advice.
    #[must_use]
    pub fn help(mut self, help: Message) -> Self {
        self.help = Some(help);
        self
    }

    /// Returns the same, about a text of its own.
    #[must_use]
    pub fn of(mut self, source: impl Into<Arc<str>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Returns the same, with the error that is behind it.
    #[must_use]
    pub fn because_of(mut self, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Cause(Arc::new(error)));
        self
    }

    /// Returns the same, about the rules, whose text this is.
    #[must_use]
    pub fn of_rules(mut self, rules: impl Into<Arc<str>>) -> Self {
        self.in_rules = true;
        self.of(rules)
    }
}

/// What the operating system says, or the diagnostic that was wrapped for the way through a reader
/// or a writer.
impl From<&io::Error> for Message {
    fn from(error: &io::Error) -> Self {
        let wrapped = error.get_ref().and_then(|error| error.downcast_ref());
        wrapped.map_or_else(
            || message!("{error}", error),
            |wrapped: &Diagnostic| wrapped.message.clone(),
        )
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}
