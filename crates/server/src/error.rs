//! Error objects that the server itself creates.

use grundy_core::{Diagnostic, Kind, message};
use grundy_wording::Audience;
use grundy_wording::diagnostic::ErrorView;
use serde::Serialize;
use serde_json::Value;

/// Returns the error object of a diagnostic, as one line.
pub(crate) fn error(diagnostic: &Diagnostic) -> String {
    error_of(None, diagnostic)
}

/// Returns the error object of a diagnostic as one line. It repeats the `id` of the question.
pub(crate) fn error_of(id: Option<&Value>, diagnostic: &Diagnostic) -> String {
    #[derive(Serialize)]
    struct View<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Value>,
        #[serde(flatten)]
        error: ErrorView,
    }
    let error = ErrorView::new(diagnostic, "", Audience::default());
    let mut line = serde_json::to_string(&View { id, error }).unwrap_or_default();
    line.push('\n');
    line
}

/// Returns the error object for a defect of the program.
pub(crate) fn defect_error() -> String {
    let message = message!("internal server error: the answer was lost");
    error(&Diagnostic::new(Kind::Internal, message))
}
