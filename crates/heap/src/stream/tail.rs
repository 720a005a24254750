//! The values that are kept, and how more are computed from them.

use crate::narrow::Narrow;
use crate::recurrence::Budget;
use crate::sparse::{BLOCK, Gap, HeapMoves, Run, Sparse};
use grundy_base::limits::{Limits, Stop};

/// The most values computed before the middle is forgotten.
pub(super) const CHUNK: usize = 1 << 24;

/// The values of the smallest heaps and of the last ones.
#[derive(Clone, Debug)]
pub struct Tail {
    /// How many small heaps are kept.
    pub small: u64,
    /// How many heaps between these and the others are forgotten: an even number.
    pub dropped: u64,
    /// The values that are there.
    pub values: Narrow,
}

impl Tail {
    /// How many of the last values are kept.
    pub(super) fn keep(&self) -> usize {
        2 * self.small as usize
    }

    /// Returns the first heap whose value is not known.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.values.len() as u64 + self.dropped
    }

    /// Forgets all but the smallest heaps and the last.
    pub(super) fn forget(&mut self) {
        let from = self.small as usize;
        let many = (self.values.len() - from - self.keep()) & !1;
        self.values.remove(from..from + many);
        self.dropped += many as u64;
    }

    /// Returns the last values.
    pub(super) fn window(&self) -> Narrow {
        let end = self.values.len();
        self.values.part(end - self.keep()..end)
    }
}

/// What makes the next values.
pub(super) struct Engine<'a> {
    pub(super) moves: &'a HeapMoves,
    pub(super) sparse: &'a mut Sparse,
}

impl Engine<'_> {
    /// Appends values until `tail` holds `length`. Returns whether it does: else the next value
    /// needs forgotten ones.
    pub(super) fn extend(
        &mut self,
        tail: &mut Tail,
        length: usize,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let mut run = Run {
            moves: self.moves,
            sparse: self.sparse,
            count: length,
            budget: Budget::new(limits, tail.values.width(), length as u64)?,
            gap: Some(Gap {
                blocks: tail.small as usize / BLOCK - 1,
                stuck: false,
            }),
            instructions: pulp::Arch::new(),
        };
        tail.values.extend(&mut run)?;
        Ok(!run.gap.is_some_and(|gap| gap.stuck))
    }

    /// Goes on to heap `to`, forgetting what lies behind.
    pub(super) fn walk(
        &mut self,
        tail: &mut Tail,
        to: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        while tail.count() < to {
            tail.forget();
            let step = (to - tail.count()).min(CHUNK as u64) as usize;
            if !self.extend(tail, tail.values.len() + step, limits)? {
                return Err(Stop::Forgotten(tail.count()));
            }
        }
        Ok(())
    }
}
