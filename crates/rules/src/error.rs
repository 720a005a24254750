//! Errors while rules are run.

use std::ops::{Deref, DerefMut, Range};

use grundy_core::{Kind, Message, Stop, message};
use grundy_notation::Diagnostic;

/// An error while rules are run, or a stop that the caller requested. The machine adds the place in
/// the file.
///
/// The type has one machine word, since every step of the machine may return it.
#[derive(Clone, Debug)]
pub(crate) struct RuleError(Box<RuleErrorInner>);

impl Deref for RuleError {
    type Target = RuleErrorInner;

    fn deref(&self) -> &RuleErrorInner {
        &self.0
    }
}

impl DerefMut for RuleError {
    fn deref_mut(&mut self) -> &mut RuleErrorInner {
        &mut self.0
    }
}

/// The content of a [`RuleError`].
#[derive(Clone, Debug)]
pub(crate) struct RuleErrorInner {
    pub(crate) kind: Kind,
    pub(crate) message: Message,
    pub(crate) help: Option<Message>,
    pub(crate) span: Option<Range<usize>>,
    /// The reason for the stop, if the caller requested it. Then the rules contain no error.
    pub(crate) stop: Option<Stop>,
}

/// Creates an error of kind `kind`.
pub(crate) fn rule_error(kind: Kind, message: Message) -> RuleError {
    RuleError(Box::new(RuleErrorInner {
        kind,
        message,
        help: None,
        span: None,
        stop: None,
    }))
}

/// Creates an error for a value of the wrong type.
pub(crate) fn type_error(message: Message) -> RuleError {
    rule_error(Kind::Type, message)
}

/// Creates an error for a value that is out of range.
pub(crate) fn range_error(message: Message) -> RuleError {
    rule_error(Kind::Range, message)
}

/// Creates an error for a number that is too large.
pub(crate) fn overflow() -> RuleError {
    let mut error = rule_error(Kind::Overflow, message!("the number is out of range"));
    error.help = Some(message!(
        "numbers in rule files must be from -2^64 + 1 to 2^64 - 1"
    ));
    error
}

/// Creates an error for a stop that the caller has requested.
pub(crate) fn stopped(stop: Stop) -> RuleError {
    let mut error = rule_error(Kind::Limit, stop.message());
    error.stop = Some(stop);
    error
}

impl RuleErrorInner {
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
