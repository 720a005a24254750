//! The error object for a question that crashed an instance of the module. A new instance creates
//! this object.

use grundy_core::{Diagnostic, Kind, message};
use grundy_wording::Language;
use grundy_wording::diagnostic::ErrorView;

/// The reason why an instance of the module crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crash {
    /// A defect of the program, with the message of the last panic.
    Defect(String),
    /// A failed allocation.
    Memory,
    /// An overflow of the call stack.
    Stack,
}

/// Returns the error object for a question that crashed an instance of the module.
#[must_use]
pub fn failed(crash: Crash, language: Language) -> String {
    let diagnostic = match crash {
        Crash::Defect(what) => {
            let message = message!("internal error: {what}", what);
            Diagnostic::new(Kind::Internal, message)
        }
        Crash::Memory => {
            let message = message!("out of memory: WebAssembly has reached its limit");
            Diagnostic::new(Kind::Limit, message).help(message!(
                "use the command-line program, which can use all of the machine's memory"
            ))
        }
        Crash::Stack => {
            let message = message!("stack overflow: the question is nested too deeply");
            Diagnostic::new(Kind::Limit, message).help(message!(
                "use the command-line program, which has a larger stack"
            ))
        }
    };
    let view = ErrorView::new(&diagnostic, "", language.into());
    let mut line = serde_json::to_string(&view).unwrap_or_default();
    line.push('\n');
    line
}
