//! What is told where a question brought the module down: a fresh one says it.

use grundy::{Diagnostic, Kind, message};
use grundy_wording::Language;
use grundy_wording::diagnostic::ErrorView;

/// How a module came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By a defect, with what it said last.
    Defect(String),
    /// It asked for memory that there was not.
    Memory,
    /// It called itself too deeply.
    Stack,
}

/// Returns the error object for a question that brought the module down.
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
