//! Counts of work.

use std::ops::AddAssign;

/// How much work was done, and how much was saved by what was known already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions whose moves were looked at, and heap values computed.
    pub positions: u64,
    /// Questions that were answered from memory.
    pub hits: u64,
}

impl Work {
    /// Counts a question for which so many positions were looked at: without any it was answered
    /// from memory.
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
