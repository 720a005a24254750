//! Notes of the last values at some places, and the search for them further on.

use std::ops::Range;

use crate::narrow::{Entry, Narrow, Reading};

/// So many values tell where a note may come again.
const CLUE: usize = 8;

/// The last values before some heap.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The heap.
    pub at: u64,
    /// From there on every rare value was reached by a take, or by a split with a heap of at most
    /// this.
    pub reach: u64,
    /// Twice as many values as small heaps are kept.
    pub window: Narrow,
}

/// A note that came again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundAgain {
    /// The number of the note.
    pub mark: usize,
    /// How many heaps later its window ended again.
    pub period: u64,
}

/// The first window that comes again, with its end after `ends.start` and not after `ends.end`, of
/// those that `found` takes.
pub(super) struct Again<'a> {
    /// Windows with their numbers.
    pub(super) windows: Vec<(usize, &'a Narrow)>,
    pub(super) ends: Range<usize>,
    pub(super) found: &'a dyn Fn(usize, usize) -> Option<FoundAgain>,
}

/// Returns the low bytes of the last values, the last one lowest: what tells where a window may
/// end.
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
        // A filter before the list: one bit in 4,096 for each clue.
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
