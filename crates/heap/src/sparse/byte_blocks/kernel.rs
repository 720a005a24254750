//! Inner loops on bytes, for 64 lanes. Each lane is a heap. For each listed heap and each lane, the
//! loops compute the value of a split. This value is the xor of the packed values of the listed
//! heap and of its partner. The values, called sums, are inserted into sets or compared with
//! candidates.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched code gets its instructions"
)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        reason = "only this architecture has special instructions here"
    )
)]

use super::lanes::{ByteLanes, Row};
use crate::sparse::dispatch::dispatch;
use crate::sparse::listed::ListedHeap;
use crate::sparse::missing::{CANDIDATES, LANES};

/// The partners of listed heaps: the other heaps of the splits, for 64 successive heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct BytePartners<'a> {
    /// The packed values of the most recent heaps, which contain all partners.
    pub(super) values: &'a [u8],
    /// For each heap in `values`: 255 if the xor with its value is ignored because the heap is
    /// rare, and otherwise 0.
    pub(super) hidden: &'a [u8],
    /// The index in `values` at which a listed heap of 0 chips would have its partner in lane 0. In
    /// lane i, the partner of a listed heap h has the index `end` - h + i.
    pub(super) end: usize,
}

impl<'a> BytePartners<'a> {
    /// Returns the values of the partners of a listed heap, and for each partner a byte that is 255
    /// if the partner is ignored.
    #[inline(always)]
    fn of(&self, listed: ListedHeap<u8>) -> [&'a Row; 2] {
        let start = self.end - listed.heap as usize;
        [self.values, self.hidden].map(|bytes| {
            bytes[start..]
                .first_chunk()
                .expect("listed heaps are so large that every lane has its partner")
        })
    }

    #[inline(always)]
    fn sums<L: ByteLanes>(&self, lanes: L, listed: ListedHeap<u8>) -> L::Vector {
        let [values, hidden] = self.of(listed);
        let value = lanes.splat(listed.value);
        lanes.sum(lanes.load(values), value, lanes.load(hidden))
    }
}

/// The largest number of pairs of bytes of a set that one pass over the list of heaps fills. The
/// same pairs are filled in the sets of all lanes. Ten pairs need 20 vectors, which fit into the 32
/// registers of AVX-512.
pub(super) const PASS: usize = 10;

/// The candidates of all lanes, that is, the least values that the sets of the lanes do not
/// contain. Row i has the i-th least candidate of each lane.
pub(super) type Candidates = [Row; CANDIDATES];

/// Inserts the sum of each listed heap and its partner in each lane, that is, the xor of their
/// packed values, into the sets. Sums too large for the sets are skipped. The number of rows in
/// `sets` must be a multiple of `PASS`.
pub(super) fn insert(
    arch: pulp::Arch,
    list: &[ListedHeap<u8>],
    partners: BytePartners<'_>,
    sets: &mut [Row],
) {
    dispatch!(arch, lanes => ByteInsert { lanes, list, partners, sets }, {
        for &listed in list {
            let [values, hidden] = partners.of(listed);
            for lane in 0..LANES {
                let sum = (values[lane] ^ listed.value) | hidden[lane];
                if let Some(row) = sets.get_mut(usize::from(sum / 8)) {
                    row[lane] |= 1 << (sum % 8);
                }
            }
        }
    });
}

struct ByteInsert<'a, L> {
    lanes: L,
    list: &'a [ListedHeap<u8>],
    partners: BytePartners<'a>,
    sets: &'a mut [Row],
}

impl<L: ByteLanes> pulp::NullaryFnOnce for ByteInsert<'_, L> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        if self.sets.len().is_multiple_of(2 * PASS) {
            self.passes::<PASS>();
        } else {
            self.passes::<{ PASS / 2 }>();
        }
    }
}

impl<L: ByteLanes> ByteInsert<'_, L> {
    /// Fills the sets of all lanes in passes over the list of heaps. Each pass fills `PAIRS` pairs
    /// of bytes of every set.
    #[inline(always)]
    fn passes<const PAIRS: usize>(&mut self) {
        let lanes = self.lanes;
        let (pairs, _) = self.sets.as_chunks_mut::<2>();
        for (pass, rows) in pairs.as_chunks_mut::<PAIRS>().0.iter_mut().enumerate() {
            let mut bytes: [[L::Vector; 2]; PAIRS] =
                std::array::from_fn(|i| [lanes.load(&rows[i][0]), lanes.load(&rows[i][1])]);
            for &listed in self.list {
                let sums = lanes.parts(self.partners.sums(lanes, listed));
                // Every sum is tested against every pair of bytes of the pass. A branch on the
                // group of a sum is impossible, since the lanes have different groups.
                for (i, pair) in bytes.iter_mut().enumerate() {
                    lanes.insert(pair, (pass * PAIRS + i) as u8, sums);
                }
            }
            for (rows, pair) in rows.iter_mut().zip(bytes) {
                *rows = [lanes.store(pair[0]), lanes.store(pair[1])];
            }
        }
    }
}

