//! The engine as WebAssembly: a question as JSON in, an answer as JSON out.
//!
//! No game is known here, nor what a question is called: [`ask`] hands it to the crate that every face asks. There is no clock, no file
//! and no thread: the [`Host`] is asked now and then how much time has passed and whether to go on. What crosses the boundary of the
//! module, and how, is in `boundary`; README.md beside tells it to whoever writes a host.

#[cfg(target_family = "wasm")]
mod boundary;
mod failed;
mod watch;

use std::sync::Arc;

use grundy_analysis::request::Request;

pub use failed::{How, failed};
use watch::Watch;
pub use watch::{Host, Stopped};

/// What one answer may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Seconds that it may take at most, whatever the question says.
    pub seconds: f64,
    /// Positions that may be kept.
    pub positions: u64,
    /// Bytes that may be held.
    pub memory: u64,
    /// Whether the host wants to hear how far the work is.
    pub told: bool,
}

/// The answer to the question of a name, or an error object: JSON, on one line.
///
/// ```
/// use grundy_wasm::{Bounds, Host, Stopped, ask};
/// struct Quiet;
/// impl Host for Quiet {
///     fn time(&self) -> Result<f64, Stopped> { Ok(0.0) }
///     fn tell(&self, _: &str) {}
/// }
/// let bounds = Bounds { seconds: 10.0, positions: 1000, memory: 1 << 20, told: false };
/// let answer = ask("nimber", br#"{"game": "2 * 4"}"#, bounds, Quiet);
/// assert!(answer.contains("\"value\":8"));
/// ```
pub fn ask(name: &str, text: &[u8], bounds: Bounds, host: impl Host + 'static) -> String {
    let request = match Request::read(name, text) {
        Ok(request) => request,
        Err(refusal) => return refusal.json(),
    };
    let watch = Arc::new(Watch::new(host));
    let job = watch.job(bounds, request.language);
    request.answer_within(&job, bounds.seconds).json
}
