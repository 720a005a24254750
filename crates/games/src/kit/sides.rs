//! Stones of two players on boards of at most 64 squares as two words: groups by flooding, images by turning words.
//!
//! What fits 8 by 8 lies on a board of eight columns, which a few steps turn; what is wider on a board of its own width.

use std::cmp::Ordering;

use super::board::{columns, transpose};
use grundy_engine::rules::Sides;

/// The squares of the first column, by how far apart they are.
const FIRST: [u64; 65] = {
    let mut first = [0; 65];
    let mut stride = 1;
    while stride <= 64 {
        let mut square = 0;
        while square < 64 {
            first[stride] |= 1 << square;
            square += stride;
        }
        stride += 1;
    }
    first
};

/// Columns of the board on which everything lies that fits.
const SIDE: u8 = 8;

/// The first so many columns of a row.
fn line(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The squares to the right of these.
pub(crate) fn right_of(squares: u64, stride: u8) -> u64 {
    squares << 1 & !FIRST[usize::from(stride)]
}

/// The squares below these.
pub(crate) fn below(squares: u64, stride: u8) -> u64 {
    squares.unbounded_shl(stride.into())
}

/// The squares above, below and beside these.
pub(crate) fn near(squares: u64, stride: u8) -> u64 {
    let left_of = (squares & !FIRST[usize::from(stride)]) >> 1;
    let above = squares.unbounded_shr(stride.into());
    right_of(squares, stride) | left_of | above | below(squares, stride)
}

/// Visits the groups that are joined along rows and columns and in which some of these squares lie, as they lie.
pub(crate) fn groups(sides: Sides, squares: u64, visit: &mut dyn FnMut(Sides)) {
    let all = sides.all();
    let mut rest = squares & all;
    while rest != 0 {
        let mut group = rest & rest.wrapping_neg();
        loop {
            let larger = (group | near(group, sides.stride)) & all;
            if larger == group {
                break;
            }
            group = larger;
        }
        rest &= !group;
        visit(sides.map(|squares| squares & group));
    }
}

/// Moved to the corner of a board that is no wider than it has to be, and the rows and columns that it takes.
fn cornered(sides: Sides) -> (Sides, u32, u32) {
    let (all, stride) = (sides.all(), u32::from(sides.stride));
    let top = all.trailing_zeros() / stride;
    let height = all.ilog2() / stride - top + 1;
    let rows = (top..top + height).map(|row| row * stride);
    let taken = if sides.stride == SIDE {
        columns(all)
    } else {
        (rows.clone()).fold(0, |taken, row| taken | all >> row & line(stride))
    };
    let left = taken.trailing_zeros();
    let width = taken.ilog2() + 1 - left;
    let moved = sides.map(|squares| squares >> (top * stride + left));
    let wide = SIDE.max(width as u8);
    if wide == sides.stride {
        return (moved, height, width);
    }
    let narrowed = moved.map(|squares| {
        (0..height).fold(0, |narrowed, row| {
            let squares = squares >> (row * stride) & line(width);
            narrowed | squares << (row * u32::from(wide))
        })
    });
    let cornered = Sides {
        stride: wide,
        ..narrowed
    };
    (cornered, height, width)
}

/// The least of what this is as it lies in the corner, mirrored and turned by half a turn.
fn least_of_four(sides: Sides, height: u32, width: u32) -> Sides {
    let stride = u32::from(sides.stride);
    let upside_down = sides.map(|squares| {
        if sides.stride == SIDE {
            return squares.swap_bytes() >> (64 - u32::from(SIDE) * height);
        }
        (0..height).fold(0, |flipped: u64, row| {
            flipped.unbounded_shl(stride) | squares >> (row * stride) & line(width)
        })
    });
    let end = 64 - ((height - 1) * stride + width);
    let half_turned = |side: Sides| side.map(|squares| squares.reverse_bits() >> end);
    sides
        .min(upside_down)
        .min(half_turned(sides).min(half_turned(upside_down)))
}

/// The least of the eight images of what lies somewhere on a board and is not empty; it is no taller than it is wide.
pub(crate) fn least(sides: Sides) -> Sides {
    let (lying, height, width) = cornered(sides);
    // What is wider than the board of eight columns is no taller than that.
    let turned = || least_of_four(lying.map(transpose), width, height);
    match height.cmp(&width) {
        Ordering::Less => least_of_four(lying, height, width),
        Ordering::Greater => turned(),
        Ordering::Equal => least_of_four(lying, height, width).min(turned()),
    }
}
