//! Vectors of 64 bytes, with one lane for each of 64 heaps. Each lane has a set of values.
//!
//! The set of a lane has 32 bytes, with one bit for each value. Byte k of the sets of all lanes is
//! stored in one vector. The high four bits of a value select a group of two bytes. The low four
//! bits select a bit in these two bytes, by two lookups in tables of sixteen bytes.

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

use crate::sparse::missing::LANES;

/// The number of bytes in the set of a lane.
pub(super) const ROWS: usize = 32;

/// One byte for each lane, that is, for each of the 64 heaps that are computed together.
pub(super) type Row = [u8; LANES];

/// The vector instructions that the inner loops use.
pub(super) trait ByteLanes: Copy {
    type Vector: Copy;
    /// The values of all lanes, prepared for `insert`.
    type Parts: Copy;
    fn splat(self, byte: u8) -> Self::Vector;
    fn load(self, row: &Row) -> Self::Vector;
    fn store(self, vector: Self::Vector) -> Row;
    /// Returns c | (a ^ b) in each lane. If c is 255, the result is 255 and is ignored, because the
    /// sets have no room for 255.
    fn sum(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns the lesser of `least` and a xor b, which is 0 if a = b.
    fn least_difference(
        self,
        least: Self::Vector,
        a: Self::Vector,
        b: Self::Vector,
    ) -> Self::Vector;
    fn parts(self, values: Self::Vector) -> Self::Parts;
    /// Inserts those values whose high four bits are `group` into `bytes`, the two bytes of the set
    /// for these values. All other values are ignored.
    fn insert(self, bytes: &mut [Self::Vector; 2], group: u8, values: Self::Parts);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use pulp::cast;
    use pulp::x86::{V3, V4};

    use super::{ByteLanes, LANES, Row};

    /// Two lookup tables, for the first and for the second byte of a group, which has one bit for
    /// each of 16 values. They map the low four bits of a value to its bit in that byte, or to 0.
    const BITS: [[u8; 16]; 2] = [
        [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128],
    ];

    impl ByteLanes for V4 {
        type Vector = __m512i;
        /// Two vectors: each value with only its low four bits kept, and with only its high four
        /// bits kept.
        type Parts = [__m512i; 2];

        #[inline(always)]
        fn splat(self, byte: u8) -> __m512i {
            self.avx512f._mm512_set1_epi8(byte as i8)
        }

        #[inline(always)]
        fn load(self, row: &Row) -> __m512i {
            cast(*row)
        }

        #[inline(always)]
        fn store(self, vector: __m512i) -> Row {
            cast(vector)
        }

        #[inline(always)]
        fn sum(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            let sum = self.avx512f._mm512_xor_si512(a, b);
            self.avx512f._mm512_or_si512(sum, c)
        }

        #[inline(always)]
        fn least_difference(self, least: __m512i, a: __m512i, b: __m512i) -> __m512i {
            let difference = self.avx512f._mm512_xor_si512(a, b);
            self.avx512bw._mm512_min_epu8(least, difference)
        }

        #[inline(always)]
        fn parts(self, values: __m512i) -> [__m512i; 2] {
            [0x0F, 0xF0].map(|half| self.avx512f._mm512_and_si512(values, self.splat(half)))
        }

        #[inline(always)]
        fn insert(self, bytes: &mut [__m512i; 2], group: u8, [low, high]: [__m512i; 2]) {
            let own = self.splat(group << 4);
            // The mask makes the lanes of other groups zero. In all other lanes, the highest bit of
            // `low` is 0, so that the shuffle reads the table.
            let here = self.avx512bw._mm512_cmpeq_epi8_mask(high, own);
            for (byte, bits) in bytes.iter_mut().zip(BITS) {
                let bits = cast([bits; LANES / 16]);
                let bit = self.avx512bw._mm512_maskz_shuffle_epi8(here, bits, low);
                *byte = self.avx512f._mm512_or_si512(*byte, bit);
            }
        }
    }

    impl ByteLanes for V3 {
        type Vector = [__m256i; 2];
        type Parts = [__m256i; 2];

        #[inline(always)]
        fn splat(self, byte: u8) -> [__m256i; 2] {
            [self.avx._mm256_set1_epi8(byte as i8); 2]
        }

        #[inline(always)]
        fn load(self, row: &Row) -> [__m256i; 2] {
            cast(*row)
        }

        #[inline(always)]
        fn store(self, vector: [__m256i; 2]) -> Row {
            cast(vector)
        }

        #[inline(always)]
        fn sum(self, a: [__m256i; 2], b: [__m256i; 2], c: [__m256i; 2]) -> [__m256i; 2] {
            std::array::from_fn(|i| {
                let sum = self.avx2._mm256_xor_si256(a[i], b[i]);
                self.avx2._mm256_or_si256(sum, c[i])
            })
        }

        #[inline(always)]
        fn least_difference(
            self,
            least: [__m256i; 2],
            a: [__m256i; 2],
            b: [__m256i; 2],
        ) -> [__m256i; 2] {
            std::array::from_fn(|i| {
                let difference = self.avx2._mm256_xor_si256(a[i], b[i]);
                self.avx2._mm256_min_epu8(least[i], difference)
            })
        }

        #[inline(always)]
        fn parts(self, values: [__m256i; 2]) -> [__m256i; 2] {
            values
        }

        #[inline(always)]
        fn insert(self, bytes: &mut [[__m256i; 2]; 2], group: u8, values: [__m256i; 2]) {
            let [own, _] = self.splat(group << 4);
            let [rest, _] = self.splat(0x70);
            for i in 0..2 {
                // In a lane of the group, the offset is below 16, so adding 0x70 leaves the highest
                // bit 0. In any other lane, the saturating sum is at least 0x80, for which the
                // shuffle returns 0.
                let offset = self.avx2._mm256_xor_si256(values[i], own);
                let place = self.avx2._mm256_adds_epu8(offset, rest);
                for (byte, bits) in bytes.iter_mut().zip(BITS) {
                    let bit = self.avx2._mm256_shuffle_epi8(cast([bits; 2]), place);
                    byte[i] = self.avx2._mm256_or_si256(byte[i], bit);
                }
            }
        }
    }
}
