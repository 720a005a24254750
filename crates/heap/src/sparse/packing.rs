//! Values of one class without the bit that the class makes superfluous.
//!
//! Dropping a bit is linear over xor, so sums can be taken of what is left. The bit is the lowest
//! one of the mask. Two different values that heaps of the same parity can have in the same class
//! differ in an even number of bits of the mask. So their highest difference is not the dropped
//! bit, for then that would be their only difference in the mask: what is left of them differs and
//! has the same order. Each class fills half of the values below a power of two, hence all that can
//! be left of them: the least value of a class that is missing is the least one that is missing in
//! what is left.

use crate::classes::Classes;

/// Values below this can be packed.
const MOST: u64 = 1 << 13;

/// How values are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    classes: Classes,
    /// The place of the dropped bit.
    bit: u32,
    /// For even and odd heaps, by what is left of it: the common value, and how many rare values
    /// are less.
    commons: [Vec<(u16, u16)>; 2],
}

impl Packing {
    /// For values below `size`, a power of two of at most `MOST`, if the class depends on them.
    pub(super) fn new(classes: Classes, size: u64) -> Option<Self> {
        let bit = classes.mask.trailing_zeros();
        if size > MOST || 1 << bit.min(63) >= size {
            return None;
        }
        let lefts = size.max(512) / 2;
        let mut packing = Self {
            classes,
            bit,
            commons: [Vec::new(), Vec::new()],
        };
        packing.commons = [0, 1].map(|n| {
            let rares: Vec<u64> = (0..lefts)
                .map(|left| packing.unpack(n, left, false))
                .collect();
            let entry = |left| {
                let common = packing.unpack(n, left, true);
                // Between classes the order of what is left says nothing: the dropped bit may be
                // above others.
                let below = rares.partition_point(|rare| *rare < common);
                (common as u16, below as u16)
            };
            (0..lefts).map(entry).collect()
        });
        Some(packing)
    }

    /// What is left of a value.
    pub(super) fn pack(&self, value: u64) -> u16 {
        let low = (1 << self.bit) - 1;
        (value >> 1 & !low | value & low) as u16
    }

    /// Returns the value of a heap of `n` of the class that `left` is left of.
    pub(super) fn unpack(&self, n: usize, left: u64, common: bool) -> u64 {
        let low = (1 << self.bit) - 1;
        let value = (left & !low) << 1 | left & low;
        value | u64::from(self.classes.common(n, value) != common) << self.bit
    }

    /// Returns the common value of a heap of `n`, and how many rare values are less.
    pub(super) fn common(&self, n: usize, left: u16) -> (u64, usize) {
        let (value, below) = self.commons[n % 2][usize::from(left)];
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
    fn what_is_left_keeps_order_and_sums() {
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
                    let left = values.clone().map(|value| packing.pack(value));
                    assert!(left.eq(0..(size / 2) as u16), "{mask}");
                    assert!(values.eq((0..size / 2).map(|left| packing.unpack(n, left, class))));
                }
                for left in 0..(size / 2) as u16 {
                    let (value, below) = packing.common(n, left);
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
