//! How a command fails.

use std::io;

use grundy::{Diagnostic, Kind, Message, Stop};

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error to show.
    Error(Box<Diagnostic>),
    /// The reader of our output has gone: a quiet end.
    Pipe,
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Error(Box::new(diagnostic))
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Diagnostic::from(stop).into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        Diagnostic::new(Kind::Io, Message::from(&error)).into()
    }
}

/// Returns the exit code for an error: 3 for a limit, 4 for another process that was lost, 2 for
/// anything else.
pub(crate) fn exit_code(diagnostic: &Diagnostic) -> u8 {
    match diagnostic.kind {
        Kind::Limit => 3,
        Kind::Lost => 4,
        _ => 2,
    }
}
