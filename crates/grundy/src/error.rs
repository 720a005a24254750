//! The error of every operation of the library.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use grundy_base::limits::Stop;
use grundy_base::message::Part;
use grundy_base::{Diagnostic, Kind, LimitKind, Message};

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is not written in the notation.
    Syntax,
    /// An argument has the wrong type.
    Type,
    /// A number is out of range.
    Range,
    /// A number does not fit into its type.
    Overflow,
    /// There is no game, set or argument of this name.
    UnknownName,
    /// The arguments are well formed, but do not describe a position.
    IllegalPosition,
    /// The move is not legal in the position.
    IllegalMove,
    /// A limit was reached. [`Error::limit`] says which one.
    Limit,
    /// The computation was cancelled with a [`CancelHandle`](crate::CancelHandle).
    Cancelled,
    /// The question has an answer for other kinds of games only, for example for impartial games.
    NotSupported,
    /// The question requires a game in which no position can recur.
    Cyclic,
    /// The rules of a user-defined game panicked.
    Rules,
    /// A bug in the library.
    Internal,
}

/// The limit that stopped a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Solver::timeout`](crate::Solver::timeout).
    Time,
    /// [`Solver::max_memory`](crate::Solver::max_memory).
    Memory,
    /// [`Solver::max_positions`](crate::Solver::max_positions).
    Positions,
    /// A limit on the length of a result, which cannot be set.
    Output,
}

/// The part of the input that caused an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A range of bytes of the text that was parsed, see [`Error::input`].
    Span(Range<usize>),
    /// An argument of a function of [`games`](crate::games): its index, followed by the indices
    /// within nested lists.
    Argument(Vec<usize>),
}

/// An error with its kind, a message and the place in the input. It also has a hint how to avoid
/// it, and the results that were found before a limit was reached.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let error = games::domineering(["..", ".?"]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::IllegalPosition);
/// assert_eq!(error.place(), Some(&Place::Argument(vec![0, 1])));
/// ```
#[derive(Clone)]
pub struct Error(Box<Content>);

#[derive(Clone)]
struct Content {
    kind: ErrorKind,
    message: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    place: Option<Place>,
    input: Option<String>,
    limit: Option<Limit>,
    /// The answer found before a limit was reached. It is an `Answer`, whose type depends on this
    /// one.
    partial: Option<Arc<dyn Any + Send + Sync>>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Content {
            kind,
            message: message.into(),
            hint: None,
            place: None,
            input: None,
            limit: None,
            partial: None,
        }))
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        self.0.place = Some(place);
        self
    }

    pub(crate) fn with_input(mut self, input: &str) -> Self {
        self.0.input = Some(input.to_owned());
        self
    }

    pub(crate) fn with_partial<T: Any + Send + Sync>(mut self, partial: Option<T>) -> Self {
        self.0.partial = partial.map(|partial| Arc::new(partial) as _);
        self
    }

    /// Returns the result that was set by [`Error::with_partial`], if it has this type.
    pub(crate) fn partial_result<T: Any>(&self) -> Option<&T> {
        self.0.partial.as_ref()?.downcast_ref()
    }

    /// Returns the kind of the error, for programs to test.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the message: a sentence that begins in lower case, without a final full stop.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = "nim(3, -1)".parse::<Position>().unwrap_err();
    /// assert_eq!(error.message(), "-1 is less than 0");
    /// ```
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns advice on how to avoid the error, if there is any.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = "nimm(3)".parse::<Position>().unwrap_err();
    /// assert_eq!(error.hint(), Some("did you mean `nim`?"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Returns the part of the input that caused the error, if it is known.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = "nim(3, -1)".parse::<Position>().unwrap_err();
    /// assert_eq!(error.place(), Some(&Place::Span(7..9)));
    /// ```
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// Returns the text that was parsed. A [`Place::Span`] refers to it.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = "nim(3, -1)".parse::<Position>().unwrap_err();
    /// assert_eq!(error.input(), Some("nim(3, -1)"));
    /// ```
    #[must_use]
    pub fn input(&self) -> Option<&str> {
        self.0.input.as_deref()
    }

    /// Returns the limit that was reached, for an error of kind [`ErrorKind::Limit`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let board: Position = "cram(board(7, 7))".parse()?;
    /// let error = Solver::new().max_positions(1_000).grundy(&board).unwrap_err();
    /// assert_eq!(error.limit(), Some(Limit::Positions));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Content {
            kind,
            message,
            hint,
            place,
            input,
            limit,
            ..
        } = &*self.0;
        f.debug_struct("Error")
            .field("kind", kind)
            .field("message", message)
            .field("hint", hint)
            .field("place", place)
            .field("input", input)
            .field("limit", limit)
            .finish_non_exhaustive()
    }
}

/// Writes the message. The alternate form `{:#}` also writes the hint.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self.hint() {
            Some(hint) if f.alternate() => write!(f, " ({hint})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Compares the kind, the message and the place.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        let key = |error: &Self| {
            (
                error.kind(),
                error.message().to_owned(),
                error.0.place.clone(),
            )
        };
        key(self) == key(other)
    }
}

impl Eq for Error {}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        let kind = match diagnostic.kind {
            _ if diagnostic.in_rules => ErrorKind::Rules,
            Kind::Syntax | Kind::Encoding => ErrorKind::Syntax,
            Kind::Type => ErrorKind::Type,
            Kind::Range => ErrorKind::Range,
            Kind::Overflow => ErrorKind::Overflow,
            Kind::UnknownName => ErrorKind::UnknownName,
            Kind::IllegalPosition => ErrorKind::IllegalPosition,
            Kind::IllegalMove => ErrorKind::IllegalMove,
            Kind::Limit => ErrorKind::Limit,
            Kind::NotImpartial => ErrorKind::NotSupported,
            Kind::Cyclic => ErrorKind::Cyclic,
            _ => ErrorKind::Internal,
        };
        let limit = diagnostic.limit.map(|limit| match limit {
            LimitKind::Time => Limit::Time,
            LimitKind::Memory => Limit::Memory,
            LimitKind::Positions => Limit::Positions,
            LimitKind::Output => Limit::Output,
        });
        // Hints on limits name the options of the other interfaces, and some hints name commands.
        let of_interface = |hint: &Message| {
            let named = |part: &Part| matches!(part, Part::Setting(_) | Part::Command(_));
            hint.arguments().any(named)
        };
        let hint = match limit {
            Some(Limit::Time) => Some("`Solver::timeout` raises the limit".into()),
            Some(Limit::Memory) => Some("`Solver::max_memory` raises the limit".into()),
            Some(Limit::Positions) => Some("`Solver::max_positions` raises the limit".into()),
            Some(Limit::Output) => None,
            None if diagnostic.help.as_ref().is_some_and(of_interface) => {
                (kind == ErrorKind::UnknownName).then(|| "`games::names` lists the games".into())
            }
            None => diagnostic
                .help
                .as_ref()
                .map(|hint| Cow::Owned(hint.to_string())),
        };
        let place = match diagnostic.span {
            Some(span) => Some(Place::Span(span)),
            None if diagnostic.path.is_empty() => None,
            None => Some(Place::Argument(diagnostic.path)),
        };
        let mut error = Self::new(kind, diagnostic.message.to_string());
        error.0.hint = hint;
        error.0.place = place;
        error.0.limit = limit;
        error.0.input = diagnostic.source.map(|source| source.to_string());
        error
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        if stop == Stop::Interrupted {
            return Self::new(ErrorKind::Cancelled, "the computation was cancelled");
        }
        Diagnostic::from(stop).into()
    }
}
