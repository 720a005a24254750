//! The values that no split of a heap with a heap from a given list reaches, for 64 heaps together,
//! each in one lane.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use super::kernel;
use super::lanes::{ROWS, Row};
use super::window::ByteWindow;
use crate::sparse::listed::ListedHeap;
use crate::sparse::missing::{CANDIDATES, LANES, least, ones};

/// The mark for no candidate. It differs from all candidates, since candidates are below 240.
const NONE: u8 = u8::MAX;

/// A set of values for each lane, with one bit for each value. A word has the bits of 64 successive
/// values.
type Words = [[u64; LANES]; ROWS / 8];

/// For each lane, the values that no split with a listed heap reaches.
pub(super) struct MissingBytes {
    /// For each lane, the eight least values that the heaps of `filling` do not reach, in ascending
    /// order, in one byte each. A value that the heaps of `comparing` reach is replaced by `NONE`.
    /// Both lists of heaps are arguments of `compute`.
    candidates: [u64; LANES],
    /// For each lane, all other values that the heaps of the list `filling` do not reach. They are
    /// larger than the candidates.
    others: Words,
}

impl MissingBytes {
    /// Computes the values below `bounds` that no split with a listed heap reaches, for the 64
    /// heaps from `start` upward. The values of splits with the heaps of `filling` are inserted
    /// into `sets`, of which the first `rows` bytes are used. The values of splits with the heaps
    /// of `comparing` are only compared with the candidates, the least values missing in the sets.
    #[inline(always)]
    pub(super) fn compute(
        instructions: pulp::Arch,
        (window, start, breaks): (&ByteWindow, usize, &[usize]),
        (filling, comparing): (&[ListedHeap<u8>], &[ListedHeap<u8>]),
        (sets, rows): (&mut [Row; ROWS], usize),
        bounds: &[usize; LANES],
    ) -> Self {
        let (used, unused) = sets.split_at_mut(rows);
        used.fill([0; LANES]);
        // The unused bytes are filled with ones, because their values must not count as missing.
        unused.fill([255; LANES]);
        for &take in breaks {
            kernel::insert(instructions, filling, window.partners(start - take), used);
        }
        let mut others = values_missing(sets, bounds);
        let mut candidates = least(&mut others, NONE, |value| value as u8);
        let mut least_difference = [[NONE; LANES]; CANDIDATES];
        for &take in breaks {
            kernel::compare(
                instructions,
                comparing,
                window.partners(start - take),
                &candidates,
                &mut least_difference,
            );
        }
        for (row, least_difference) in candidates.iter_mut().zip(&least_difference) {
            for (candidate, least_difference) in row.iter_mut().zip(least_difference) {
                // `NONE` has all bits set, so the `or` replaces the candidate without a branch.
                *candidate |= if *least_difference == 0 { NONE } else { 0 };
            }
        }
        Self {
            candidates: columns(&candidates),
            others,
        }
    }

    /// Returns the candidates of a lane that the heaps of the list `comparing` did not reach, in
    /// ascending order. Even if there are none, larger values may be missing.
    #[inline(always)]
    pub(super) fn candidates(&self, lane: usize) -> impl Iterator<Item = u8> {
        let bytes = self.candidates[lane].to_le_bytes();
        bytes.into_iter().filter(|byte| *byte != NONE)
    }

    /// Returns a superset of the values that no split with a listed heap reaches, for one lane. It
    /// is only a superset because the heaps of the list `comparing` were compared only with the
    /// candidates.
    #[inline(always)]
    pub(super) fn all(&self, lane: usize) -> impl Iterator<Item = u8> {
        let words = self.others.iter().zip(0..);
        let others = words.flat_map(move |(word, i)| ones(word[lane]).map(move |bit| 64 * i + bit));
        self.candidates(lane).chain(others)
    }
}

/// Returns, for each lane, the values below its bound that are not in its set.
#[inline(always)]
fn values_missing(sets: &[Row; ROWS], bounds: &[usize; LANES]) -> Words {
    let mut words = [[0; LANES]; ROWS / 8];
    let (bytes, _) = sets.as_chunks();
    for (i, (word, rows)) in words.iter_mut().zip(bytes).enumerate() {
        *word = columns(rows);
        for (word, bound) in word.iter_mut().zip(bounds) {
            // If `bits` is 64, the shift is out of range and gives 0. Then 0 - 1 has all bits set.
            let bits = bound.saturating_sub(64 * i).min(64) as u32;
            *word = !*word & 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
        }
    }
    words
}

/// Returns, for each lane, the bytes of the eight rows as one word. This is a transposition of 8 x
/// 8 bytes in three rounds of swaps, made for eight groups of lanes at once.
#[inline(always)]
fn columns(rows: &[Row; 8]) -> [u64; LANES] {
    let mut words = rows.map(|row| {
        let (bytes, _) = row.as_chunks();
        std::array::from_fn::<u64, 8, _>(|i| u64::from_le_bytes(bytes[i]))
    });
    // The rounds swap blocks of 4, 2 and 1 bytes across the diagonal.
    for (distance, low) in [
        (4, u64::MAX >> 32),
        (2, u64::MAX / 0x1_0001),
        (1, u64::MAX / 0x101),
    ] {
        for upper in (0..8).filter(|row| row & distance == 0) {
            let (above, below) = words.split_at_mut(upper + distance);
            for (a, b) in above[upper].iter_mut().zip(&mut below[0]) {
                let swapped = (*a >> (8 * distance) ^ *b) & low;
                *a ^= swapped << (8 * distance);
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
        // The sets have all densities: lane k contains each value with probability 1 - k / 64.
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
        // Every set contains 255, since this number means no candidate.
        sets[ROWS - 1] = [255; LANES];
        let mut others = values_missing(&sets, &bounds);
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
