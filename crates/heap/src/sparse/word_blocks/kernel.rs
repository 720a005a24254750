//! Inner loops on 16-bit values, for 64 lanes. Each lane is a heap. For each listed heap and each
//! lane, the loops compute the value of a split. This value is the xor of the packed values of the
//! listed heap and of its partner. The values, called sums, are inserted into sets or compared with
//! candidates.
//!
//! Each lane has two bytes of a vector. A row of its set has one bit for each of sixteen values. A
//! value is inserted by trying the rows one after the other. In each row, AVX-512 shifts 1 by the
//! value minus the first value of the row. The shift gives 0 if the value belongs to another row,
//! so that no lookup or comparison is necessary. AVX2 has no such shift, and uses a byte lookup and
//! a comparison instead.

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

use crate::sparse::dispatch::dispatch;
use crate::sparse::listed::ListedHeap;
use crate::sparse::missing::{CANDIDATES, LANES};

/// For each lane, a 16-bit value, or one bit for each of sixteen values.
pub(super) type Row = [u16; LANES];

/// The number of lanes processed at once: 32 values of 16 bits fill a vector of 512 bits.
const HALF: usize = LANES / 2;
type Half = [u16; HALF];

/// The number of values in a row of a set. A row is a 16-bit number with one bit for each value.
pub(super) const BITS: usize = 16;

/// The least number of rows of the sets that one pass over the list of heaps fills. The number of
/// rows of every set is a multiple of this number.
pub(super) const PASS: usize = 8;

/// The candidates of all lanes, that is, the least values that the sets of the lanes do not
/// contain. Row i has the i-th least candidate of each lane.
pub(super) type Candidates = [Row; CANDIDATES];

/// The entry for a partner that must be ignored, because it is a rare heap. The xor of this entry
/// with any packed value is larger than all values of a set.
pub(super) const HIDDEN: u16 = 1 << 15;

/// The partners of listed heaps: the other heaps of the splits, for 64 successive heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partners<'a> {
    /// The packed values of the most recent heaps, which contain all partners. The entry is
    /// `HIDDEN` for a heap that must be ignored as a partner.
    pub(super) values: &'a [u16],
    /// The index in `values` at which a listed heap of 0 chips would have its partner in lane 0. In
    /// lane i, the partner of a listed heap h has the index `end` - h + i.
    pub(super) end: usize,
}

impl<'a> Partners<'a> {
    /// Returns the values of the partners of a listed heap, for the lanes of one half.
    #[inline(always)]
    fn of(&self, listed: ListedHeap<u16>, half: usize) -> &'a Half {
        let start = self.end - listed.heap as usize + half * HALF;
        self.values[start..]
            .first_chunk()
            .expect("listed heaps are so large that every lane has its partner")
    }
}

/// The vector instructions that the inner loops use.
trait Lanes: Copy {
    /// One 16-bit value for each lane of one half of the 64 lanes.
    type Vector: Copy;
    /// The values of a vector, prepared for `insert`.
    type Parts: Copy;
    /// `true` if the vector registers suffice to fill more than [`PASS`] rows of the sets in one
    /// pass over the list.
    const MANY_REGISTERS: bool;
    fn splat(self, value: u16) -> Self::Vector;
    fn load(self, half: &Half) -> Self::Vector;
    fn store(self, vector: Self::Vector) -> Half;
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the lesser of `least` and a xor b, which is 0 if a = b.
    fn least_difference(
        self,
        least: Self::Vector,
        a: Self::Vector,
        b: Self::Vector,
    ) -> Self::Vector;
    /// Returns the values minus the first value of row `row`, prepared for insertion.
    fn parts(self, values: Self::Vector, row: usize) -> Self::Parts;
    /// Inserts the values that belong to a row of a set into this row, and ignores all other
    /// values. Then changes `values` to be relative to the first value of the next row.
    fn insert(self, row: &mut Self::Vector, values: &mut Self::Parts);
}

/// Inserts the sum of each listed heap and its partner in each lane, that is, the xor of their
/// packed values, into the sets. Sums too large for the sets are skipped. The number of rows in
/// `sets` must be a multiple of `PASS`.
pub(super) fn insert(
    arch: pulp::Arch,
    list: &[ListedHeap<u16>],
    partners: Partners<'_>,
    sets: &mut [Row],
) {
    dispatch!(arch, lanes => Insert { lanes, list, partners, sets }, {
        for &listed in list {
            for half in 0..2 {
                for (lane, partner) in (half * HALF..).zip(partners.of(listed, half)) {
                    let sum = usize::from(partner ^ listed.value);
                    if let Some(row) = sets.get_mut(sum / BITS) {
                        row[lane] |= 1 << (sum % BITS);
                    }
                }
            }
        }
    });
}

struct Insert<'a, L> {
    lanes: L,
    list: &'a [ListedHeap<u16>],
    partners: Partners<'a>,
    sets: &'a mut [Row],
}