/// Lowers each entry of `least_difference` to the least xor of its candidate with a sum. A sum is
/// the xor of the packed values of a listed heap and its partner. So the entry becomes 0 if the
/// candidate is such a sum.
pub(super) fn compare(
    arch: pulp::Arch,
    list: &[ListedHeap<u8>],
    partners: BytePartners<'_>,
    candidates: &Candidates,
    least_difference: &mut Candidates,
) {
    dispatch!(arch, lanes => ByteCompare { lanes, list, partners, candidates, least_difference }, {
        for &listed in list {
            let [values, hidden] = partners.of(listed);
            for (least_difference, candidate) in least_difference.iter_mut().zip(candidates) {
                for lane in 0..LANES {
                    let sum = (values[lane] ^ listed.value) | hidden[lane];
                    least_difference[lane] = least_difference[lane].min(sum ^ candidate[lane]);
                }
            }
        }
    });
}

struct ByteCompare<'a, L> {
    lanes: L,
    list: &'a [ListedHeap<u8>],
    partners: BytePartners<'a>,
    candidates: &'a Candidates,
    least_difference: &'a mut Candidates,
}

impl<L: ByteLanes> pulp::NullaryFnOnce for ByteCompare<'_, L> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let lanes = self.lanes;
        // Candidates and results stay in registers during the pass over the list. A minimum is used
        // instead of a mask or a branch: it is 0 if and only if some difference is 0.
        let candidates: [L::Vector; CANDIDATES] =
            std::array::from_fn(|i| lanes.load(&self.candidates[i]));
        let mut least: [L::Vector; CANDIDATES] =
            std::array::from_fn(|i| lanes.load(&self.least_difference[i]));
        for &listed in self.list {
            let sums = self.partners.sums(lanes, listed);
            for (least, &candidate) in least.iter_mut().zip(&candidates) {
                *least = lanes.least_difference(*least, sums, candidate);
            }
        }
        for (row, vector) in self.least_difference.iter_mut().zip(least) {
            *row = lanes.store(vector);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::tests::fixed_numbers;

    #[test]
    fn all_instruction_sets_agree() {
        let mut random = fixed_numbers();
        let values: Vec<u8> = (0..1000).map(|_| random() as u8).collect();
        let hidden: Vec<u8> = (0..1000)
            .map(|_| 255 * u8::from(random().is_multiple_of(8)))
            .collect();
        let partners = BytePartners {
            values: &values,
            hidden: &hidden,
            end: 930,
        };
        let mut all = vec![pulp::Arch::new()];
        #[cfg(target_arch = "x86_64")]
        all.extend(pulp::x86::V3::try_new().map(pulp::Arch::V3));
        // The numbers of rows cover both widths of a pass, and several passes.
        for rows in [PASS, 2 * PASS, 3 * PASS] {
            let list: Vec<ListedHeap<u8>> = (0..50)
                .map(|_| ListedHeap {
                    heap: 1 + random() % 930,
                    value: random() as u8,
                })
                .collect();
            let candidates: Candidates =
                std::array::from_fn(|_| std::array::from_fn(|_| random() as u8 % 240));
            let run = |arch| {
                let mut sets = vec![[0; LANES]; rows];
                insert(arch, &list, partners, &mut sets);
                let mut least_difference = [[255; LANES]; CANDIDATES];
                compare(arch, &list, partners, &candidates, &mut least_difference);
                (sets, least_difference.map(|row| row.map(|byte| byte == 0)))
            };
            // The portable loop is compared with the definition, and the vector loops are compared
            // with the portable loop.
            let (sets, hit) = run(pulp::Arch::Scalar);
            for lane in 0..LANES {
                let sums: Vec<u8> = list
                    .iter()
                    .map(|listed| 930 - listed.heap as usize + lane)
                    .zip(&list)
                    .filter(|(partner, _)| hidden[*partner] == 0)
                    .map(|(partner, listed)| values[partner] ^ listed.value)
                    .collect();
                for value in 0..8 * rows {
                    let has = sets[value / 8][lane] >> (value % 8) & 1 == 1;
                    assert_eq!(has, sums.contains(&(value as u8)), "{lane} {value}");
                }
                for (hit, candidates) in hit.iter().zip(&candidates) {
                    assert_eq!(hit[lane], sums.contains(&candidates[lane]), "{lane}");
                }
            }
            for &arch in &all {
                assert!(run(arch) == (sets.clone(), hit), "{arch:?}");
            }
        }
    }
}
