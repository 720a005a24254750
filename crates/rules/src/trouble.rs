//! Errors while rules are run.

use std::ops::{Deref, DerefMut, Range};

use grundy::{Kind, Message, Stop, message};
use grundy_notation::Diagnostic;

/// The reason why a computation ended without a value. The machine adds the place in the file.
///
/// The type has one machine word, since every step of the machine may return it.
#[derive(Clone, Debug)]
pub(crate) struct Trouble(Box<Cause>);

impl Deref for Trouble {
    type Target = Cause;

    fn deref(&self) -> &Cause {
        &self.0
    }
}

impl DerefMut for Trouble {
    fn deref_mut(&mut self) -> &mut Cause {
        &mut self.0
    }
}

/// The content of a [`Trouble`].
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) kind: Kind,
    pub(crate) message: Message,
    pub(crate) help: Option<Message>,
    pub(crate) span: Option<Range<usize>>,
    /// The reason of the caller, if the caller requested the stop. In that case the rules have no
    /// error.
    pub(crate) stop: Option<Stop>,
}

/// Creates an error of kind `kind`.
pub(crate) fn trouble(kind: Kind, message: Message) -> Trouble {
    Trouble(Box::new(Cause {
        kind,
        message,
        help: None,
        span: None,
        stop: None,
    }))
}

/// Creates an error for a value of the wrong type.
pub(crate) fn type_error(message: Message) -> Trouble {
    trouble(Kind::Type, message)
}

/// Creates an error for a value that is out of range.
pub(crate) fn range_error(message: Message) -> Trouble {
    trouble(Kind::Range, message)
}

/// Creates an error for a number that does not fit in 64 bits.
pub(crate) fn overflow() -> Trouble {
    let mut error = trouble(
        Kind::Overflow,
        message!("the number does not fit in 64 bits"),
    );
    error.help = Some(message!(
        "numbers in rule files must be from -2^63 to 2^63 - 1"
    ));
    error
}

/// Creates an error for a stop that the caller has requested.
pub(crate) fn stopped(stop: Stop) -> Trouble {
    let mut error = trouble(Kind::Limit, stop.message());
    error.stop = Some(stop);
    error
}

impl Cause {
    /// Returns the diagnostic for this error in the file called `file`.
    pub(crate) fn diagnostic(&self, file: &str) -> Diagnostic {
        if let Some(stop) = self.stop.clone() {
            return stop.into();
        }
        let mut diagnostic = Diagnostic::new(
            self.kind,
            message!("{file}: {what}", file, what = self.message),
        );
        diagnostic.help.clone_from(&self.help);
        diagnostic.span.clone_from(&self.span);
        diagnostic
    }
}
