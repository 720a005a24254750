//! Counts of the work that was done: positions visited, and cached results used.

use std::ops::AddAssign;

/// The number of positions visited, and the number of cached results used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Number of positions whose moves were visited, plus the number of heap values computed.
    pub positions: u64,
    /// Number of questions that were answered without visiting a position, plus the number of
    /// options whose value was read from the stored values.
    pub hits: u64,
}

impl Work {
    /// Counts a question for which `positions` positions were visited. A question without visited
    /// positions counts as answered from a cache.
    ///
    /// ```
    /// use grundy_core::values::Work;
    /// let mut work = Work::default();
    /// [5, 0, 2].map(|positions| work.count(positions));
    /// assert_eq!(work, Work { positions: 7, hits: 1 });
    /// ```
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
