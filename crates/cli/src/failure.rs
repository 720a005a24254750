//! Failures that end a command.

use std::io;

use grundy_core::{Diagnostic, Kind, Message, Stop};

/// The reason why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error, which is reported.
    Error(Box<Diagnostic>),
    /// The reader has closed the pipe. The program ends without an error.
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

/// Returns the exit code for an error: 3 for a limit, 4 for a lost worker process, and 2 otherwise.
pub(crate) fn exit_code(diagnostic: &Diagnostic) -> u8 {
    match diagnostic.kind {
        Kind::Limit => 3,
        Kind::Lost => 4,
        _ => 2,
    }
}
