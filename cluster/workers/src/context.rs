//! Limits and callbacks of a labelling, and its progress reports.

use grundy_base::{Message, Stop};

use crate::checkpoint_options::CheckpointOptions;

/// The limits of a process, and the callbacks of a labelling.
pub struct Context<'a> {
    /// Largest number of positions in all processes together.
    pub positions: u64,
    /// Largest number of bytes that this process may hold in memory.
    pub memory: u64,
    /// Number of workers of this process.
    pub workers_here: usize,
    /// The callback that returns the reason to stop the computation, if there is one.
    pub interrupted: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// The callback that receives progress reports.
    pub report: &'a (dyn Fn(&Report) + Sync),
    /// The callback that receives notes for the user.
    pub note: &'a (dyn Fn(Message) + Sync),
    /// Checkpoint options, if checkpoints are enabled.
    pub checkpoint_options: Option<CheckpointOptions<'a>>,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("positions", &self.positions)
            .field("memory", &self.memory)
            .field("workers_here", &self.workers_here)
            .field("checkpoint_options", &self.checkpoint_options)
            .finish_non_exhaustive()
    }
}

/// A stage of the computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Waiting for connections to the other processes.
    #[default]
    Connecting,
    /// Discovering positions, or reading them from edge lists.
    Finding,
    /// Computing outcomes and remoteness, by retrograde analysis or by a sieve.
    Labelling,
    /// Computing values.
    Valuing,
    /// Writing the table.
    Writing,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 5] = [
        Self::Connecting,
        Self::Finding,
        Self::Labelling,
        Self::Valuing,
        Self::Writing,
    ];

    /// Returns the name of the stage in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Connecting => "meeting",
            Self::Finding => "finding",
            Self::Labelling => "labelling",
            Self::Valuing => "valuing",
            Self::Writing => "writing",
        }
    }
}

/// The progress of all processes, as known to the process that reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The current stage.
    pub stage: Stage,
    /// The current step within this stage, for example the level of an exploration or the stage of
    /// the retrograde analysis. While edge lists are read or a ranked game is expanded, it is the
    /// number of rounds so far.
    pub round: u64,
    /// Amount of work done so far in this stage by all processes together. The unit is a position,
    /// a vertex (for labels and values), or a row (for edge lists).
    pub done: u64,
    /// Total amount of work in this stage as known so far, in the same unit. It is 0 for edge
    /// lists.
    pub of: u64,
    /// Number of bytes sent between workers so far.
    pub sent: u64,
    /// Largest number of bytes that a worker has held in memory.
    pub memory: u64,
    /// Number of rounds so far in all stages.
    pub rounds: u64,
    /// Number of checkpoints written so far.
    pub checkpoints: u64,
}
