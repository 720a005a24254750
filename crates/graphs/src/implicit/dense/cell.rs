//! Cells of one, two or four bytes, and accumulators over the cells of options. The accumulators
//! contain no branches.

/// An integer type for the cells of a dense table.
pub(super) trait Cell: Copy + Ord + Into<u32> {
    /// The content of an empty cell, which is greater than every number.
    const NONE: Self;

    /// Converts a number to a cell. Returns `None` if the number does not fit.
    fn from_number(number: u32) -> Option<Self>;

    /// Returns the number in the cell if it is below 63, and otherwise 63.
    fn small(self) -> u32;

    /// Returns the merit of an option with this cell, for the player who moves to it. The option
    /// with the greatest merit is the best one.
    ///
    /// For a lost option the cell is an even number r, and the merit is MAX - r / 2. For a won
    /// option it is an odd number r, and the merit is r / 2.
    fn merit(self) -> Self;

    /// Returns the remoteness of a position whose best option has the given merit. It is one more
    /// than the remoteness of this option.
    fn after_best(merit: Self) -> u32;
}

macro_rules! cell {
    ($type:ty) => {
        impl Cell for $type {
            const NONE: Self = Self::MAX;

            #[inline]
            fn from_number(number: u32) -> Option<Self> {
                let cell = number as Self;
                (cell != Self::NONE && u32::from(cell) == number).then_some(cell)
            }

            #[inline]
            fn small(self) -> u32 {
                self.min(63).into()
            }

            #[inline]
            fn merit(self) -> Self {
                // There is no branch: the mask has all bits set for an even number, and XOR with it
                // is the complement.
                (self >> 1) ^ (self & 1).wrapping_sub(1)
            }

            #[inline]
            fn after_best(merit: Self) -> u32 {
                // The merits of lost options are the upper half of the range. In each half, the
                // result is the inverse of `merit` plus 1.
                let lost = merit > Self::MAX / 2;
                if lost {
                    2 * u32::from(Self::MAX - merit) + 1
                } else {
                    2 * u32::from(merit) + 2
                }
            }
        }
    };
}

cell!(u8);
cell!(u16);
cell!(u32);

/// An accumulator over the cells of all options of a position.
pub(super) trait Accumulator<T>: Copy {
    /// The accumulator before the first option is added.
    const EMPTY: Self;
    /// Returns the accumulator after one more option is added.
    fn with(self, cell: T) -> Self;
}

/// The merit of the best option. The best option is the quickest of the lost options. If no option
/// is lost, it is the slowest of the won options.
#[derive(Clone, Copy)]
pub(super) struct Best<T>(pub(super) T);

macro_rules! best {
    ($type:ty) => {
        impl Accumulator<$type> for Best<$type> {
            const EMPTY: Self = Self(0);

            #[inline]
            fn with(self, cell: $type) -> Self {
                Self(self.0.max(cell.merit()))
            }
        }
    };
}

best!(u8);
best!(u16);
best!(u32);

/// A bit set of the values below 63. Bit 63 is set if there are values of 63 or more.
#[derive(Clone, Copy)]
pub(super) struct SmallValues(pub(super) u64);

impl<T: Cell> Accumulator<T> for SmallValues {
    const EMPTY: Self = Self(0);

    #[inline]
    fn with(self, cell: T) -> Self {
        Self(self.0 | 1 << cell.small())
    }
}
