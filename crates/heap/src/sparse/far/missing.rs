//! What the sums with a list of heaps leave of each lane.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use super::kernel;
use super::lanes::{ROWS, Row};
use super::window::ByteWindow;
use crate::sparse::listed::Listed;
use crate::sparse::missing::{CANDIDATES, LANES, least, ones};

/// No candidate: no sum is looked for that is so large.
const NONE: u8 = u8::MAX;

/// A bit for each value and lane.
type Words = [[u64; LANES]; ROWS / 8];

/// The values that are missing in each lane.
pub(super) struct MissingBytes {
    /// The least values missing after the first part of the list, ascending, a byte each; `NONE`
    /// where the second part has the value.
    candidates: [u64; LANES],
    /// MissingBytes after the first part, and no candidate.
    others: Words,
}

impl MissingBytes {
    /// Looks for values below `bounds` at the heaps from `start` on and their splits with a heap of
    /// one of the lists. Bytes of the sets from `rows` on are not looked at.
    #[inline(always)]
    pub(super) fn look(
        instructions: pulp::Arch,
        (window, start, breaks): (&ByteWindow, usize, &[usize]),
        (filling, comparing): (&[Listed<u8>], &[Listed<u8>]),
        (sets, rows): (&mut [Row; ROWS], usize),
        bounds: &[usize; LANES],
    ) -> Self {
        let (used, unused) = sets.split_at_mut(rows);
        used.fill([0; LANES]);
        unused.fill([255; LANES]);
        for &take in breaks {
            kernel::insert(instructions, filling, window.partners(start - take), used);
        }
        let mut others = absent(sets, bounds);
        let mut candidates = least(&mut others, NONE, |value| value as u8);
        let mut nearest = [[NONE; LANES]; CANDIDATES];
        for &take in breaks {
            kernel::compare(
                instructions,
                comparing,
                window.partners(start - take),
                &candidates,
                &mut nearest,
            );
        }
        for (row, nearest) in candidates.iter_mut().zip(&nearest) {
            for (candidate, nearest) in row.iter_mut().zip(nearest) {
                *candidate |= if *nearest == 0 { NONE } else { 0 };
            }
        }
        Self {
            candidates: columns(&candidates),
            others,
        }
    }

    /// Returns the least values of a lane that are missing, unless there are none below those that
    /// were not candidates.
    #[inline(always)]
    pub(super) fn candidates(&self, lane: usize) -> impl Iterator<Item = u8> {
        let bytes = self.candidates[lane].to_le_bytes();
        bytes.into_iter().filter(|byte| *byte != NONE)
    }

    /// Returns the values of a lane that are missing, and some that the second part of the list may
    /// have.
    #[inline(always)]
    pub(super) fn all(&self, lane: usize) -> impl Iterator<Item = u8> {
        let words = self.others.iter().zip(0..);
        let others = words.flat_map(move |(word, i)| ones(word[lane]).map(move |bit| 64 * i + bit));
        self.candidates(lane).chain(others)
    }
}

/// What is not in the sets, below the bounds.
#[inline(always)]
fn absent(sets: &[Row; ROWS], bounds: &[usize; LANES]) -> Words {
    let mut words = [[0; LANES]; ROWS / 8];
    let (bytes, _) = sets.as_chunks();
    for (i, (word, rows)) in words.iter_mut().zip(bytes).enumerate() {
        *word = columns(rows);
        for (word, bound) in word.iter_mut().zip(bounds) {
            let bits = bound.saturating_sub(64 * i).min(64) as u32;
            *word = !*word & 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
        }
    }
    words
}

/// For each lane the bytes of eight rows: three rounds of swaps between rows, eight lanes at once.
#[inline(always)]
fn columns(rows: &[Row; 8]) -> [u64; LANES] {
    let mut words = rows.map(|row| {
        let (bytes, _) = row.as_chunks();
        std::array::from_fn::<u64, 8, _>(|i| u64::from_le_bytes(bytes[i]))
    });
    for (apart, low) in [
        (4, u64::MAX >> 32),
        (2, u64::MAX / 0x1_0001),
        (1, u64::MAX / 0x101),
    ] {
        for upper in (0..8).filter(|row| row & apart == 0) {
            let (above, below) = words.split_at_mut(upper + apart);
            for (a, b) in above[upper].iter_mut().zip(&mut below[0]) {
                let swapped = (*a >> (8 * apart) ^ *b) & low;
                *a ^= swapped << (8 * apart);
                *b ^= swapped;
            }
        }
    }
    std::array::from_fn(|lane| words[lane % 8][lane / 8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::tests::fixed_numbers;

    #[test]
    fn the_least_values_missing_are_found_in_every_lane() {
        // Sets of every density, from a generator of fixed numbers.
        let mut random = fixed_numbers();
        let mut sets = [[0u8; LANES]; ROWS];
        let mut bounds = [0; LANES];
        for (lane, bound) in bounds.iter_mut().enumerate() {
            *bound = random() as usize % 300;
            for row in &mut sets {
                for bit in 0..8 {
                    row[lane] |= u8::from(random() % LANES as u32 >= lane as u32) << bit;
                }
            }
        }
        // Never asked for: the value that stands for none.
        sets[ROWS - 1] = [255; LANES];
        let mut others = absent(&sets, &bounds);
        let candidates = columns(&least(&mut others, NONE, |value| value as u8));
        for lane in 0..LANES {
            let has = |value: usize| sets[value / 8][lane] >> (value % 8) & 1 == 1;
            let expected: Vec<u8> = (0..bounds[lane].min(256))
                .filter(|&value| !has(value))
                .map(|value| value as u8)
                .collect();
            let missing = MissingBytes { candidates, others };
            assert!(missing.all(lane).eq(expected.iter().copied()), "{lane}");
            let first = expected.iter().copied().take(CANDIDATES);
            assert!(missing.candidates(lane).eq(first), "{lane}");
        }
    }
}
