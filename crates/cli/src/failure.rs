//! How a command fails.

use std::io;

use grundy::{Kind, Stop};
use grundy_notation::Diagnostic;
use grundy_tablebase as tablebase;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error to show, with the input it speaks of.
    Input {
        diagnostic: Diagnostic,
        source: String,
    },
    /// The reader of our output has gone: a quiet end.
    Pipe,
}

impl Failure {
    pub(crate) fn input(diagnostic: Diagnostic, source: &str) -> Self {
        Self::Input {
            diagnostic,
            source: source.to_owned(),
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Input {
            diagnostic,
            source: String::new(),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Diagnostic::stopped(stop).into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        Diagnostic::new(Kind::Io, error.to_string()).into()
    }
}

impl From<tablebase::Error> for Failure {
    fn from(error: tablebase::Error) -> Self {
        let message = error.to_string();
        let diagnostic =
            match error {
                tablebase::Error::Stopped(stop) => Diagnostic::stopped(stop),
                tablebase::Error::Exists(_) => Diagnostic::new(Kind::Io, message)
                    .help("name another folder, or remove this one"),
                tablebase::Error::Damaged(..) => Diagnostic::new(Kind::Io, message)
                    .help("write the tablebase again: grundy label"),
                _ => Diagnostic::new(Kind::Io, message),
            };
        diagnostic.into()
    }
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            other => Diagnostic::new(Kind::Io, format!("{other:?}")).into(),
        }
    }
}

/// The exit code for an error: 3 for a limit, 2 for anything else.
pub(crate) fn exit_code(diagnostic: &Diagnostic) -> u8 {
    if diagnostic.kind == Kind::Limit { 3 } else { 2 }
}
