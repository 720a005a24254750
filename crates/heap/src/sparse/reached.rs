//! Sets of the values that the options of a heap reach.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use super::BLOCK;
use crate::classes::Classes;
use crate::compact_values::Entry;

/// A set of the values that the options of a heap reach.
pub(super) trait ReachedValues<E: Entry>: Sized {
    /// The reciprocal of a bound for the share of rare heaps. If more than one in `RARE_SHARE`
    /// heaps is rare, the values of all splits are inserted, not only of those with a rare heap.
    const RARE_SHARE: usize;
    /// Creates an empty set. It can contain values below the least power of two above `largest`.
    fn new(classes: Classes, largest: u64) -> Self;
    fn clear(&mut self);
    fn insert(&mut self, value: E);
    /// Inserts the xors of entries of `small` and `large` with the same index. Both have the same
    /// length.
    fn insert_sums(&mut self, small: &[E], large: &[E]);
    /// Inserts the value of each split of `rest` that leaves a heap of the list `heaps`.
    /// `heap_values` contains the values of the heaps in the list.
    #[inline(always)]
    fn insert_splits(&mut self, rest: usize, heaps: &[u32], heap_values: &[E], values: &[E]) {
        for (&heap, &value) in heaps.iter().zip(heap_values) {
            self.insert(value ^ values[rest - heap as usize]);
        }
    }

    /// Returns the least value that is not in the set and that is common (as opposed to rare) for a
    /// heap of `n`.
    fn least_common(&self, n: usize) -> Option<u64>;
    /// Writes to `missing` the values below `bound` that are rare for a heap of `n` and not in the
    /// set.
    fn missing_rares(&self, n: usize, bound: u64, missing: &mut Vec<E>);
    /// Returns whether it is faster to insert the values of all splits in a block of 64 splits than
    /// to search for each value separately. `missing` is the number of values to find.
    fn prefers_marking(missing: usize) -> bool;
    /// Returns whether the set contains `value`.
    fn contains(&self, value: E) -> bool;
}

/// A set of values below 64, as one word with a bit for each value.
pub(super) struct WordOfValues {
    reached: u64,
    common: [u64; 2],
}

impl<E: Entry> ReachedValues<E> for WordOfValues {
    const RARE_SHARE: usize = 6;