impl<L: Lanes> pulp::NullaryFnOnce for Insert<'_, L> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for half in 0..2 {
            let mut first = 0;
            while first < self.sets.len() {
                // Each pass reads the whole list. With more rows in a pass, the list is read less
                // often. The rows must stay in registers, of which AVX-512 has 32.
                first += match self.sets.len() - first {
                    rows if L::MANY_REGISTERS && rows >= 3 * PASS => {
                        self.pass::<{ 3 * PASS }>(first, half)
                    }
                    rows if L::MANY_REGISTERS && rows >= 2 * PASS => {
                        self.pass::<{ 2 * PASS }>(first, half)
                    }
                    _ => self.pass::<PASS>(first, half),
                };
            }
        }
    }
}

impl<L: Lanes> Insert<'_, L> {
    /// Fills `ROWS` rows of the sets from row `first` upward, for one half of the lanes, with the
    /// values of the splits. Returns `ROWS`.
    #[inline(always)]
    fn pass<const ROWS: usize>(&mut self, first: usize, half: usize) -> usize {
        let lanes = self.lanes;
        let sets = &mut self.sets[first..first + ROWS];
        let mut rows: [L::Vector; ROWS] =
            std::array::from_fn(|i| lanes.load(&sets[i].as_chunks().0[half]));
        for &listed in self.list {
            let partners = lanes.load(self.partners.of(listed, half));
            let sums = lanes.xor(partners, lanes.splat(listed.value));
            let mut parts = lanes.parts(sums, first);
            for row in &mut rows {
                lanes.insert(row, &mut parts);
            }
        }
        for (set, row) in sets.iter_mut().zip(rows) {
            set.as_chunks_mut().0[half] = lanes.store(row);
        }
        ROWS
    }
}

/// Lowers each entry of `least_difference` to the least xor of its candidate with a sum. A sum is
/// the xor of the packed values of a listed heap and its partner. So the entry becomes 0 if the
/// candidate is such a sum.
pub(super) fn compare(
    arch: pulp::Arch,
    list: &[ListedHeap<u16>],
    partners: Partners<'_>,
    candidates: &Candidates,
    least_difference: &mut Candidates,
) {
    dispatch!(arch, lanes => Compare { lanes, list, partners, candidates, least_difference }, {
        for &listed in list {
            for half in 0..2 {
                let partners = partners.of(listed, half);
                for (least_difference, candidate) in least_difference.iter_mut().zip(candidates) {
                    for (lane, partner) in (half * HALF..).zip(partners) {
                        let difference = partner ^ listed.value ^ candidate[lane];
                        least_difference[lane] = least_difference[lane].min(difference);
                    }
                }
            }
        }
    });
}

struct Compare<'a, L> {
    lanes: L,
    list: &'a [ListedHeap<u16>],
    partners: Partners<'a>,
    candidates: &'a Candidates,
    least_difference: &'a mut Candidates,
}

