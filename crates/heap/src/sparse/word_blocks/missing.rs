//! The values that no split of a heap with a heap from a given list reaches, for 64 heaps together,
//! each in one lane.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use super::kernel::{self, BITS, Candidates, Partners, Row};
use crate::sparse::listed::ListedHeap;
use crate::sparse::missing::{CANDIDATES, LANES, least, ones};

/// The mark for no candidate. It is larger than all packed values. It is smaller than all sums with
/// a partner that is `HIDDEN`, so no sum is equal to it.
const NONE: u16 = 1 << 14;

/// The number of rows of a set that form a word of 64 bits.
const ROWS: usize = 64 / BITS;

/// For each lane, the values that no split with a listed heap reaches.
pub(super) struct Missing {
    /// For each lane, the least values that the heaps of the list `filling` do not reach, in
    /// ascending order. `NONE` replaces each value that a heap of the list `comparing` reaches, and
    /// fills up a lane with too few values.
    candidates: Candidates,
    /// For each lane, all larger values that the heaps of the list `filling` do not reach, as one
    /// bit each.
    others: Vec<[u64; LANES]>,
}

impl Missing {
    /// Computes the values that no split with a listed heap reaches, in each lane. There is one
    /// item of `partners` for each number of chips that a splitting move may take. The values of
    /// splits with the heaps of `filling` are inserted into `sets`. The values of splits with the
    /// heaps of `comparing` are only compared with the candidates, the least values missing in the
    /// sets.
    #[inline(always)]
    pub(super) fn compute<'a>(
        instructions: pulp::Arch,
        partners: impl Iterator<Item = Partners<'a>> + Clone,
        (filling, comparing): (&[ListedHeap<u16>], &[ListedHeap<u16>]),
        sets: &mut [Row],
    ) -> Self {
        sets.fill([0; LANES]);
        for partners in partners.clone() {
            kernel::insert(instructions, filling, partners, sets);
        }
        let mut others = values_missing(sets);
        let mut candidates = least(&mut others, NONE, |value| value as u16);
        let mut least_difference = [[NONE; LANES]; CANDIDATES];
        for partners in partners {
            kernel::compare(
                instructions,
                comparing,
                partners,
                &candidates,
                &mut least_difference,
            );
        }
        for (row, least_difference) in candidates.iter_mut().zip(&least_difference) {
            for (candidate, least_difference) in row.iter_mut().zip(least_difference) {
                *candidate = if *least_difference == 0 {
                    NONE
                } else {
                    *candidate
                };
            }
        }
        Self { candidates, others }
    }

    /// Returns the candidates of a lane that the heaps of the list `comparing` did not reach, in
    /// ascending order. Even if there are none, larger values may be missing.
    #[inline(always)]
    pub(super) fn candidates(&self, lane: usize) -> impl Iterator<Item = u16> {
        let values = self.candidates.iter().map(move |row| row[lane]);
        values.filter(|value| *value != NONE)
    }

    /// Returns a superset of the values that no split with a listed heap reaches, for one lane, in
    /// ascending order. It is only a superset because the heaps of the list `comparing` were
    /// compared only with the candidates.
    #[inline(always)]
    pub(super) fn all(&self, lane: usize) -> impl Iterator<Item = u16> {
        let words = self.others.iter().zip(0..);
        let others = words
            .flat_map(move |(word, i)| ones(word[lane]).map(move |bit| 64 * i + u16::from(bit)));
        self.candidates(lane).chain(others)
    }
}

/// Returns, for each lane, the values that are not in its set.
#[inline(always)]
fn values_missing(sets: &[Row]) -> Vec<[u64; LANES]> {
    let (words, _) = sets.as_chunks::<ROWS>();
    words
        .iter()
        .map(|rows| {
            std::array::from_fn(|lane| {
                let word =
                    (0..ROWS).fold(0, |word, i| word | u64::from(rows[i][lane]) << (BITS * i));
                !word
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::tests::fixed_numbers;

    #[test]
    fn every_lane_keeps_the_values_no_listed_heap_reaches() {
        // The values come from a fixed generator. The expected sums are computed one by one,
        // without sets.
        let mut random = fixed_numbers();
        let values: Vec<u16> = (0..2000).map(|_| random() as u16 % 512).collect();
        let list: Vec<ListedHeap<u16>> = (0..700)
            .map(|_| ListedHeap {
                heap: 64 + random() % 1800,
                value: random() as u16 % 512,
            })
            .collect();
        let ends = [1900, 1890];
        // Either no entry fills sets, or some do, or all do. If none do, the sets stay empty, and
        // entries are only compared with candidates.
        for filling in [0, 100, 700] {
            let (first, second) = list.split_at(filling);
            let partners = ends.iter().map(|&end| Partners {
                values: &values,
                end,
            });
            let mut sets = vec![[0; LANES]; 2 * kernel::PASS];
            let missing = Missing::compute(pulp::Arch::new(), partners, (first, second), &mut sets);
            for lane in 0..LANES {
                let reached = |list: &[ListedHeap<u16>], value: u16| {
                    let pairs = list.iter().flat_map(|listed| ends.map(|end| (listed, end)));
                    pairs.into_iter().any(|(listed, end)| {
                        values[end - listed.heap as usize + lane] ^ listed.value == value
                    })
                };
                let left: Vec<u16> = (0..256).filter(|&value| !reached(first, value)).collect();
                let (least, others) = left.split_at(left.len().min(CANDIDATES));
                let candidates: Vec<u16> = least
                    .iter()
                    .copied()
                    .filter(|&value| !reached(second, value))
                    .collect();
                assert!(missing.candidates(lane).eq(candidates.iter().copied()));
                assert!(
                    missing
                        .all(lane)
                        .eq(candidates.iter().chain(others).copied())
                );
            }
        }
    }
}
