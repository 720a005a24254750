//! Parquet: what reads it with care, and what writes it.

mod columns;

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use grundy::{Diagnostic, Kind, Message, message};
use parquet::errors::ParquetError;

pub use columns::{Column, check_compression};

thread_local! {
    /// Whether this thread is within the reader of Parquet.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// What `read` gives; nothing where it panics: the reader promises no error for every broken file,
/// and what it cannot bear is caught here.
///
/// Rust reports a panic by a hook that all threads share, so that swapping it for the time of a
/// reading would silence, or even lose, the reports of others. It is wrapped once instead, and
/// keeps silent for a thread that is reading.
pub fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            if !READING.get() {
                report(what);
            }
        }));
    });
    READING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    result.ok()
}

/// Returns the error for a file that is no valid Parquet.
#[must_use]
pub fn broken(why: &Message) -> Diagnostic {
    Diagnostic::new(Kind::Io, message!("the Parquet file is broken: {why}", why))
        .help(message!("write it again"))
}

/// Returns the error of the Parquet reader.
#[must_use]
pub fn failed(error: ParquetError) -> Diagnostic {
    let error = match error {
        ParquetError::General(message) | ParquetError::EOF(message) => message,
        other => other.to_string(),
    };
    broken(&message!("{error}", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_reader_cannot_bear_is_caught_and_the_next_reading_goes_on() {
        assert_eq!(
            caught(|| -> u8 { panic!("pages that contradict each other") }),
            None
        );
        assert!(!READING.get());
        assert_eq!(caught(|| READING.get()), Some(true));
    }
}
