//! The error object for a question that crashed an instance of the module. It is created by a new
//! instance.

use grundy::{Diagnostic, Kind, message};
use grundy_wording::Language;
use grundy_wording::diagnostic::ErrorView;

/// The reason why an instance of the module crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// A defect of the program, with the message of the last panic.
    Defect(String),
    /// A failed allocation.
    Memory,
    /// An overflow of the call stack.
    Stack,
}

/// Returns the error object for a question that crashed an instance of the module.
#[must_use]
pub fn failed(how: How, language: Language) -> String {
    let diagnostic = match how {
        How::Defect(what) => {
            let message = message!("internal error: {what}", what);
            Diagnostic::new(Kind::Internal, message)
        }
        How::Memory => {
            let message = message!("out of memory: WebAssembly has reached its limit");
            Diagnostic::new(Kind::Limit, message).help(message!(
                "the command-line program can use all of the machine's memory"
            ))
        }
        How::Stack => {
            let message = message!("stack overflow: the question is nested too deeply");
            Diagnostic::new(Kind::Limit, message)
                .help(message!("the command-line program has a larger stack"))
        }
    };
    let view = ErrorView::told(&diagnostic, "", language.into());
    let mut line = serde_json::to_string(&view).unwrap_or_default();
    line.push('\n');
    line
}
