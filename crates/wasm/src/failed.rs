//! The error object for a question that crashed a module. A fresh instance of the module produces
//! it.

use grundy::{Diagnostic, Kind, message};
use grundy_wording::Language;
use grundy_wording::diagnostic::ErrorView;

/// The reason why a module crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// A defect, with the last panic message.
    Defect(String),
    /// An allocation failed.
    Memory,
    /// The call stack overflowed.
    Stack,
}

/// Returns the error object for a question that crashed the module.
#[must_use]
pub fn failed(how: How, language: Language) -> String {
    let diagnostic = match how {
        How::Defect(what) => {
            let message = message!("this is a defect of the engine: {what}", what);
            Diagnostic::new(Kind::Internal, message)
        }
        How::Memory => {
            let message = message!("the memory that WebAssembly can have is used up");
            Diagnostic::new(Kind::Limit, message).help(message!(
                "the program on the command line has all of the machine's"
            ))
        }
        How::Stack => {
            let message = message!("the question nests more deeply than the stack of the engine");
            Diagnostic::new(Kind::Limit, message)
                .help(message!("the program on the command line has a larger one"))
        }
    };
    let view = ErrorView::told(&diagnostic, "", language.into());
    let mut line = serde_json::to_string(&view).unwrap_or_default();
    line.push('\n');
    line
}
