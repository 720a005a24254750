//! Computation of a single heap: the set of values that its options reach, and the search for
//! missing rare values.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use std::ops::Range;

use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::compact_values::Entry;

/// The data for computing the value of the next heap.
pub(super) struct Frontier<'m, E, S> {
    pub(super) moves: &'m HeapMoves,
    pub(super) reached: S,
    /// The values of small heaps, block by block, in reverse order within each block. Entry i of
    /// block b is the value of heap BLOCK (b + 1) - i.
    pub(super) small: Vec<E>,
    /// The rare heaps of more than `BLOCK` chips, in ascending order.
    pub(super) rare_heaps: Vec<u32>,
    /// The values of the heaps in `rare_heaps`, in the same order.
    pub(super) rare_values: Vec<E>,
    /// The rare values that no option of the current heap has reached yet.
    pub(super) missing: Vec<E>,
    /// Largest number of blocks, each of `BLOCK` small heaps, that are stored in `small`.
    pub(super) max_blocks: usize,
}

impl<'m, E: Entry, S: ReachedValues<E>> Frontier<'m, E, S> {
    /// Creates the data for the heap that follows the heaps of `values`. `rares` lists all rare
    /// heaps.
    pub(super) fn new(
        moves: &'m HeapMoves,
        reached: S,
        rares: &[usize],
        values: &[E],
        max_blocks: usize,
    ) -> Self {
        let rare_heaps = &rares[rares.partition_point(|&rare| rare <= BLOCK)..];
        Self {
            moves,
            reached,
            small: Vec::new(),
            rare_values: rare_heaps.iter().map(|&rare| values[rare]).collect(),
            rare_heaps: rare_heaps.iter().map(|&heap| heap as u32).collect(),
            missing: Vec::new(),
            max_blocks,
        }
    }

    /// Stores in `small` the blocks of small heaps that the splits of heap `n` need. A block is
    /// included if each of its heaps can be the smaller heap of a split, whatever number of chips
    /// the move takes. Stores at most `max_blocks` blocks. Returns the number of blocks that `n`
    /// needs, within this limit.
    #[inline(always)]
    pub(super) fn store_blocks(&mut self, n: usize, values: &[E]) -> usize {
        let blocks = (self.moves.splits(n - self.moves.last) / BLOCK).min(self.max_blocks);
        while self.small.len() < blocks * BLOCK {
            // In reverse order, a + b is constant along a block. Entry i pairs heap BLOCK (b + 1) -
            // i with the i-th heap of an ascending block of large heaps. So both blocks are read
            // forward, which vector loads require.
            let end = self.small.len() + BLOCK;
            self.small.extend((0..BLOCK).map(|i| values[end - i]));
        }
        blocks
    }

    /// Adds the new rare heap `n`. Returns whether the rule for common and rare heaps should be
    /// chosen again.
    pub(super) fn add_rare(&mut self, n: usize, value: u64, sparse: &mut Sparse) -> bool {
        sparse.rares.push(n);
        self.rare_heaps.push(n as u32);
        self.rare_values.push(E::new(value));
        // Choosing the classes takes a pass over all values. Two conditions keep the number of
        // choices logarithmic. The number of rare heaps must have grown by a quarter plus 16, and
        // the sequence by a quarter.
        let many = sparse.rares.len() * 4 > sparse.chosen_at * 5 + 64;
        many && n > sparse.since * 5 / 4
    }

    /// Returns a block of small heaps, in the range `blocks`, that contains the smaller heap of a
    /// split with value `value`. The search alternates between the numbers of chips that a
    /// splitting move may take. So the block need not be the first with such a heap. The first may
    /// be up to `TURN` - 1 blocks earlier.
    #[inline(always)]
    pub(super) fn find(
        &self,
        value: E,
        blocks: Range<usize>,
        n: usize,
        values: &[E],
    ) -> Option<usize> {
        /// Number of blocks that are searched for one number of chips taken, before the search
        /// changes to the next number.
        const TURN: usize = 8;
        let (small, _) = self.small.as_chunks::<BLOCK>();
        let mut start = blocks.start;
        while start < blocks.end {
            let end = blocks.end.min(start + TURN);
            for &take in &self.moves.breaks {
                let (_, large) = values[..n - take - start * BLOCK].as_rchunks::<BLOCK>();
                let pairs = small[start..end].iter().zip(large.iter().rev());
                // The search stops at the first split found, because most values are reached within
                // a few dozen splits.
                if let Some(i) = pairs.into_iter().position(|(a, b)| is_sum(value, a, b)) {
                    return Some(start + i);
                }
            }
            start = end;
        }
        None
    }

