//! The engine as a WebAssembly module. Questions and answers are JSON.
//!
//! This crate knows neither games nor kinds of questions: [`ask`] passes every question to the
//! crate that all interfaces share. A module has no clock, no files and no threads. Hence it calls
//! the [`Host`] regularly, for the elapsed time and for a request to stop. The interface of the
//! module is in `boundary`. README.md of this crate describes it for authors of hosts.

#[cfg(target_family = "wasm")]
mod boundary;
mod failed;
mod watch;

use std::sync::Arc;

use grundy_analysis::request::{Request, SerializedResponse};

pub use failed::{Crash, failed};
use watch::Watch;
pub use watch::{Host, Stopped};

/// The limits of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Time limit in seconds. A question can shorten it, but not extend it.
    pub seconds: f64,
    /// Largest number of positions that are stored.
    pub positions: u64,
    /// The limit on the allocated memory, in bytes.
    pub memory: u64,
    /// `true` if the host receives progress reports.
    pub progress: bool,
}

/// Returns the answer to the question `name`, or an error object, as one line of JSON.
///
/// ```
/// use grundy_wasm::{Bounds, Host, Stopped, ask};
/// struct Quiet;
/// impl Host for Quiet {
///     fn time(&self) -> Result<f64, Stopped> { Ok(0.0) }
///     fn report(&self, _: &str) {}
/// }
/// let bounds = Bounds { seconds: 10.0, positions: 1000, memory: 1 << 20, progress: false };
/// let answer = ask("nimber", br#"{"game": "2 * 4"}"#, bounds, Quiet);
/// assert!(answer.contains("\"value\":8"));
/// ```
pub fn ask(name: &str, text: &[u8], bounds: Bounds, host: impl Host + 'static) -> String {
    match Request::read(name, text) {
        Ok(request) => answered(&request, bounds, host).json,
        Err(refusal) => refusal.json(),
    }
}

/// The name and the content of a file.
pub type NamedFile = (String, Vec<u8>);

/// Returns the answer to a question with attached files, and the files that the question writes,
/// such as a table of labels.
///
/// # Complexity
/// The files are not part of the JSON, so they need not be escaped or parsed.
pub fn ask_with_files(
    (name, text): (&str, &[u8]),
    files: Vec<NamedFile>,
    bounds: Bounds,
    host: impl Host + 'static,
) -> (String, Vec<NamedFile>) {
    match Request::read(name, text) {
        Ok(request) => {
            let answered = answered(&request.with_files(files), bounds, host);
            (answered.json, answered.files)
        }
        Err(refusal) => (refusal.json(), Vec::new()),
    }
}

fn answered(request: &Request, bounds: Bounds, host: impl Host + 'static) -> SerializedResponse {
    let watch = Arc::new(Watch::new(host));
    let job = watch.job(bounds, request.audience);
    request.answer_within(&job, bounds.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Quiet;

    impl Host for Quiet {
        fn time(&self) -> Result<f64, Stopped> {
            Ok(0.0)
        }

        fn report(&self, _: &str) {}
    }

    const BOUNDS: Bounds = Bounds {
        seconds: 10.0,
        positions: 1000,
        memory: 1 << 20,
        progress: false,
    };

    #[test]
    fn duplicate_keys_are_rejected() {
        let twice = br#"{"game": "nim(1)", "game": "nim(2)"}"#;
        let answer = ask("solve", twice, BOUNDS, Quiet);
        assert!(answer.contains("duplicate key `game`"), "{answer}");
    }

    /// Checks that attached files give the same answer as the same files inside the JSON.
    #[test]
    fn attached_files_equal_inline_files() {
        let within = br#"{"game": "moves.csv", "output": "labels.csv", "files": {"moves.csv": "from,to\na,b\n"}}"#;
        let within: serde_json::Value =
            serde_json::from_str(&ask("label", within, BOUNDS, Quiet)).unwrap();
        let attached = br#"{"game": "moves.csv", "output": "labels.csv"}"#;
        let files = vec![("moves.csv".to_owned(), b"from,to\na,b\n".to_vec())];
        let (answer, written) = ask_with_files(("label", attached), files, BOUNDS, Quiet);
        assert_eq!(answer.trim(), "{}");
        assert_eq!(written.len(), 1);
        assert_eq!(written[0].0, "labels.csv");
        assert_eq!(
            within["files"]["labels.csv"].as_str().unwrap().as_bytes(),
            written[0].1
        );
        // Two errors: no file is attached, and no attached file has the name in the question.
        let (answer, written) = ask_with_files(("label", attached), Vec::new(), BOUNDS, Quiet);
        assert!(answer.contains("error") && written.is_empty(), "{answer}");
    }
}
