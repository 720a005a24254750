//! Diagnostics: the common error type for positions, files and questions that are rejected.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::limit_kind::LimitKind;
use crate::message;
use crate::message::Message;

/// The kind of an error. Its name in JSON is part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The text is not an expression of the notation.
    Syntax,
    /// A value has the wrong type.
    Type,
    /// A number is out of range.
    Range,
    /// A number does not fit into 64 bits.
    Overflow,
    /// No game, set or argument has this name.
    UnknownName,
    /// The arguments are well formed but do not describe a position.
    IllegalPosition,
    /// The move is not legal in the position.
    IllegalMove,
    /// The bytes are not UTF-8.
    Encoding,
    /// A file could not be read or written.
    Io,
    /// A limit stopped the computation.
    Limit,
    /// The question requires an impartial game.
    NotImpartial,
    /// The question requires a game that ends.
    Cyclic,
    /// Another process of the same computation was lost.
    Lost,
    /// A bug in the program.
    Internal,
}

impl Kind {
    /// Returns the name used in JSON.
    ///
    /// ```
    /// use grundy_base::Kind;
    /// assert_eq!(Kind::NotImpartial.name(), "not_impartial");
    /// ```
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

/// The location of an error: bytes of the text, or an argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A range of bytes in the text of the question.
    Span(Range<usize>),
    /// An argument of a call: the index of the argument, followed by the indices within nested
    /// lists.
    Argument(Vec<usize>),
}

impl From<Range<usize>> for Location {
    fn from(span: Range<usize>) -> Self {
        Self::Span(span)
    }
}

impl<const N: usize> From<[usize; N]> for Location {
    fn from(path: [usize; N]) -> Self {
        Self::Argument(path.into())
    }
}

impl From<Vec<usize>> for Location {
    fn from(path: Vec<usize>) -> Self {
        Self::Argument(path)
    }
}

impl From<&[usize]> for Location {
    fn from(path: &[usize]) -> Self {
        Self::Argument(path.into())
    }
}

/// An error from outside the library, such as an exception in rules written in another language.
/// The caller re-raises it unchanged.
#[derive(Clone, Debug)]
pub struct Cause(Arc<dyn std::error::Error + Send + Sync>);

impl Cause {
    /// Returns the original error if it has type `E`.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let error = "x".parse::<u64>().unwrap_err();
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("expected a number"));
    /// let cause = wrong.with_cause(error.clone()).cause.unwrap();
    /// assert_eq!(cause.of_type(), Some(&error));
    /// assert!(cause.of_type::<std::fmt::Error>().is_none());
    /// ```
    #[must_use]
    pub fn of_type<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// Compares identities: two causes are equal if they are the same object.
impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cause {}

/// An error with its location and advice.
///
/// A constructor that rejects an argument puts the argument's index into [`Diagnostic::path`]. If
/// the arguments came from a text, the caller also sets [`Diagnostic::span`] to the bytes of that
/// argument.
///
/// ```
/// use grundy_base::{Diagnostic, Kind, message};
/// let message = message!("{n} is less than {least}", n = -1, least = 0);
/// let wrong = Diagnostic::new(Kind::Range, message)
///     .at([1])
///     .help(message!("heaps have 0 chips or more"));
/// assert_eq!((wrong.kind.name(), &wrong.path[..]), ("range", &[1][..]));
/// assert_eq!(wrong.at(7..9).span, Some(7..9));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of the error, for programs to test.
    pub kind: Kind,
    /// The message: a sentence that begins in lower case.
    pub message: Message,
    /// Advice on how to avoid the error, if there is any.
    pub help: Option<Message>,
    /// The range of bytes of the text that caused the error.
    pub span: Option<Range<usize>>,
    /// The argument that caused the error: its index, then the indices within nested lists. Empty
    /// if no single argument caused the error.
    pub path: Vec<usize>,
    /// The range of bytes within the argument that caused the error. `None` if the argument is not
    /// a string, or if the range is unknown.
    pub within: Option<Range<usize>>,
    /// The text to which `span` refers. `None` if it is the text of the question.
    pub source: Option<Arc<str>>,
    /// The original error, if it was raised outside the library.
    pub cause: Option<Cause>,
    /// `true` if the error is in user-defined rules, and `false` if it is in the question.
    pub in_rules: bool,
    /// For [`Kind::Limit`], the limit to raise. `None` if no limit set by the user would avoid the
    /// error.
    pub limit: Option<LimitKind>,
    /// The meanings of a text that can be read in several ways, each as an expression. Empty for
    /// all other errors.
    pub readings: Box<[String]>,
}

