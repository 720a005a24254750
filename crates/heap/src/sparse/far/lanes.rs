//! Vectors of 64 bytes, a lane for each of 64 heaps, and sets of bytes for each lane.
//!
//! The set of a lane takes 32 bytes, a bit for each value. Byte k of all lanes lies in one vector,
//! so that a value is inserted by two look-ups in tables of sixteen bytes: the low half of the
//! value says which bit of the two bytes of its group, the high half says which group.

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

use crate::sparse::missing::LANES;

/// The bytes of a set.
pub(super) const ROWS: usize = 32;

/// A byte for each lane.
pub(super) type Row = [u8; LANES];

/// The instructions that the inner loops need.
pub(super) trait ByteLanes: Copy {
    type Vector: Copy;
    /// A value of every lane, prepared for insertion.
    type Parts: Copy;
    fn splat(self, byte: u8) -> Self::Vector;
    fn load(self, row: &Row) -> Self::Vector;
    fn store(self, vector: Self::Vector) -> Row;
    /// (a xor b) or c.
    fn sum(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns the lesser of `least` and a xor b: 0 where a = b once.
    fn nearest(self, least: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn parts(self, values: Self::Vector) -> Self::Parts;
    /// Inserts into the two bytes of a group the values that belong there.
    fn insert(self, bytes: &mut [Self::Vector; 2], group: u8, values: Self::Parts);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use pulp::cast;
    use pulp::x86::{V3, V4};

    use super::{ByteLanes, LANES, Row};

    /// Bits 0 to 7 for the low half of a value, in the first and in the second byte of its group.
    const BITS: [[u8; 16]; 2] = [
        [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128],
    ];

    impl ByteLanes for V4 {
        type Vector = __m512i;
        /// The low halves, and the high halves in place.
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
        fn nearest(self, least: __m512i, a: __m512i, b: __m512i) -> __m512i {
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
        fn nearest(self, least: [__m256i; 2], a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
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
                // Below 16 in the lanes of the group, where adding keeps the highest bit clear; a
                // look-up with the highest bit set gives 0.
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
