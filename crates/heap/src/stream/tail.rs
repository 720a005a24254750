//! The values that a stream stores, and the computation of further values from them.

use crate::compact_values::CompactValues;
use crate::recurrence::Budget;
use crate::sparse::{BLOCK, HeapMoves, Omission, Run, Sparse};
use grundy_base::limits::{Limits, Stop};

/// Largest number of values that are computed before middle values are dropped.
pub(super) const CHUNK: usize = 1 << 24;

/// The values of the smallest heaps and of the most recent heaps.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The number of small heaps whose values are stored.
    pub small: u64,
    /// The number of middle heaps whose values were dropped. This number is even, so that the index
    /// of a stored value has the parity of its heap.
    pub dropped: u64,
    /// The stored values: first those of the small heaps, then those of the most recent heaps.
    pub values: CompactValues,
}

impl Tail {
    /// Returns the number of values of the most recent heaps that must be stored.
    pub(super) fn keep(&self) -> usize {
        2 * self.small as usize
    }

    /// Returns the first heap whose value is not computed.
    ///
    /// ```
    /// use grundy_heap::CompactValues;
    /// use grundy_heap::stream::Tail;
    /// let values = CompactValues::from_bytes(1, &[0, 1, 2, 3, 6, 7]).unwrap();
    /// let tail = Tail { small: 4, dropped: 66, values };
    /// assert_eq!(tail.count(), 72);
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.values.len() as u64 + self.dropped
    }

    /// Drops all values except those of the smallest heaps and the most recent ones.
    pub(super) fn drop_middle(&mut self) {
        let from = self.small as usize;
        let many = (self.values.len() - from - self.keep()) & !1;
        self.values.remove(from..from + many);
        self.dropped += many as u64;
    }

    /// Returns the values of the most recent heaps, as many as a recorded window contains.
    pub(super) fn window(&self) -> CompactValues {
        let end = self.values.len();
        self.values.part(end - self.keep()..end)
    }
}

/// The moves of the game and the state of the engine, with which further values are computed.
pub(super) struct Engine<'a> {
    pub(super) moves: &'a HeapMoves,
    pub(super) sparse: &'a mut Sparse,
}

impl Engine<'_> {
    /// Appends values until `tail` stores `length` values. Returns `false` if the next value
    /// depends on values that were dropped.
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
            omission: Some(Omission {
                // Block b contains heap BLOCK (b + 1). So the last whole block is left out, since
                // it would contain the first dropped heap.
                blocks: tail.small as usize / BLOCK - 1,
                blocked: false,
            }),
            instructions: pulp::Arch::new(),
        };
        tail.values.extend(&mut run)?;
        Ok(!run.omission.is_some_and(|omission| omission.blocked))
    }

    /// Computes the values of all heaps below `to`. Middle values are dropped during the
    /// computation.
    pub(super) fn extend_to(
        &mut self,
        tail: &mut Tail,
        to: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        while tail.count() < to {
            tail.drop_middle();
            let step = (to - tail.count()).min(CHUNK as u64) as usize;
            if !self.extend(tail, tail.values.len() + step, limits)? {
                return Err(Stop::NotStored(tail.count()));
            }
        }
        Ok(())
    }
}
