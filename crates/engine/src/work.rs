//! Counts of work.

use std::ops::AddAssign;

/// Amount of work done, and amount saved by cached results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Number of positions whose moves were visited, and of heap values computed.
    pub positions: u64,
    /// Number of questions answered from a cache.
    pub hits: u64,
}

impl Work {
    /// Counts a question that visited `positions` positions. A question without any was answered
    /// from a cache.
    pub fn count(&mut self, positions: u64) {
        self.positions += positions;
        self.hits += u64::from(positions == 0);
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.hits += other.hits;
    }
}
