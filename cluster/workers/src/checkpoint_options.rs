//! Options of checkpoints: location, interval, and identity of the labelling.

use std::time::Duration;

use grundy_base::Message;
use serde_json::Value;

use crate::store::Store;

/// Options of the checkpoints of a labelling.
pub struct CheckpointOptions<'a> {
    /// The folder or object store where checkpoints are stored.
    pub store: Store,
    /// The interval between two checkpoints. If it is zero, a checkpoint is written after every
    /// round.
    pub every: Duration,
    /// `true` to resume from an existing checkpoint.
    pub resume: bool,
    /// The identity of the labelling. A checkpoint with another identity is rejected.
    pub of: Value,
    /// The callback that describes the difference between [`CheckpointOptions::of`] and the
    /// identity of a rejected checkpoint.
    pub differs: &'a (dyn Fn(&Value) -> Message + Sync),
}

impl std::fmt::Debug for CheckpointOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CheckpointOptions")
            .field("store", &self.store)
            .field("every", &self.every)
            .field("resume", &self.resume)
            .field("of", &self.of)
            .finish_non_exhaustive()
    }
}

/// The checkpoint interval of a labelling, and the number that identifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumable {
    /// The interval between two checkpoints.
    pub every: Duration,
    /// A random number that identifies the labelling. All runs that resume the labelling have the
    /// same number. A partial table with another number is discarded.
    pub labelling: u64,
}
