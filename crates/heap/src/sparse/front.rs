//! One heap: what its options reach, and the rare values that have to be looked for.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use std::ops::Range;

use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::narrow::Entry;

/// Where values are being computed.
pub(super) struct Front<'m, E, S> {
    pub(super) moves: &'m HeapMoves,
    pub(super) reached: S,
    /// Values of small heaps in reverse, block by block: entry i of block b is that of heap BLOCK
    /// (b + 1) - i.
    pub(super) small: Vec<E>,
    /// The rare heaps beyond the first block, and their values.
    pub(super) places: Vec<u32>,
    pub(super) rares: Vec<E>,
    pub(super) missing: Vec<E>,
    /// Most blocks of small heaps.
    pub(super) kept: usize,
}

impl<'m, E: Entry, S: ReachedValues<E>> Front<'m, E, S> {
    /// For the values so far, of which those of `rares` are rare.
    pub(super) fn new(
        moves: &'m HeapMoves,
        reached: S,
        rares: &[usize],
        values: &[E],
        kept: usize,
    ) -> Self {
        let places = &rares[rares.partition_point(|&rare| rare <= BLOCK)..];
        Self {
            moves,
            reached,
            small: Vec::new(),
            rares: places.iter().map(|&rare| values[rare]).collect(),
            places: places.iter().map(|&place| place as u32).collect(),
            missing: Vec::new(),
            kept,
        }
    }

    /// Keeps blocks of small heaps up to the middle of `n`, and returns how many lie below the
    /// middle for every break.
    #[inline(always)]
    pub(super) fn keep_blocks(&mut self, n: usize, values: &[E]) -> usize {
        let blocks = (self.moves.splits(n - self.moves.last) / BLOCK).min(self.kept);
        while self.small.len() < blocks * BLOCK {
            let end = self.small.len() + BLOCK;
            self.small.extend((0..BLOCK).map(|i| values[end - i]));
        }
        blocks
    }

    /// Adds a new rare heap; says whether the classes have to be chosen again.
    pub(super) fn add_rare(&mut self, n: usize, value: u64, sparse: &mut Sparse) -> bool {
        sparse.rares.push(n);
        self.places.push(n as u32);
        self.rares.push(E::new(value));
        let many = sparse.rares.len() * 4 > sparse.chosen_at * 5 + 64;
        many && n > sparse.since * 5 / 4
    }

    /// Returns the first of `blocks` that has a split with the value, give or take a few: the
    /// breaks take turns.
    #[inline(always)]
    pub(super) fn find(
        &self,
        value: E,
        blocks: Range<usize>,
        n: usize,
        values: &[E],
    ) -> Option<usize> {
        /// Blocks looked at for one break before the next one's turn.
        const TURN: usize = 8;
        let (small, _) = self.small.as_chunks::<BLOCK>();
        let mut start = blocks.start;
        while start < blocks.end {
            let end = blocks.end.min(start + TURN);
            for &take in &self.moves.breaks {
                let (_, large) = values[..n - take - start * BLOCK].as_rchunks::<BLOCK>();
                let pairs = small[start..end].iter().zip(large.iter().rev());
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

    /// Marks the values reached by takes, by splits with a heap of at most a block, and by splits
    /// with a rare heap.
    #[inline(always)]
    pub(super) fn mark_near_and_rare(&mut self, n: usize, values: &[E], rares: bool) {
        self.reached.clear();
        for &take in &self.moves.takes {
            self.reached.insert(values[n - take]);
        }
        self.mark_block(0, n, values);
        if !rares {
            return;
        }
        for &take in &self.moves.breaks {
            let rest = n - take;
            let late = self
                .places
                .iter()
                .rev()
                .take_while(|place| **place as usize >= rest);
            let usable = self.places.len() - late.count();
            let (places, rares) = (&self.places[..usable], &self.rares[..usable]);
            // In games of unequal heaps the middle is no split.
            let middle = self.moves.unequal && rest.is_multiple_of(2);
            match places.binary_search(&(rest as u32 / 2)) {
                Ok(half) if middle => {
                    let (before, after) = (0..half, half + 1..usable);
                    for part in [before, after] {
                        let (places, rares) = (&places[part.clone()], &rares[part]);
                        self.reached.insert_splits(rest, places, rares, values);
                    }
                }
                _ => self.reached.insert_splits(rest, places, rares, values),
            }
        }
    }

    /// Looks at all splits.
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

    /// Takes out of `missing` what some split reaches; returns how many blocks were needed.
    #[inline(always)]
    pub(super) fn verify(&mut self, n: usize, blocks: usize, values: &[E]) -> usize {
        let mut first = 1;
        while first < blocks && !self.missing.is_empty() && S::mark(self.missing.len()) {
            // With much to find, a few blocks at a time.
            let last = blocks.min(first + 1 + self.missing.len() / 16);
            for block in first..last {
                self.mark_block(block, n, values);
            }
            self.missing.retain(|&value| !self.reached.has(value));
            first = last;
        }
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

    /// Takes out of `missing` what is reached by splits beyond the blocks. Hardly ever is something
    /// missing then: it is a new rare heap, or one of the smallest.
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

/// Returns whether `value` is a sum of two entries at the same place.
#[inline(always)]
fn is_sum<E: Entry>(value: E, small: &[E; BLOCK], large: &[E; BLOCK]) -> bool {
    let mut found = false;
    for i in 0..BLOCK {
        found |= small[i] ^ large[i] == value;
    }
    found
}
