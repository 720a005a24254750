//! What a labelling may use, and how far it is.

use grundy_base::{Message, Stop};

use crate::checkpoint_options::CheckpointOptions;

/// What a process may use, and the callbacks of a labelling.
pub struct Terms<'a> {
    /// Most positions in all.
    pub positions: u64,
    /// Most bytes that this process holds.
    pub memory: u64,
    /// How many workers this process has.
    pub workers_here: usize,
    /// Why the work is to end, if it is.
    pub interrupted: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// Called with how far the work is.
    pub report: &'a (dyn Fn(&Report) + Sync),
    /// Called with notes for the user.
    pub noted: &'a (dyn Fn(Message) + Sync),
    /// The checkpoints, where they are wanted.
    pub checkpoint_options: Option<CheckpointOptions<'a>>,
}

impl std::fmt::Debug for Terms<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms")
            .field("positions", &self.positions)
            .field("memory", &self.memory)
            .field("workers_here", &self.workers_here)
            .field("checkpoint_options", &self.checkpoint_options)
            .finish_non_exhaustive()
    }
}

/// What the work is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Waiting for the other processes.
    #[default]
    Meeting,
    /// Positions are found or read.
    Finding,
    /// Outcomes are found, stage by stage.
    Labelling,
    /// Values are found.
    Valuing,
    /// The table is written.
    Writing,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::Meeting,
        Self::Finding,
        Self::Labelling,
        Self::Valuing,
        Self::Writing,
    ];

    /// Returns the name in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Meeting => "meeting",
            Self::Finding => "finding",
            Self::Labelling => "labelling",
            Self::Valuing => "valuing",
            Self::Writing => "writing",
        }
    }
}

/// How far the work of all processes is, as one of them knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the work is at.
    pub stage: Stage,
    /// The round of this stage.
    pub round: u64,
    /// Positions that are done in this stage, in all processes.
    pub done: u64,
    /// Of how many, as far as is known.
    pub of: u64,
    /// Bytes that all workers have sent to others.
    pub sent: u64,
    /// Most bytes that a worker has held.
    pub held: u64,
    /// Rounds of all stages so far.
    pub rounds: u64,
    /// Checkpoints that were written.
    pub checkpoints: u64,
}
