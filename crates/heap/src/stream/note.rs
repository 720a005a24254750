//! Recorded windows of values, and the search for their next occurrence.

use std::ops::Range;

use crate::narrow::{Entry, Narrow, Reading};

/// Number of values whose low bytes form a hash of 64 bits.
const CLUE: usize = 8;

/// A recorded window: the last values before a certain heap.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The first heap after the window.
    pub at: u64,
    /// A bound on the splits that the verification has needed since the window. Each rare value was
    /// reached by a take, or by a split that leaves a heap of at most this size.
    pub reach: u64,
    /// The values in the window. Their number is twice the number of small heaps that are stored.
    pub window: Narrow,
}

/// A recorded window that has occurred again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundAgain {
    /// The index of the recorded window in the list of marks.
    pub mark: usize,
    /// The distance between the two occurrences, which is a period.
    pub period: u64,
}

/// The search for the first window that occurs again and that `found` accepts. The window must end
/// after index `ends.start`, and at `ends.end` at the latest.
pub(super) struct Again<'a> {
    /// The windows, each with the index of its mark.
    pub(super) windows: Vec<(usize, &'a Narrow)>,
    pub(super) ends: Range<usize>,
    pub(super) found: &'a dyn Fn(usize, usize) -> Option<FoundAgain>,
}

/// Returns the hash `last` with the low byte of `value` appended.
fn clue(last: u64, value: u64) -> u64 {
    last << 8 | value & 0xff
}

impl Reading for Again<'_> {
    type Output = Option<FoundAgain>;

    fn read<E: Entry>(self, values: &[E]) -> Option<FoundAgain> {
        let Self {
            windows,
            ends,
            found,
        } = self;
        let clues: Vec<u64> = windows
            .iter()
            .map(|(_, window)| window.iter().skip(window.len() - CLUE).fold(0, clue))
            .collect();
        // A Bloom filter of 4,096 bits has one bit set for each hash. For nearly every heap it
        // shows that no hash matches, so the list of hashes need not be read.
        let place = |clue: u64| (clue.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        let mut filter = [0u64; 64];
        for &clue in &clues {
            filter[place(clue) / 64] |= 1 << (place(clue) % 64);
        }
        let before = values[ends.start + 1 - CLUE..ends.start].iter();
        let mut last = before.fold(0, |last, value| clue(last, value.get()));
        for end in ends.start + 1..=ends.end {
            last = clue(last, values[end - 1].get());
            if filter[place(last) / 64] >> (place(last) % 64) & 1 == 0 {
                continue;
            }
            for ((mark, window), _) in windows.iter().zip(&clues).filter(|(_, c)| **c == last) {
                // Equal hashes do not prove equality, so the complete windows are compared.
                let whole = values[end - window.len()..end].iter();
                if whole.rev().map(|value| value.get()).eq(window.iter().rev())
                    && let Some(found) = found(*mark, end)
                {
                    return Some(found);
                }
            }
        }
        None
    }
}
