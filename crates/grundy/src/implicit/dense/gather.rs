//! What is gathered from the bytes of a position's options, one at a time and without branches.

/// What a pass gathers from the bytes of a position's options, and what it makes of that.
pub(super) trait Gather: Copy {
    /// Nothing gathered yet.
    fn nothing() -> Self;
    /// One option more.
    fn with(self, byte: u8) -> Self;
}

/// Among lost options the quickest, otherwise among won ones the longest: the greatest number when r moves are written as
/// 255 - r for a lost option and as r for a won one.
#[derive(Clone, Copy)]
pub(super) struct BestLabel(u8);

impl Gather for BestLabel {
    #[inline]
    fn nothing() -> Self {
        Self(0)
    }

    #[inline]
    fn with(self, byte: u8) -> Self {
        Self(self.0.max((byte >> 1) ^ (byte & 1).wrapping_sub(1)))
    }
}

impl BestLabel {
    /// One move more, and the other player's view.
    #[inline]
    pub(super) fn byte(self) -> u8 {
        let later = |moves: u8| 2 * (moves + 1).min(127);
        match self.0 {
            won @ 0..128 => later(won),
            lost => later(255 - lost) | 1,
        }
    }
}

/// The set of values below 63, and whether there are others.
#[derive(Clone, Copy)]
pub(super) struct SmallValues(pub(super) u64);

impl Gather for SmallValues {
    #[inline]
    fn nothing() -> Self {
        Self(0)
    }

    #[inline]
    fn with(self, byte: u8) -> Self {
        Self(self.0 | 1 << byte.min(63))
    }
}
