//! Packed values: values with one bit removed. For a given heap, the removed bit follows from the
//! other bits and from the class of the value (common or rare).
//!
//! Dropping a bit is linear over xor, so xor can be applied to packed values. The dropped bit is
//! the lowest bit of the mask. Let two different values belong to the same class, for heaps of the
//! same parity. Then they differ in an even number of bits of the mask. So the highest bit in which
//! they differ is not the dropped bit. Otherwise they would differ in only one bit of the mask.
//! Hence their packed values differ, and have the same order as the values.
//!
//! Each class contains half of the values below a power of two. So packing maps a class onto all
//! packed values. The least missing value of a class is packed to the least missing packed value.

use crate::classes::Classes;

/// Largest bound for values that can be packed.
const MAX_SIZE: u64 = 1 << 13;

/// The conversion from values to packed values and back.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    classes: Classes,
    /// The position of the dropped bit.
    bit: u32,
    /// One list for even heaps and one for odd heaps. At index x, a list has the common value that
    /// is packed to x, and the number of smaller rare values.
    commons: [Vec<(u16, u16)>; 2],
}

impl Packing {
    /// Creates the packing of values below `size`, which must be a power of two. Returns `None` if
    /// `size` exceeds `MAX_SIZE`, or if the lowest bit of the mask is not among the bits of such
    /// values.
    pub(super) fn new(classes: Classes, size: u64) -> Option<Self> {
        let bit = classes.mask.trailing_zeros();
        if size > MAX_SIZE || 1 << bit.min(63) >= size {
            return None;
        }
        // There are at least 256 entries, so that every byte is a valid index.
        let count = size.max(512) / 2;
        let mut packing = Self {
            classes,
            bit,
            commons: [Vec::new(), Vec::new()],
        };
        packing.commons = [0, 1].map(|n| {
            let rares: Vec<u64> = (0..count)
                .map(|packed| packing.unpack(n, packed, false))
                .collect();
            let entry = |packed| {
                let common = packing.unpack(n, packed, true);
                // Packing keeps the order of values only within a class. It does not keep it
                // between the classes, since the dropped bit may be above the others. So the number
                // of smaller rare values is stored in a table.
                let below = rares.partition_point(|rare| *rare < common);
                (common as u16, below as u16)
            };
            (0..count).map(entry).collect()
        });
        Some(packing)
    }

    /// Returns the packed value: `value` without the dropped bit.
    pub(super) fn pack(&self, value: u64) -> u16 {
        let low = (1 << self.bit) - 1;
        (value >> 1 & !low | value & low) as u16
    }

    /// Returns the value of a heap of `n` whose packed value is `packed`. Of the two such values,
    /// this is the common value if `common` is `true`, and otherwise the rare value.
    pub(super) fn unpack(&self, n: usize, packed: u64, common: bool) -> u64 {
        let low = (1 << self.bit) - 1;
        let value = (packed & !low) << 1 | packed & low;
        value | u64::from(self.classes.common(n, value) != common) << self.bit
    }

    /// Returns the common value of a heap of `n` whose packed value is `packed`. Also returns the
    /// number of rare values that are smaller than this common value.
    pub(super) fn common(&self, n: usize, packed: u16) -> (u64, usize) {
        let (value, below) = self.commons[n % 2][usize::from(packed)];
        (value.into(), below.into())
    }

    pub(super) fn is_common(&self, n: usize, value: u64) -> bool {
        self.classes.common(n, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_keep_order_and_sums() {
        // The masks have their lowest bit at the bottom, in the middle and at the top, with and
        // without the parity of the heap.
        for (mask, position, odd, size) in [
            (494, false, false, 512),
            (254, false, false, 512),
            (1, true, true, 512),
            (256, false, false, 512),
            (24, true, false, 512),
            (800, false, false, 1024),
            (6, true, true, 2048),
        ] {
            let classes = Classes {
                mask,
                position,
                odd,
            };
            let packing = Packing::new(classes, size).unwrap();
            for n in [6, 7] {
                for class in [true, false] {
                    let values = (0..size).filter(|&value| classes.common(n, value) == class);
                    let packed = values.clone().map(|value| packing.pack(value));
                    assert!(packed.eq(0..(size / 2) as u16), "{mask}");
                    assert!(
                        values.eq((0..size / 2).map(|packed| packing.unpack(n, packed, class)))
                    );
                }
                for packed in 0..(size / 2) as u16 {
                    let (value, below) = packing.common(n, packed);
                    let rares = (0..value).filter(|&value| !classes.common(n, value));
                    assert_eq!(rares.count(), below, "{mask} {value}");
                }
            }
            for (a, b) in [(3, 500), (17, 255), (256, 257)] {
                assert_eq!(
                    packing.pack(a) ^ packing.pack(b),
                    packing.pack(a ^ b),
                    "{mask}"
                );
            }
        }
        let mask = |mask| Classes {
            mask,
            position: false,
            odd: false,
        };
        assert!(Packing::new(mask(1), 1 << 14).is_none());
        assert!(Packing::new(mask(512), 512).is_none());
        assert!(Packing::new(mask(0), 64).is_none());
    }
}
