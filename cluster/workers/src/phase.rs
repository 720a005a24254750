//! How far a labelling is, as checkpoints tell it.

use serde::{Deserialize, Serialize};

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Lists of edges are being read.
    Reading,
    /// Positions from this number on are to be looked at in this level.
    Finding { level: u64, first: u64 },
    /// This stage comes next; so many vertices are labelled.
    Labelling { stage: u32, done: u64 },
    /// Values by the options, so many of them.
    Finite { round: u64, done: u64 },
    /// This value is being given out in a game that need not end, so many have been.
    Loopy { value: u32, done: u64 },
    /// Of a game by ranks all stretches below this height, so many cells.
    Sieving { height: u64, done: u64 },
}