    fn new(classes: Classes, _: u64) -> Self {
        let common = |n| {
            (0..64)
                .filter(|&value| classes.common(n, value))
                .fold(0, |set, value| set | 1 << value)
        };
        Self {
            reached: 0,
            common: [common(0), common(1)],
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.reached = 0;
    }

    #[inline(always)]
    fn insert(&mut self, value: E) {
        // The mask has no effect, since values are below 64. With it, the compiler omits the check
        // for a shift overflow.
        self.reached |= 1 << (value.get() & 63);
    }

    #[inline(always)]
    fn insert_sums(&mut self, small: &[E], large: &[E]) {
        // The length of a whole block is a constant, so this loop is compiled into vector code.
        if let (Ok(small), Ok(large)) = (
            <&[E; BLOCK]>::try_from(small),
            <&[E; BLOCK]>::try_from(large),
        ) {
            let mut reached = 0;
            for i in 0..BLOCK {
                reached |= 1u64 << ((small[i] ^ large[i]).get() & 63);
            }
            self.reached |= reached;
        } else {
            for (&a, &b) in small.iter().zip(large) {
                self.reached |= 1 << ((a ^ b).get() & 63);
            }
        }
    }

    #[inline(always)]
    fn least_common(&self, n: usize) -> Option<u64> {
        let free = self.common[n % 2] & !self.reached;
        (free != 0).then(|| free.trailing_zeros().into())
    }

    #[inline(always)]
    fn missing_rares(&self, n: usize, bound: u64, missing: &mut Vec<E>) {
        missing.clear();
        // If `bound` is 64, the shift overflows, and all bits are included.
        let below = 1u64
            .checked_shl(bound as u32)
            .map_or(u64::MAX, |bit| bit - 1);
        let mut free = !self.common[n % 2] & !self.reached & below;
        while free != 0 {
            missing.push(E::new(free.trailing_zeros().into()));
            free &= free - 1;
        }
    }

    #[inline(always)]
    fn prefers_marking(_: usize) -> bool {
        true
    }

    #[inline(always)]
    fn contains(&self, value: E) -> bool {
        self.reached >> (value.get() & 63) & 1 == 1
    }
}

/// A set of values that may be 64 or more, with a byte for each value. Storing a byte needs no
/// load, unlike setting a bit.
pub(super) struct Bytes {
    /// For each value, 1 if it is in the set and otherwise 0.
    reached: Vec<u8>,
    /// For each value, 1 if a heap with this value is rare, and otherwise 0. There is one list for
    /// even heaps and one for odd heaps.
    rare: [Vec<u8>; 2],
    /// For each value, 1 if a heap with this value is common, and otherwise 0. There is one list
    /// for even heaps and one for odd heaps.
    common: [Vec<u8>; 2],
}

impl Bytes {
    /// Returns the first index, from `from` upward, at which both lists have 0. Whole blocks of
    /// entries without such an index are skipped quickly.
    #[inline(always)]
    fn first_free(reached: &[u8], other: &[u8], from: usize) -> Option<usize> {
        let mut at = from / BLOCK * BLOCK;
        for (a, b) in reached[at..]
            .chunks_exact(BLOCK)
            .zip(other[at..].chunks_exact(BLOCK))
        {
            // There is no early exit within a block, so the fold is compiled into vector code.
            let full = a.iter().zip(b).fold(1, |full, (a, b)| full & (a | b));
            if full == 0 {
                let free = |i: &usize| at + i >= from && a[*i] | b[*i] == 0;
                if let Some(i) = (0..BLOCK).find(free) {
                    return Some(at + i);
                }
            }
            at += BLOCK;
        }
        None
    }
}

impl<E: Entry> ReachedValues<E> for Bytes {
    const RARE_SHARE: usize = 3;

    fn new(classes: Classes, largest: u64) -> Self {
        let size = (largest + 1).next_power_of_two().max(BLOCK as u64);
        let class = |n, common| {
            (0..size)
                .map(|value| u8::from(classes.common(n, value) == common))
                .collect()
        };
        Self {
            reached: vec![0; size as usize],
            rare: [class(0, false), class(1, false)],
            common: [class(0, true), class(1, true)],
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.reached.fill(0);
    }

    #[inline(always)]
    fn insert(&mut self, value: E) {
        self.reached[value.get() as usize] = 1;
    }

    #[inline(always)]
    fn insert_splits(&mut self, rest: usize, heaps: &[u32], heap_values: &[E], values: &[E]) {
        // With a local slice, the compiler keeps its address in a register. The mask replaces the
        // bounds check.
        let reached = &mut self.reached[..];
        let last = reached.len() - 1;
        for (&heap, &value) in heaps.iter().zip(heap_values) {
            reached[(value ^ values[rest - heap as usize]).get() as usize & last] = 1;
        }
    }

    #[inline(always)]
    fn insert_sums(&mut self, small: &[E], large: &[E]) {
        let size = self.reached.len();
        let reached = &mut self.reached[..size];
        for (&a, &b) in small.iter().zip(large) {
            reached[(a ^ b).get() as usize & (size - 1)] = 1;
        }
    }

    #[inline(always)]
    fn least_common(&self, n: usize) -> Option<u64> {
        Self::first_free(&self.reached, &self.rare[n % 2], 0).map(|value| value as u64)
    }

    #[inline(always)]
    fn missing_rares(&self, n: usize, bound: u64, missing: &mut Vec<E>) {
        missing.clear();
        let mut from = 0;
        while let Some(value) = Self::first_free(&self.reached, &self.common[n % 2], from) {
            if value as u64 >= bound {
                break;
            }
            missing.push(E::new(value as u64));
            from = value + 1;
        }
    }

    #[inline(always)]
    fn prefers_marking(missing: usize) -> bool {
        missing > 6
    }

    #[inline(always)]
    fn contains(&self, value: E) -> bool {
        self.reached[value.get() as usize] == 1
    }
}
