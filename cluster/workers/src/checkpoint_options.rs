//! Options of checkpoints: where, how often, and of what labelling.

use std::time::Duration;

use grundy_base::Message;
use serde_json::Value;

use crate::store::Store;

/// Options of the checkpoints of a labelling.
pub struct CheckpointOptions<'a> {
    /// Where.
    pub store: Store,
    /// Time between two; after every round if it is nothing.
    pub every: Duration,
    /// `true` if the work goes on from the one that is there.
    pub resume: bool,
    /// What is labelled: the checkpoint of something else is not taken for it.
    pub of: Value,
    /// Says in what another such value differs.
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

/// The identity of a labelling that can be resumed, and the interval of its checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumable {
    /// The time between two checkpoints.
    pub every: Duration,
    /// A number that this labelling has, with all runs that go on with it, and no other: what was
    /// written of its table belongs to no other.
    pub labelling: u64,
}
