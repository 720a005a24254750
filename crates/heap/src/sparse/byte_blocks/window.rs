//! The window of the packed values of the most recent heaps (see [`Packing`]).

use super::kernel::BytePartners;
use crate::compact_values::Entry;
use crate::sparse::missing::LANES;
use crate::sparse::packing::Packing;

/// The packed values of the most recent heaps (see [`Packing`]), with space for the heaps of the
/// current block.
#[derive(Debug, Default)]
pub(super) struct ByteWindow {
    /// The heap whose value is at index 0.
    first: usize,
    /// The number of heaps in the window whose values are final.
    final_count: usize,
    values: Vec<u8>,
    /// For each heap in the window, 255 if the heap is rare and 0 if it is common. The value of a
    /// split of a listed heap with a common partner may be searched for. With a rare partner, the
    /// value belongs to the other class, so it must not count.
    hidden: Vec<u8>,
}

impl ByteWindow {
    /// Copies those of `values` that are not yet in the window, so that at least the last `reach`
    /// values are in the window.
    pub(super) fn update<E: Entry>(&mut self, packing: &Packing, reach: usize, values: &[E]) {
        let from = values.len().saturating_sub(reach);
        if self.first > from {
            // A new rare heap needs the values of smaller partners, which are no longer in the
            // window.
            (self.first, self.final_count) = (from, 0);
        // Half of the window is dropped at a time, so that copying costs a constant time for each
        // heap.
        } else if self.final_count > 2 * reach {
            let dropped = from - self.first;
            for bytes in [&mut self.values, &mut self.hidden] {
                bytes.copy_within(dropped..self.final_count, 0);
            }
            (self.first, self.final_count) = (from, self.final_count - dropped);
        }
        let end = values.len() - self.first;
        for bytes in [&mut self.values, &mut self.hidden] {
            // The kernels load whole rows. So the vectors must extend by a row beyond the block.
            if bytes.len() < end + 2 * LANES {
                bytes.resize(2 * end + 2 * LANES, 0);
            }
        }
        for (n, value) in values
            .iter()
            .enumerate()
            .skip(self.first + self.final_count)
        {
            let value = value.get();
            self.values[n - self.first] = packing.pack(value) as u8;
            self.hidden[n - self.first] = if packing.is_common(n, value) { 0 } else { 255 };
        }
        self.final_count = end;
    }

    /// Returns the index of heap `n` in the window.
    #[inline]
    pub(super) fn index_of(&self, n: usize) -> usize {
        n - self.first
    }

    /// Returns the xor of `value` and the packed value at index `index`. Returns 255 if the heap at
    /// this index is rare, since 255 is never searched for.
    #[inline]
    pub(super) fn sum(&self, index: usize, value: u8) -> u8 {
        self.values[index] ^ value | self.hidden[index]
    }

    /// Stores the value of a common heap at an index after the final values.
    #[inline]
    pub(super) fn set(&mut self, index: usize, value: u8) {
        self.values[index] = value;
        self.hidden[index] = 0;
    }

    /// Makes the values of the next `heaps` heaps final. Later values are provisional and will be
    /// overwritten.
    pub(super) fn advance(&mut self, heaps: usize) {
        self.final_count += heaps;
    }

    /// Returns the partners of listed heaps, that is, the other heaps of the splits. The splits in
    /// lane i are those of `rest` + i chips.
    pub(super) fn partners(&self, rest: usize) -> BytePartners<'_> {
        BytePartners {
            values: &self.values,
            hidden: &self.hidden,
            end: self.index_of(rest),
        }
    }
}