impl<L: Lanes> pulp::NullaryFnOnce for Compare<'_, L> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let lanes = self.lanes;
        for half in 0..2 {
            let load = |row: &Row| lanes.load(&row.as_chunks().0[half]);
            let candidates: [L::Vector; CANDIDATES] =
                std::array::from_fn(|i| load(&self.candidates[i]));
            let mut least: [L::Vector; CANDIDATES] =
                std::array::from_fn(|i| load(&self.least_difference[i]));
            for &listed in self.list {
                let partners = lanes.load(self.partners.of(listed, half));
                let sums = lanes.xor(partners, lanes.splat(listed.value));
                for (least, &candidate) in least.iter_mut().zip(&candidates) {
                    *least = lanes.least_difference(*least, sums, candidate);
                }
            }
            for (row, vector) in self.least_difference.iter_mut().zip(least) {
                row.as_chunks_mut().0[half] = lanes.store(vector);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use pulp::cast;
    use pulp::x86::{V3, V4};

    use super::{BITS, Half, Lanes};

    impl Lanes for V4 {
        type Vector = __m512i;
        type Parts = __m512i;
        const MANY_REGISTERS: bool = true;

        #[inline(always)]
        fn splat(self, value: u16) -> __m512i {
            self.avx512f._mm512_set1_epi16(value as i16)
        }

        #[inline(always)]
        fn load(self, half: &Half) -> __m512i {
            cast(*half)
        }

        #[inline(always)]
        fn store(self, vector: __m512i) -> Half {
            cast(vector)
        }

        #[inline(always)]
        fn xor(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_xor_si512(a, b)
        }

        #[inline(always)]
        fn least_difference(self, least: __m512i, a: __m512i, b: __m512i) -> __m512i {
            self.avx512bw._mm512_min_epu16(least, self.xor(a, b))
        }

        #[inline(always)]
        fn parts(self, values: __m512i, row: usize) -> __m512i {
            let first = self.splat((row * BITS) as u16);
            self.avx512bw._mm512_sub_epi16(values, first)
        }

        #[inline(always)]
        fn insert(self, row: &mut __m512i, values: &mut __m512i) {
            // A shift count of 16 or more shifts all bits out. Counts are unsigned, so values of
            // earlier rows wrap around to such counts. For `HIDDEN` the count is at least 16 in all
            // rows of the sets.
            let bit = self.avx512bw._mm512_sllv_epi16(self.splat(1), *values);
            *row = self.avx512f._mm512_or_si512(*row, bit);
            let next = self.splat(BITS as u16);
            *values = self.avx512bw._mm512_sub_epi16(*values, next);
        }
    }

    impl Lanes for V3 {
        type Vector = [__m256i; 2];
        /// Two vectors. The first has the bit of each value within its row. The second has the
        /// first value of that row, relative to the current row.
        type Parts = [[__m256i; 2]; 2];
        const MANY_REGISTERS: bool = false;

        #[inline(always)]
        fn splat(self, value: u16) -> [__m256i; 2] {
            [self.avx._mm256_set1_epi16(value as i16); 2]
        }

        #[inline(always)]
        fn load(self, half: &Half) -> [__m256i; 2] {
            cast(*half)
        }

        #[inline(always)]
        fn store(self, vector: [__m256i; 2]) -> Half {
            cast(vector)
        }

        #[inline(always)]
        fn xor(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            std::array::from_fn(|i| self.avx2._mm256_xor_si256(a[i], b[i]))
        }

        #[inline(always)]
        fn least_difference(
            self,
            least: [__m256i; 2],
            a: [__m256i; 2],
            b: [__m256i; 2],
        ) -> [__m256i; 2] {
            let difference = self.xor(a, b);
            std::array::from_fn(|i| self.avx2._mm256_min_epu16(least[i], difference[i]))
        }

        #[inline(always)]
        fn parts(self, values: [__m256i; 2], row: usize) -> [[__m256i; 2]; 2] {
            /// For each i below 16, the low byte of the 16-bit number 1 << i. It is 0 if the bit
            /// belongs to the high byte, which is found at index i xor 8.
            const TABLE: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
            let [low, _] = self.splat(BITS as u16 - 1);
            let [second, _] = self.splat(8 << 8);
            let [first, _] = self.splat((row * BITS) as u16);
            let table = cast([TABLE; 2]);
            let bits = values.map(|values| {
                let place = self.avx2._mm256_and_si256(values, low);
                // AVX2 has no shift of 16-bit lanes by different counts. Instead, a byte shuffle on
                // the low four bits of the value is made for each of the two bytes.
                let both = self
                    .avx2
                    ._mm256_or_si256(place, self.avx2._mm256_slli_epi16::<8>(place));
                let places = self.avx2._mm256_xor_si256(both, second);
                self.avx2._mm256_shuffle_epi8(table, places)
            });
            let rows = values.map(|values| {
                let row = self.avx2._mm256_andnot_si256(low, values);
                self.avx2._mm256_sub_epi16(row, first)
            });
            [bits, rows]
        }

        #[inline(always)]
        fn insert(self, row: &mut [__m256i; 2], [bits, rows]: &mut [[__m256i; 2]; 2]) {
            let [none, _] = self.splat(0);
            let [next, _] = self.splat(BITS as u16);
            for i in 0..2 {
                // The row of each value is relative to the current row. So exactly the values of
                // this row have 0 here.
                let here = self.avx2._mm256_cmpeq_epi16(rows[i], none);
                let bit = self.avx2._mm256_and_si256(bits[i], here);
                row[i] = self.avx2._mm256_or_si256(row[i], bit);
                rows[i] = self.avx2._mm256_sub_epi16(rows[i], next);
            }
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
        let values: Vec<u16> = (0..1000)
            .map(|_| match random() {
                hidden if hidden % 8 == 0 => HIDDEN,
                value => (value / 8) as u16 % 1024,
            })
            .collect();
        let partners = Partners {
            values: &values,
            end: 930,
        };
        let mut all = vec![pulp::Arch::new()];
        #[cfg(target_arch = "x86_64")]
        all.extend(pulp::x86::V3::try_new().map(pulp::Arch::V3));
        // The numbers of rows cover all widths of a pass, and sequences of passes with a remainder.
        for rows in [1, 2, 3, 4, 6, 8].map(|passes| passes * PASS) {
            let list: Vec<ListedHeap<u16>> = (0..50)
                .map(|_| ListedHeap {
                    heap: 1 + random() % 930,
                    value: random() as u16 % 1024,
                })
                .collect();
            let candidates: Candidates =
                std::array::from_fn(|_| std::array::from_fn(|_| random() as u16 % 1024));
            let run = |arch| {
                let mut sets = vec![[0; LANES]; rows];
                insert(arch, &list, partners, &mut sets);
                let mut least_difference = [[u16::MAX; LANES]; CANDIDATES];
                compare(arch, &list, partners, &candidates, &mut least_difference);
                (
                    sets,
                    least_difference.map(|row| row.map(|least| least == 0)),
                )
            };
            let (sets, hit) = run(pulp::Arch::Scalar);
            for lane in 0..LANES {
                let sums: Vec<u16> = list
                    .iter()
                    .map(|listed| values[930 - listed.heap as usize + lane] ^ listed.value)
                    .filter(|sum| *sum < HIDDEN)
                    .collect();
                for value in 0..BITS * rows {
                    let has = sets[value / BITS][lane] >> (value % BITS) & 1 == 1;
                    assert_eq!(has, sums.contains(&(value as u16)), "{lane} {value}");
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
