//! The progress of a labelling, as recorded in a checkpoint.

use serde::{Deserialize, Serialize};

/// A phase of the computation, with its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Reading edge lists.
    Reading,
    /// Exploring: positions from `first` on belong to this level.
    Finding { level: u64, first: u64 },
    /// Computing labels: `stage` is next, and `done` vertices are labelled.
    Labelling { stage: u32, done: u64 },
    /// Computing Grundy values: `done` vertices have one.
    Finite { round: u64, done: u64 },
    /// Computing Smith–Fraenkel values: `value` is being assigned, and `done` vertices have a
    /// value.
    Loopy { value: u32, done: u64 },
    /// Sieving a ranked game: all stretches below `height` are complete, which are `done` cells.
    Sieving { height: u64, done: u64 },
}
