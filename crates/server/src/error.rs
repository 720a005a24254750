//! Error objects that the server itself makes.

use grundy::{Diagnostic, Kind, message};
use grundy_wording::Audience;
use grundy_wording::diagnostic::ErrorView;

/// Returns the error object of a diagnostic, on a line.
pub(crate) fn error(diagnostic: &Diagnostic) -> String {
    let view = ErrorView::told(diagnostic, "", Audience::default());
    let mut line = serde_json::to_string(&view).unwrap_or_default();
    line.push('\n');
    line
}

/// Returns the error object of a defect.
pub(crate) fn broken() -> String {
    let message = message!("this is a defect of the server: the answer got lost");
    error(&Diagnostic::new(Kind::Internal, message))
}
