//! The two inner loops: sums of listed heaps with the heaps of 64 lanes, inserted into sets or
//! compared with candidates.
//!
//! A lane takes two bytes of a vector, a row of its set the bits of sixteen values. A value is
//! inserted into row after row by a shift that leaves nothing where the value lies in another row,
//! so nothing is looked up or compared.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched code gets its instructions"
)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        reason = "no other machine has instructions of its own here"
    )
)]

use crate::sparse::dispatch::dispatch;
use crate::sparse::listed::Listed;
use crate::sparse::missing::{CANDIDATES, LANES};

/// A value, or the bits of sixteen values, for each lane.
pub(super) type Row = [u16; LANES];

/// The lanes that are handled at once.
const HALF: usize = LANES / 2;
type Half = [u16; HALF];

/// Values in a row of a set.
pub(super) const BITS: usize = 16;

/// Sets have a multiple of so many rows.
pub(super) const PASS: usize = 8;

/// A row for each candidate.
pub(super) type Candidates = [Row; CANDIDATES];

/// The value of a heap whose sums do not count: with any value added it is larger than all that is
/// looked for.
pub(super) const HIDDEN: u16 = 1 << 15;

/// The heaps that listed heaps are added to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partners<'a> {
    /// Values packed, or `HIDDEN`.
    pub(super) values: &'a [u16],
    /// Lane i adds a listed heap h and the heap at `end` - h + i.
    pub(super) end: usize,
}

impl<'a> Partners<'a> {
    /// Returns the values of the partners of a listed heap in half of the lanes.
    #[inline(always)]
    fn of(&self, listed: Listed<u16>, half: usize) -> &'a Half {
        let start = self.end - listed.heap as usize + half * HALF;
        self.values[start..]
            .first_chunk()
            .expect("listed heaps are so large that every lane has its partner")
    }
}

/// The instructions that the inner loops need.
trait Lanes: Copy {
    /// Half of the lanes.
    type Vector: Copy;
    /// A value of every lane, prepared for insertion.
    type Parts: Copy;
    /// `true` if there is room for many vectors in registers.
    const ROOMY: bool;
    fn splat(self, value: u16) -> Self::Vector;
    fn load(self, half: &Half) -> Self::Vector;
    fn store(self, vector: Self::Vector) -> Half;
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the lesser of `least` and a xor b: 0 where a = b once.
    fn nearest(self, least: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the values counted from the first value of the row `row`.
    fn parts(self, values: Self::Vector, row: usize) -> Self::Parts;
    /// Inserts the values of a row into it, and goes on to the next row.
    fn insert(self, row: &mut Self::Vector, values: &mut Self::Parts);
}

/// Inserts the sums of the listed heaps as far as the sets go; their rows are a multiple of `PASS`.
pub(super) fn insert(
    arch: pulp::Arch,
    list: &[Listed<u16>],
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
    list: &'a [Listed<u16>],
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
                first += match self.sets.len() - first {
                    left if L::ROOMY && left >= 3 * PASS => self.pass::<{ 3 * PASS }>(first, half),
                    left if L::ROOMY && left >= 2 * PASS => self.pass::<{ 2 * PASS }>(first, half),
                    _ => self.pass::<PASS>(first, half),
                };
            }
        }
    }
}

impl<L: Lanes> Insert<'_, L> {
    /// Fills so many rows from `first` on in half of the lanes, and says how many.
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

/// Makes `nearest` 0 where a candidate is a sum of a listed heap.
pub(super) fn compare(
    arch: pulp::Arch,
    list: &[Listed<u16>],
    partners: Partners<'_>,
    candidates: &Candidates,
    nearest: &mut Candidates,
) {
    dispatch!(arch, lanes => Compare { lanes, list, partners, candidates, nearest }, {
        for &listed in list {
            for half in 0..2 {
                let partners = partners.of(listed, half);
                for (nearest, candidate) in nearest.iter_mut().zip(candidates) {
                    for (lane, partner) in (half * HALF..).zip(partners) {
                        let difference = partner ^ listed.value ^ candidate[lane];
                        nearest[lane] = nearest[lane].min(difference);
                    }
                }
            }
        }
    });
}

struct Compare<'a, L> {
    lanes: L,
    list: &'a [Listed<u16>],
    partners: Partners<'a>,
    candidates: &'a Candidates,
    nearest: &'a mut Candidates,
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
                std::array::from_fn(|i| load(&self.nearest[i]));
            for &listed in self.list {
                let partners = lanes.load(self.partners.of(listed, half));
                let sums = lanes.xor(partners, lanes.splat(listed.value));
                for (least, &candidate) in least.iter_mut().zip(&candidates) {
                    *least = lanes.nearest(*least, sums, candidate);
                }
            }
            for (row, vector) in self.nearest.iter_mut().zip(least) {
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
        const ROOMY: bool = true;

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
        fn nearest(self, least: __m512i, a: __m512i, b: __m512i) -> __m512i {
            self.avx512bw._mm512_min_epu16(least, self.xor(a, b))
        }

        #[inline(always)]
        fn parts(self, values: __m512i, row: usize) -> __m512i {
            let first = self.splat((row * BITS) as u16);
            self.avx512bw._mm512_sub_epi16(values, first)
        }

        #[inline(always)]
        fn insert(self, row: &mut __m512i, values: &mut __m512i) {
            let bit = self.avx512bw._mm512_sllv_epi16(self.splat(1), *values);
            *row = self.avx512f._mm512_or_si512(*row, bit);
            let next = self.splat(BITS as u16);
            *values = self.avx512bw._mm512_sub_epi16(*values, next);
        }
    }

    impl Lanes for V3 {
        type Vector = [__m256i; 2];
        /// The bits that the values are in their rows, and their rows times `BITS`.
        type Parts = [[__m256i; 2]; 2];
        const ROOMY: bool = false;

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
        fn nearest(self, least: [__m256i; 2], a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            let difference = self.xor(a, b);
            std::array::from_fn(|i| self.avx2._mm256_min_epu16(least[i], difference[i]))
        }

        #[inline(always)]
        fn parts(self, values: [__m256i; 2], row: usize) -> [[__m256i; 2]; 2] {
            /// Bits for the low halves of bytes; looked up with 8 added, the bits of the second
            /// byte.
            const TABLE: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
            let [low, _] = self.splat(BITS as u16 - 1);
            let [second, _] = self.splat(8 << 8);
            let [first, _] = self.splat((row * BITS) as u16);
            let table = cast([TABLE; 2]);
            let bits = values.map(|values| {
                let place = self.avx2._mm256_and_si256(values, low);
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
    fn all_instructions_give_the_same() {
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
        for rows in [1, 2, 3, 4, 6, 8].map(|passes| passes * PASS) {
            let list: Vec<Listed<u16>> = (0..50)
                .map(|_| Listed {
                    heap: 1 + random() % 930,
                    value: random() as u16 % 1024,
                })
                .collect();
            let candidates: Candidates =
                std::array::from_fn(|_| std::array::from_fn(|_| random() as u16 % 1024));
            let run = |arch| {
                let mut sets = vec![[0; LANES]; rows];
                insert(arch, &list, partners, &mut sets);
                let mut nearest = [[u16::MAX; LANES]; CANDIDATES];
                compare(arch, &list, partners, &candidates, &mut nearest);
                (sets, nearest.map(|row| row.map(|least| least == 0)))
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
