//! The protocol between the server and a worker process. It consists of lines of JSON. A line can
//! announce a number of bytes, which follow it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line that the server sends to a worker process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToWorker {
    /// The header of a question. The text of the question follows.
    Ask(QuestionHeader),
    /// A request to stop the current question and to return a partial answer.
    Cancel,
}

/// The header of a question: its name, the length of its text, and its limits.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct QuestionHeader {
    /// The name of the kind of question, such as `solve`.
    pub(crate) name: String,
    /// The length of the text that follows, in bytes.
    pub(crate) length: usize,
    /// The limits for answering the question.
    pub(crate) limits: WorkLimits,
    /// `true` if the process has to report progress.
    pub(crate) told: bool,
}

/// The limits for the computation of an answer and for its length.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct WorkLimits {
    /// Time limit in seconds.
    pub(crate) seconds: f64,
    /// Largest number of positions that may be stored while the answer is computed.
    pub(crate) positions: u64,
    /// Memory limit in bytes.
    pub(crate) memory: u64,
    /// Largest length of the answer in bytes.
    pub(crate) output: u64,
}

impl WorkLimits {
    /// Returns the number of bytes that a process may allocate for this answer. If a process needs
    /// more, it aborts.
    pub(crate) fn ceiling(&self) -> u64 {
        // The memory limit counts only the large structures of the engine. The factor 2 leaves room
        // for everything else, so that a process rarely ends this way.
        self.memory.saturating_mul(2)
    }
}

/// A line that a worker process sends to the server.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromWorker {
    /// The process is ready. The field is the id of the thread that computes its answers.
    Ready(i32),
    /// A progress report about the current question.
    Progress(Value),
    /// The current question has ended. The line contains the kind and the length of the answer. The
    /// answer itself follows the line.
    Ended(AnswerKind, usize),
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerKind {
    /// An answer without an error.
    Answer,
    /// An error object: the question is invalid, or a limit was reached.
    Error,
    /// An error object for a defect of the program.
    Defect,
}