impl Diagnostic {
    /// Creates a diagnostic without a location. See [`Diagnostic::at`] and [`Diagnostic::help`].
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let wrong = Diagnostic::new(Kind::Overflow, message!("a heap has at most 2^64 - 1 chips"));
    /// assert_eq!(wrong.to_string(), "a heap has at most 2^64 - 1 chips");
    /// assert_eq!((wrong.span, wrong.help), (None, None));
    /// ```
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
            readings: Box::default(),
        }
    }

    /// Creates the error for a text that can be read in several ways. Each reading is an
    /// expression. The advice lists them, and programs find them in [`Diagnostic::readings`].
    ///
    /// ```
    /// use grundy_base::Diagnostic;
    /// let readings = ["subtraction([1, 2], 9)", "subtraction([1], 2, 9)"];
    /// let wrong = Diagnostic::ambiguous(readings.map(str::to_owned));
    /// assert_eq!(wrong.kind.name(), "syntax");
    /// assert_eq!(wrong.readings[1], "subtraction([1], 2, 9)");
    /// ```
    #[must_use]
    pub fn ambiguous(readings: impl Into<Box<[String]>>) -> Self {
        let readings = readings.into();
        let listed = readings.join("; ");
        let error = Self::new(
            Kind::Syntax,
            message!("the text has {count} readings", count = readings.len()),
        );
        Self {
            readings,
            ..error.help(message!(
                "write one of these: {readings}",
                readings = listed
            ))
        }
    }

    /// Creates a diagnostic of [`Kind::IllegalPosition`].
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let wrong = Diagnostic::illegal(message!("{n} is not an octal digit", n = 8));
    /// assert_eq!(wrong.kind, Kind::IllegalPosition);
    /// assert_eq!(wrong.message, "8 is not an octal digit");
    /// ```
    #[must_use]
    pub fn illegal(message: Message) -> Self {
        Self::new(Kind::IllegalPosition, message)
    }

    /// Creates a diagnostic for a file that could not be read or written. `file` is the name of the
    /// file as the user knows it.
    ///
    /// ```
    /// use std::io::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::UnexpectedEof, "the file is cut");
    /// let wrong = grundy_base::Diagnostic::io("nim.csv", &error);
    /// assert_eq!(wrong.message, "nim.csv: the file is cut");
    /// ```
    #[must_use]
    pub fn io(file: impl fmt::Display, error: &io::Error) -> Self {
        Self::new(
            Kind::Io,
            message!("{file}: {what}", file, what = Message::from(error)),
        )
    }

    /// Sets the location of the error: a range of bytes in the text ([`Diagnostic::span`]), or an
    /// argument ([`Diagnostic::path`]).
    ///
    /// ```
    /// use grundy_base::{Diagnostic, message};
    /// let wrong = Diagnostic::illegal(message!("heaps have 0 chips or more"));
    /// // The third element of the list that is the first argument.
    /// assert_eq!(wrong.clone().at([0, 2]).path, [0, 2]);
    /// let question = "nim([3, 4, -1])";
    /// assert_eq!(&question[wrong.at(11..13).span.unwrap()], "-1");
    /// ```
    #[must_use]
    pub fn at(mut self, place: impl Into<Location>) -> Self {
        match place.into() {
            Location::Span(span) => self.span = Some(span),
            Location::Argument(path) => self.path = path,
        }
        self
    }

    /// Sets the bytes that caused the error, within an argument that is a string.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let code = "0.7x";
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("expected an octal digit"));
    /// let wrong = wrong.at([0]).within(3..4);
    /// assert_eq!(&code[wrong.within.unwrap()], "x");
    /// ```
    #[must_use]
    pub fn within(mut self, bytes: Range<usize>) -> Self {
        self.within = Some(bytes);
        self
    }

    /// Converts a location in a parsed text to a location in the argument that contained this text.
    /// The span becomes the range [`Diagnostic::within`], and `path` becomes [`Diagnostic::path`].
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("expected an octal digit")).at(3..4);
    /// let wrong = wrong.in_argument([0]);
    /// assert_eq!((wrong.path, wrong.within, wrong.span), (vec![0], Some(3..4), None));
    /// ```
    #[must_use]
    pub fn in_argument(mut self, path: impl Into<Vec<usize>>) -> Self {
        self.within = self.span.take();
        self.path = path.into();
        self
    }

    /// Shifts the span by `bytes`, the offset at which the parsed text begins within a longer text.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// // The term `nim(x)` begins at byte 7 of the sum.
    /// let (sum, term) = ("nim(3)+nim(x)", "nim(x)");
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("expected a number")).at(4..5);
    /// let wrong = wrong.offset_by(sum.len() - term.len());
    /// assert_eq!(&sum[wrong.span.unwrap()], "x");
    /// ```
    #[must_use]
    pub fn offset_by(mut self, bytes: usize) -> Self {
        self.span = self.span.map(|span| span.start + bytes..span.end + bytes);
        self
    }

    /// Sets the advice on how to avoid the error.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, message};
    /// let wrong = Diagnostic::illegal(message!("-1 is negative"));
    /// let wrong = wrong.help(message!("heaps have 0 chips or more"));
    /// assert_eq!(wrong.help.unwrap(), "heaps have 0 chips or more");
    /// ```
    #[must_use]
    pub fn help(mut self, help: Message) -> Self {
        self.help = Some(help);
        self
    }

    /// Sets the text to which the span refers.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("expected a number")).at(4..5);
    /// let wrong = wrong.with_source("nim(x)");
    /// assert_eq!(&wrong.source.unwrap()[wrong.span.unwrap()], "x");
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Arc<str>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Sets the original error.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let error = "x".parse::<u64>().unwrap_err();
    /// let wrong = Diagnostic::new(Kind::Syntax, message!("{error}", error)).with_cause(error);
    /// assert_eq!(wrong.message, "invalid digit found in string");
    /// assert!(wrong.cause.unwrap().of_type::<std::num::ParseIntError>().is_some());
    /// ```
    #[must_use]
    pub fn with_cause(mut self, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Cause(Arc::new(error)));
        self
    }

    /// Marks the error as one in user-defined rules, and sets the text of the rules.
    ///
    /// ```
    /// use grundy_base::{Diagnostic, Kind, message};
    /// let rules = "def moves(n): return m";
    /// let wrong = Diagnostic::new(Kind::UnknownName, message!("`m` is not defined")).at(21..22);
    /// let wrong = wrong.of_rules(rules);
    /// assert!(wrong.in_rules);
    /// assert_eq!(&wrong.source.unwrap()[wrong.span.unwrap()], "m");
    /// ```
    #[must_use]
    pub fn of_rules(mut self, rules: impl Into<Arc<str>>) -> Self {
        self.in_rules = true;
        self.with_source(rules)
    }
}

/// Returns the message of the diagnostic that the error contains. If it contains none, returns the
/// error text of the operating system.
impl From<&io::Error> for Message {
    fn from(error: &io::Error) -> Self {
        // `Read` and `Write` can fail only with an `io::Error`. So a diagnostic that must pass
        // through them is stored in an `io::Error`.
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
