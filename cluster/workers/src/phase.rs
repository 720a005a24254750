//! The progress of a labelling, as recorded in a checkpoint.

use serde::{Deserialize, Serialize};

/// A phase of the computation, with the progress made in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Reading edge lists.
    Reading,
    /// Exploring. The current level expands the positions whose numbers are at least `first`.
    Finding { level: u64, first: u64 },
    /// Computing labels. The next stage is `stage`, and `done` vertices have labels.
    Labelling { stage: u32, done: u64 },
    /// Computing Grundy values. So far `done` vertices have a value.
    Finite { round: u64, done: u64 },
    /// Computing Smith–Fraenkel values. The current value is `value`, and `done` vertices have a
    /// value.
    Loopy { value: u32, done: u64 },
    /// Sieving a ranked game. A stretch is a run of cells, and moves lead to stretches of smaller
    /// height or stay in their stretch. All stretches below `height` are complete. They have `done`
    /// cells in total.
    Sieving { height: u64, done: u64 },
}
