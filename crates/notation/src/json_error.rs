//! Errors of JSON as messages.

use grundy::{Message, message};

/// Returns the message of an error of the JSON reader, with its place.
#[must_use]
pub fn json_error(error: &serde_json::Error) -> Message {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let place = format!(" at line {line} column {column}");
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
