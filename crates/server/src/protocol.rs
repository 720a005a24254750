//! The conversation between the server and a process that answers questions for it: lines of JSON,
//! each followed by the bytes that it announces.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line to the process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToWorker {
    /// A question. Its keys follow.
    Ask(Asked),
    /// The question that is being answered is to stop with what is known.
    Cancel,
}

/// A question and its limits.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Asked {
    /// The name of the question.
    pub(crate) name: String,
    /// Bytes of its keys.
    pub(crate) length: usize,
    /// Its limits.
    pub(crate) limits: WorkLimits,
    /// `true` if progress is reported while the work goes on.
    pub(crate) told: bool,
}

/// The limits of an answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct WorkLimits {
    /// Seconds.
    pub(crate) seconds: f64,
    /// Positions.
    pub(crate) positions: u64,
    /// Bytes of memory.
    pub(crate) memory: u64,
    /// Bytes of the answer.
    pub(crate) output: u64,
}

impl WorkLimits {
    /// Returns the bytes that a process may hold while it answers within these limits. It ends when
    /// it needs more.
    pub(crate) fn ceiling(&self) -> u64 {
        self.memory.saturating_mul(2)
    }
}

/// A line from the process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromWorker {
    /// The process is there, and answers on this thread of the operating system.
    Ready(i32),
    /// The progress of the work.
    Progress(Value),
    /// The answer is there, of this kind and length. It follows.
    Ended(CameTo, usize),
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CameTo {
    /// An answer.
    Answer,
    /// The question is wrong, or a limit was reached.
    Error,
    /// A defect.
    Defect,
}