    #[inline(always)]
    fn mark_block(&mut self, block: usize, n: usize, values: &[E]) {
        for &take in &self.moves.breaks {
            let small = &self.small[block * BLOCK..(block + 1) * BLOCK];
            let end = n - take - block * BLOCK;
            self.reached.insert_sums(small, &values[end - BLOCK..end]);
        }
    }

    /// Marks as reached the values of the moves that leave one heap, and of the splits with a heap
    /// of at most `BLOCK`. If `with_rares` is `true`, also marks the values of the splits with a
    /// rare heap.
    #[inline(always)]
    pub(super) fn mark_near_and_rare(&mut self, n: usize, values: &[E], with_rares: bool) {
        self.reached.clear();
        for &take in &self.moves.takes {
            self.reached.insert(values[n - take]);
        }
        self.mark_block(0, n, values);
        if !with_rares {
            return;
        }
        for &take in &self.moves.breaks {
            let rest = n - take;
            // A rare heap of at least `rest` leaves no other heap. Only the last few rare heaps can
            // be this large.
            let late = self
                .rare_heaps
                .iter()
                .rev()
                .take_while(|heap| **heap as usize >= rest);
            // The list `rare_heaps` is ascending, so the heaps to leave out are at its end.
            let usable = self.rare_heaps.len() - late.count();
            let (rare_heaps, rare_values) =
                (&self.rare_heaps[..usable], &self.rare_values[..usable]);
            // In a game with unequal heaps, a split into two equal heaps is not allowed.
            let middle = self.moves.unequal && rest.is_multiple_of(2);
            match rare_heaps.binary_search(&(rest as u32 / 2)) {
                Ok(half) if middle => {
                    let (before, after) = (0..half, half + 1..usable);
                    for part in [before, after] {
                        let (rare_heaps, rare_values) =
                            (&rare_heaps[part.clone()], &rare_values[part]);
                        self.reached
                            .insert_splits(rest, rare_heaps, rare_values, values);
                    }
                }
                _ => self
                    .reached
                    .insert_splits(rest, rare_heaps, rare_values, values),
            }
        }
    }

    /// Marks as reached the values of all splits whose smaller heap has more than `BLOCK` chips.
    /// The first `blocks` blocks of small heaps are stored.
    #[inline(always)]
    pub(super) fn mark_all(&mut self, n: usize, blocks: usize, values: &[E]) {
        for block in 1..blocks {
            self.mark_block(block, n, values);
        }
        for &take in &self.moves.breaks {
            let rest = n - take;
            for a in blocks * BLOCK + 1..=self.moves.splits(rest) {
                self.reached.insert(values[a] ^ values[rest - a]);
            }
        }
    }

    /// Removes from `missing` the values of splits whose smaller heap is in the first `blocks`
    /// blocks of small heaps. Returns the number of blocks that were needed.
    #[inline(always)]
    pub(super) fn verify(&mut self, n: usize, blocks: usize, values: &[E]) -> usize {
        let mut first = 1;
        while first < blocks && !self.missing.is_empty() && S::prefers_marking(self.missing.len()) {
            // Each check of `missing` costs time. So more blocks are marked between two checks if
            // more values are missing.
            let last = blocks.min(first + 1 + self.missing.len() / 16);
            for block in first..last {
                self.mark_block(block, n, values);
            }
            self.missing.retain(|&value| !self.reached.contains(value));
            first = last;
        }
        // The blocks before `first` are marked completely. Each value that is still missing is
        // compared with the other blocks, and the search stops at the first split found.
        let mut needed = first;
        let mut missing = std::mem::take(&mut self.missing);
        missing.retain(|&value| {
            let found = self.find(value, first..blocks, n, values);
            needed = needed.max(found.map_or(0, |block| block + 1));
            found.is_none()
        });
        self.missing = missing;
        needed
    }

    /// Removes from `missing` the values of splits whose smaller heap is beyond the first `blocks`
    /// blocks of small heaps. This is slow but seldom needed: only if heap `n` is a new rare heap
    /// or one of the smallest heaps.
    pub(super) fn verify_rest(&mut self, n: usize, blocks: usize, values: &[E]) {
        for &take in &self.moves.breaks {
            let rest = n - take;
            for a in blocks * BLOCK + 1..=self.moves.splits(rest) {
                let sum = values[a] ^ values[rest - a];
                self.missing.retain(|&value| value != sum);
            }
        }
    }
}

/// Returns whether `value` is the xor of two entries with the same index.
#[inline(always)]
fn is_sum<E: Entry>(value: E, small: &[E; BLOCK], large: &[E; BLOCK]) -> bool {
    // The loop has constant length and no branch, so it is compiled into vector comparisons.
    let mut found = false;
    for i in 0..BLOCK {
        found |= small[i] ^ large[i] == value;
    }
    found
}
