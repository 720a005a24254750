//! The values of the last heaps, packed.

use super::kernel::BytePartners;
use crate::narrow::Entry;
use crate::sparse::missing::LANES;
use crate::sparse::packing::Packing;

/// The last values, packed, and a few more places for heaps that are being computed.
#[derive(Debug, Default)]
pub(super) struct ByteWindow {
    /// The heap at the first place.
    first: usize,
    /// How many heaps are known.
    known: usize,
    values: Vec<u8>,
    /// 0 for common heaps, 255 for rare ones, whose sums with listed heaps have the other class.
    hidden: Vec<u8>,
}

impl ByteWindow {
    /// Takes over the values, of which the last `reach` have to be at hand.
    pub(super) fn follow<E: Entry>(&mut self, packing: &Packing, reach: usize, values: &[E]) {
        let from = values.len().saturating_sub(reach);
        if self.first > from {
            // A new rare heap needs older values than were kept.
            (self.first, self.known) = (from, 0);
        } else if self.known > 2 * reach {
            let dropped = from - self.first;
            for bytes in [&mut self.values, &mut self.hidden] {
                bytes.copy_within(dropped..self.known, 0);
            }
            (self.first, self.known) = (from, self.known - dropped);
        }
        let end = values.len() - self.first;
        for bytes in [&mut self.values, &mut self.hidden] {
            if bytes.len() < end + 2 * LANES {
                bytes.resize(2 * end + 2 * LANES, 0);
            }
        }
        for (n, value) in values.iter().enumerate().skip(self.first + self.known) {
            let value = value.get();
            self.values[n - self.first] = packing.pack(value) as u8;
            self.hidden[n - self.first] = if packing.is_common(n, value) { 0 } else { 255 };
        }
        self.known = end;
    }

    /// Returns the place of heap `n`.
    #[inline]
    pub(super) fn place(&self, n: usize) -> usize {
        n - self.first
    }

    /// Returns the value at a place; 255, which is nowhere looked at, for a rare heap.
    #[inline]
    pub(super) fn sum(&self, place: usize, value: u8) -> u8 {
        self.values[place] ^ value | self.hidden[place]
    }

    /// Notes a common value at a place that is not known yet.
    #[inline]
    pub(super) fn note(&mut self, place: usize, value: u8) {
        self.values[place] = value;
        self.hidden[place] = 0;
    }

    /// The first `heaps` places that were not known are now.
    pub(super) fn advance(&mut self, heaps: usize) {
        self.known += heaps;
    }

    /// Returns the partners of listed heaps in splits of `rest` and the following heaps.
    pub(super) fn partners(&self, rest: usize) -> BytePartners<'_> {
        BytePartners {
            values: &self.values,
            hidden: &self.hidden,
            end: self.place(rest),
        }
    }
}
