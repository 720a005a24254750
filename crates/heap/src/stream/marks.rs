//! Recorded windows of values, and the search for their next occurrence.

use std::ops::Range;

use crate::compact_values::{CompactValues, Entry, ValuesVisitor};

/// Number of values whose low bytes form a hash of 64 bits.
const HASHED: usize = 8;

/// A recorded window: the last values before the heap `at`.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The first heap after the window.
    pub at: u64,
    /// A bound on the smaller heap of the splits that are needed to verify the heaps after the
    /// window. For each of these heaps, three kinds of moves must reach all rare values below the
    /// value of the heap. They are moves that leave one heap, splits with a rare heap, and splits
    /// with a heap of at most `reach` chips.
    pub reach: u64,
    /// The values in the window. Their number is twice [`Tail::small`](super::Tail::small), the
    /// number of small heaps whose values are stored.
    pub window: CompactValues,
}

/// A recorded window that has occurred again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedWindow {
    /// The index of the recorded window in [`StreamState::marks`](super::StreamState::marks).
    pub mark: usize,
    /// The distance between the two occurrences, which is a period.
    pub period: u64,
}

/// The search for the first repeated occurrence of one of the windows. The occurrence must end
/// after index `ends.start`, and at `ends.end` at the latest. The callback `found` may reject an
/// occurrence by returning `None`, and the search then continues.
pub(super) struct WindowSearch<'a> {
    /// The windows to search for, each with the index of its [`Mark`] in the stream.
    pub(super) windows: Vec<(usize, &'a CompactValues)>,
    pub(super) ends: Range<usize>,
    pub(super) found: &'a dyn Fn(usize, usize) -> Option<RepeatedWindow>,
}

/// Returns the hash `last` with the low byte of `value` appended.
fn extend_hash(last: u64, value: u64) -> u64 {
    last << 8 | value & 0xff
}

impl ValuesVisitor for WindowSearch<'_> {
    type Output = Option<RepeatedWindow>;

    fn read<E: Entry>(self, values: &[E]) -> Option<RepeatedWindow> {
        let Self {
            windows,
            ends,
            found,
        } = self;
        let hashes: Vec<u64> = windows
            .iter()
            .map(|(_, window)| {
                window
                    .iter()
                    .skip(window.len() - HASHED)
                    .fold(0, extend_hash)
            })
            .collect();
        // A Bloom filter of 4,096 bits has one bit set for each hash. For nearly every heap it
        // shows that no hash matches, so the list of hashes need not be read.
        let filter_bit = |hash: u64| (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        let mut filter = [0u64; 64];
        for &hash in &hashes {
            filter[filter_bit(hash) / 64] |= 1 << (filter_bit(hash) % 64);
        }
        let before = values[ends.start + 1 - HASHED..ends.start].iter();
        let mut last = before.fold(0, |last, value| extend_hash(last, value.get()));
        for end in ends.start + 1..=ends.end {
            last = extend_hash(last, values[end - 1].get());
            if filter[filter_bit(last) / 64] >> (filter_bit(last) % 64) & 1 == 0 {
                continue;
            }
            for ((mark, window), _) in windows.iter().zip(&hashes).filter(|(_, c)| **c == last) {
                // Equal hashes do not prove equality, so the complete windows are compared.
                let last_values = values[end - window.len()..end].iter();
                if last_values
                    .rev()
                    .map(|value| value.get())
                    .eq(window.iter().rev())
                    && let Some(found) = found(*mark, end)
                {
                    return Some(found);
                }
            }
        }
        None
    }
}
