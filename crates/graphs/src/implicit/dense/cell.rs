//! Numbers of one, two or four bytes, and what is gathered from those of a position's options, one
//! at a time and without branches.

/// A number of a dense table.
pub(super) trait Cell: Copy + Ord + Into<u32> {
    /// None yet: more than every number.
    const NONE: Self;

    /// Returns a number, if it fits.
    fn of(number: u32) -> Option<Self>;

    /// Returns the number of a set of small ones that it is: 63 for all that are larger.
    fn small(self) -> u32;

    /// Returns the better an option is for who moves to it, the greater: r moves as MAX - r / 2 for
    /// a lost option, which is even, and as r / 2 for a won one, which is odd.
    fn merit(self) -> Self;

    /// What an option of the greatest merit makes of a position: one move more.
    fn after(merit: Self) -> u32;
}

macro_rules! cell {
    ($type:ty) => {
        impl Cell for $type {
            const NONE: Self = Self::MAX;

            #[inline]
            fn of(number: u32) -> Option<Self> {
                let cell = number as Self;
                (cell != Self::NONE && u32::from(cell) == number).then_some(cell)
            }

            #[inline]
            fn small(self) -> u32 {
                self.min(63).into()
            }

            #[inline]
            fn merit(self) -> Self {
                (self >> 1) ^ (self & 1).wrapping_sub(1)
            }

            #[inline]
            fn after(merit: Self) -> u32 {
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

/// What a pass gathers from the cells of a position's options.
pub(super) trait Gather<T>: Copy {
    /// Nothing gathered yet.
    const NOTHING: Self;
    /// Returns one option more.
    fn with(self, cell: T) -> Self;
}

/// The merit of the best option: among lost ones the quickest, otherwise among won ones the
/// longest.
#[derive(Clone, Copy)]
pub(super) struct Best<T>(pub(super) T);

macro_rules! best {
    ($type:ty) => {
        impl Gather<$type> for Best<$type> {
            const NOTHING: Self = Self(0);

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

/// The set of values below 63, and whether there are others.
#[derive(Clone, Copy)]
pub(super) struct SmallValues(pub(super) u64);

impl<T: Cell> Gather<T> for SmallValues {
    const NOTHING: Self = Self(0);

    #[inline]
    fn with(self, cell: T) -> Self {
        Self(self.0 | 1 << cell.small())
    }
}
