//! Reading of Parquet files that may be damaged.

mod columns;

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use grundy_core::{Diagnostic, Kind, Message, message};
use parquet::errors::ParquetError;

pub use columns::{Column, check_compression};

thread_local! {
    /// `true` while this thread runs the Parquet reader.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Runs `read` and returns its result, or `None` if it panics. The Parquet reader does not return
/// an error for every damaged file, so its panics are caught here.
///
/// The panic hook is shared by all threads. If it were replaced during a read, the reports of other
/// threads would be lost. So it is wrapped once, and prints nothing for a thread that is in the
/// Parquet reader.
pub fn catch_panic<T>(read: impl FnOnce() -> T) -> Option<T> {
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
    // The reader is discarded after a panic, so its state is not used again.
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    result.ok()
}

/// Returns the error for an invalid Parquet file. `why` is the reason.
#[must_use]
pub fn broken(why: &Message) -> Diagnostic {
    Diagnostic::new(
        Kind::Io,
        message!("the Parquet file is damaged: {why}", why),
    )
    .help(message!("write the Parquet file again"))
}

/// Converts an error of the Parquet reader to a diagnostic.
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
    fn panics_of_the_reader_are_caught() {
        assert_eq!(
            catch_panic(|| -> u8 { panic!("pages that contradict each other") }),
            None
        );
        assert!(!READING.get());
        assert_eq!(catch_panic(|| READING.get()), Some(true));
    }
}
