//! The protocol between the server and a worker process: lines of JSON, each followed by the bytes
//! that it announces.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line to the process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToWorker {
    /// A question. Its text follows.
    Ask(Asked),
    /// A request to stop the current question and answer with what is known.
    Cancel,
}

/// A question and its limits.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Asked {
    /// The name of the question.
    pub(crate) name: String,
    /// Length of the text in bytes.
    pub(crate) length: usize,
    /// The limits.
    pub(crate) limits: WorkLimits,
    /// `true` if progress is to be reported.
    pub(crate) told: bool,
}

/// The limits of an answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct WorkLimits {
    /// Time in seconds.
    pub(crate) seconds: f64,
    /// Stored positions.
    pub(crate) positions: u64,
    /// Bytes of memory.
    pub(crate) memory: u64,
    /// Bytes of the answer.
    pub(crate) output: u64,
}

impl WorkLimits {
    /// Returns the bytes that a process may allocate for this answer. It dies if it needs more.
    pub(crate) fn ceiling(&self) -> u64 {
        // The engine counts its large structures only. The factor leaves room for everything else,
        // so that a hard stop is rare.
        self.memory.saturating_mul(2)
    }
}

/// A line from the process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromWorker {
    /// The process is ready, and answers on this thread of the operating system.
    Ready(i32),
    /// A progress report.
    Progress(Value),
    /// The end of a question: the kind of the answer, and its length. The answer follows.
    Ended(CameTo, usize),
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CameTo {
    /// An answer.
    Answer,
    /// An invalid question, or an exceeded limit.
    Error,
    /// A defect.
    Defect,
}
