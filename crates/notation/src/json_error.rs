//! Messages for JSON errors.

use grundy_core::{Message, message};

/// Converts an error of the JSON parser to a message that states the line and the column of the
/// error.
///
/// ```
/// use grundy_notation::json_error;
/// let error = serde_json::from_str::<Vec<u64>>("[3, four]").unwrap_err();
/// assert_eq!(json_error(&error), "expected ident at line 1 column 6");
/// ```
#[must_use]
pub fn json_error(error: &serde_json::Error) -> Message {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let place = format!(" at line {line} column {column}");
    // The text of the error ends with its place. The place is a separate argument of the message,
    // so that a translation can move it.
    if let Some(error) = whole.strip_suffix(&place) {
        return message!(
            "{error} at line {line} column {column}",
            error,
            line,
            column
        );
    }
    message!("{error}", error = whole)
}
