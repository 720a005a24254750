//! What can go wrong while rules are evaluated.

use std::ops::{Deref, DerefMut, Range};

use grundy::{Kind, Message, Stop, message};
use grundy_notation::Diagnostic;

/// Why an evaluation ended without a value. The place is filled in by the machine.
///
/// One word wide, since every step of the machine may answer with it.
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

/// The contents of a [`Trouble`].
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) kind: Kind,
    pub(crate) message: Message,
    pub(crate) help: Option<Message>,
    pub(crate) span: Option<Range<usize>>,
    /// Not the rules' fault: the caller wants the work to end.
    pub(crate) stop: Option<Stop>,
}

/// Returns a trouble of some kind.
pub(crate) fn trouble(kind: Kind, message: Message) -> Trouble {
    Trouble(Box::new(Cause {
        kind,
        message,
        help: None,
        span: None,
        stop: None,
    }))
}

/// Returns a value of the wrong type.
pub(crate) fn type_error(message: Message) -> Trouble {
    trouble(Kind::Type, message)
}

/// Returns a value out of its range.
pub(crate) fn range_error(message: Message) -> Trouble {
    trouble(Kind::Range, message)
}

/// Returns a number that does not fit 64 bits.
pub(crate) fn overflow() -> Trouble {
    let mut error = trouble(Kind::Overflow, message!("the number does not fit 64 bits"));
    error.help = Some(message!("numbers in rule files go from -2^63 to 2^63 - 1"));
    error
}

/// Returns the caller's wish to end.
pub(crate) fn stopped(stop: Stop) -> Trouble {
    let mut error = trouble(Kind::Limit, stop.message());
    error.stop = Some(stop);
    error
}

impl Cause {
    /// Returns the diagnostic, for the text of the file.
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
