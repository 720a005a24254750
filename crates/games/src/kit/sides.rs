//! The stones of two players on boards of at most 64 squares, as a bit set for each player.
//!
//! Groups that fit an 8 by 8 board use rows of 8 bits, which are cheap to reflect. In wider groups
//! the rows follow each other without a gap.

use super::grid::{Frame, Layout, Steps, Symmetries};
use grundy_engine::rules::Sides;

/// Returns the step operations for sets of squares whose rows begin `stride` bits apart.
pub(crate) fn steps(stride: u8) -> Steps<u64> {
    Steps::adjacent(stride.into())
}

/// Returns the least of the eight images of a nonempty set of stones, cut to its bounding box. The
/// image is no taller than wide.
pub(crate) fn least(frame: Frame, [own, other]: [u64; 2]) -> Sides {
    let bounds = frame.bounding_box(own | other, Layout::Eight);
    let sets = [bounds.crop(own), bounds.crop(other)];
    // Comparing two images as 128-bit numbers avoids a branch on the first word.
    let number = |[own, other]: [u64; 2]| u128::from(own) << 64 | u128::from(other);
    let lesser = |one, other| {
        if number(one) <= number(other) {
            one
        } else {
            other
        }
    };
    let (frame, [own, other]) = bounds.frame.least(sets, Symmetries::Eight, lesser);
    Sides {
        own,
        other,
        stride: frame.stride() as u8,
    }
}

/// Returns the least of the eight images of the stones on `squares`. At least one of these squares
/// must have a stone.
pub(crate) fn least_within(sides: Sides, squares: u64) -> Sides {
    let frame = Frame::new(
        64 / u32::from(sides.stride),
        sides.stride.into(),
        Layout::Eight,
    );
    least(frame, [sides.own & squares, sides.other & squares])
}
