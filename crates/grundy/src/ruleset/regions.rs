//! Regions of free squares that fit a word, for games on boards whose positions turned and mirrored are one.
//!
//! The squares are read row after row, and after each row stands one that is never free: so a step to any side is a shift of
//! the word, and no square is next to one on the other edge. A region is as high and as wide as its squares reach.

use std::ops::ControlFlow;

use super::board::Board;
use crate::limits::Flow;
use crate::rules::ImageCache;

/// The lower bits of a key are squares, the others tell the length of a row.
const BITS: u32 = 57;

/// Free squares, of which there are some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    squares: u64,
    /// The length of a row with what stands after it.
    stride: u32,
}

impl Region {
    /// The region with a key.
    pub(super) fn of_key(key: u64) -> Self {
        Self {
            squares: key & ((1 << BITS) - 1),
            stride: (key >> BITS) as u32,
        }
    }

    /// The number that stands for the region as it lies.
    fn key(self) -> u64 {
        self.squares | u64::from(self.stride) << BITS
    }

    /// The key of a board, of all its images and of what has the same moves; nothing where it does not fit.
    pub(super) fn pack(board: &Board) -> Option<u64> {
        let (width, height) = board.size();
        if width * height > 128 {
            return None;
        }
        let mut free: Vec<[usize; 2]> = (0..height)
            .flat_map(|row| (0..width).map(move |column| [row, column]))
            .filter(|&[row, column]| board.is_free(row, column))
            .collect();
        let reach = |side: usize, free: &[[usize; 2]]| {
            let sides = || free.iter().map(|square| square[side]);
            Some([sides().min()?, sides().max()?])
        };
        let ([top, bottom], [left, right]) = (reach(0, &free)?, reach(1, &free)?);
        let turned = bottom - top > right - left;
        for [row, column] in &mut free {
            (*row, *column) = (*row - top, *column - left);
            if turned {
                std::mem::swap(row, column);
            }
        }
        let [short, long] = if turned {
            [right - left, bottom - top]
        } else {
            [bottom - top, right - left]
        };
        let (height, stride) = (short + 1, long + 2);
        // The last square is the one before the last of all rows with what stands after them.
        if height * stride > BITS as usize + 1 {
            return None;
        }
        let squares = (free.iter()).fold(0, |squares, [row, column]| {
            squares | 1 << (row * stride + column)
        });
        let region = Self {
            squares,
            stride: stride as u32,
        };
        Some(region.named())
    }

    fn height(self) -> u32 {
        self.squares.ilog2() / self.stride + 1
    }

    /// How many squares there are.
    pub(super) fn size(self) -> u32 {
        self.squares.count_ones()
    }

    /// The squares that are the first of an upright domino, and of a flat one.
    fn dominoes(self) -> [u64; 2] {
        let Self { squares, stride } = self;
        [squares & squares >> stride, squares & squares >> 1]
    }

    /// How many places there are for a domino.
    pub(super) fn moves(self) -> u32 {
        self.dominoes()
            .iter()
            .map(|places| places.count_ones())
            .sum()
    }

    /// The connected group of some squares, as high and as wide as it is.
    fn cut(self, group: u64) -> Self {
        let stride = self.stride;
        let (mut group, mut columns) = (group, 0);
        while group & ((1 << stride) - 1) == 0 {
            group >>= stride;
        }
        let mut rest = group;
        while rest != 0 {
            columns |= rest;
            rest >>= stride;
        }
        columns &= (1 << (stride - 1)) - 1;
        let (left, right) = (columns.trailing_zeros(), columns.ilog2());
        let (mut rest, width) = (group >> left, right + 1 - left);
        if width + 1 == stride {
            return Self {
                squares: rest,
                stride,
            };
        }
        let (line, mut squares, mut at) = ((1 << width) - 1, 0, 0);
        while rest != 0 {
            squares |= (rest & line) << at;
            rest >>= stride;
            at += width + 1;
        }
        Self {
            squares,
            stride: width + 1,
        }
    }

    /// With the last row first.
    fn upside_down(self, height: u32) -> u64 {
        let line = (1 << self.stride) - 1;
        let mut rest = self.squares;
        (0..height).fold(0, |squares, _| {
            let row = rest & line;
            rest >>= self.stride;
            squares << self.stride | row
        })
    }

    /// The mirror image in the diagonal.
    fn transposed(self, height: u32) -> Self {
        let line = (1 << self.stride) - 1;
        let (mut rest, mut squares) = (self.squares, 0);
        for row in 0..height {
            let mut columns = rest & line;
            rest >>= self.stride;
            while columns != 0 {
                squares |= 1 << (columns.trailing_zeros() * (height + 1) + row);
                columns &= columns - 1;
            }
        }
        Self {
            squares,
            stride: height + 1,
        }
    }

    /// Turned by half a turn.
    fn reversed(self, squares: u64, height: u32) -> u64 {
        squares.reverse_bits() >> (65 - height * self.stride)
    }

    /// The least of the four images that lie as it does.
    fn least(self, height: u32) -> u64 {
        let flipped = self.upside_down(height);
        let turned = [self.squares, flipped].map(|squares| self.reversed(squares, height));
        self.squares.min(flipped).min(turned[0]).min(turned[1])
    }

    /// The image that stands for all eight: no higher than it is wide.
    fn canonical(self) -> Self {
        let (height, width) = (self.height(), self.stride - 1);
        if height > width {
            let turned = self.transposed(height);
            let squares = turned.least(width);
            return Self { squares, ..turned };
        }
        let squares = self.least(height);
        let turned = (height == width).then(|| self.transposed(height).least(height));
        Self {
            squares: turned.map_or(squares, |turned| squares.min(turned)),
            ..self
        }
    }

    /// The key of all regions with the same moves that are told to be so at sight.
    fn named(self) -> u64 {
        let region = self.canonical();
        let squares = region.without_twins();
        if squares == region.squares {
            return region.key();
        }
        region.cut(squares).canonical().key()
    }

    /// The squares without those next to one square only at which another such square hangs. A domino on either leaves the same:
    /// the square at which they hang is gone, and the other of the two is next to none.
    fn without_twins(self) -> u64 {
        let Self { squares, stride } = self;
        let [left, right, up, down] = [
            squares << 1,
            squares >> 1,
            squares << stride,
            squares >> stride,
        ];
        let two = left & right | (left | right) & (up | down) | up & down;
        let hanging = squares & !two;
        // Squares at which one hangs before them in the row, behind them, in the row before, in the row after.
        let [before, behind, above, below] = [
            hanging << 1,
            hanging >> 1,
            hanging << stride,
            hanging >> stride,
        ]
        .map(|next| next & squares);
        let twins = (before & behind) << 1
            | (above & (before | behind)) >> stride
            | (below & (before | behind | above)) << stride;
        squares & !twins
    }

    /// Height, width, and whether a square in the middle is free, where a half-turn leaves the region as it is.
    pub(super) fn symmetric(self) -> Option<(u32, u32, bool)> {
        let (height, width) = (self.height(), self.stride - 1);
        let middle = (height - 1) / 2 * self.stride + (width - 1) / 2;
        (self.reversed(self.squares, height) == self.squares)
            .then(|| (height, width, self.squares >> middle & 1 == 1))
    }

    /// Visits what is left by each domino, as the keys of its regions of two squares and more; equal ones cancel. Dominoes
    /// across the region come before those along it, each from the middle outwards.
    pub(super) fn without_domino(
        self,
        images: &mut ImageCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let [upright, flat] = self.dominoes();
        let mut places = [0; BITS as usize];
        let mut keys = Vec::new();
        for (mut starts, domino) in [(upright, 1 | 1 << self.stride), (flat, 3)] {
            let count = starts.count_ones() as usize;
            for place in places.iter_mut().take(count) {
                *place = domino << starts.trailing_zeros();
                starts &= starts - 1;
            }
            for n in 0..count {
                // To one side of the middle and to the other in turn.
                let from = (count - 1) / 2;
                let place = if n % 2 == 0 {
                    from - n / 2
                } else {
                    from + n.div_ceil(2)
                };
                keys.clear();
                self.push_regions(places[place], images, &mut keys);
                visit(&keys)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares next to some squares, on the board or not.
    fn beside(self, squares: u64) -> u64 {
        let stride = self.stride;
        squares << 1 | squares >> 1 | squares << stride | squares >> stride
    }

    /// The squares of a set that are joined to the first square of another.
    fn joined(self, from: u64, set: u64) -> u64 {
        let mut group = from & from.wrapping_neg();
        loop {
            let larger = (group | self.beside(group)) & set;
            if larger == group {
                return group;
            }
            group = larger;
        }
    }

    /// Appends the keys of the regions of two squares and more that are left without a domino; a second one that is equal takes out
    /// the first.
    fn push_regions(self, domino: u64, images: &mut ImageCache, keys: &mut Vec<u64>) {
        let rest = self.squares & !domino;
        let mut rest = rest & self.beside(rest);
        if rest == 0 {
            return;
        }
        // The region hangs together as long as the squares next to the domino do, over those around it to begin with.
        let wide = domino | domino << 1 | domino >> 1;
        let around = rest & (wide | wide << self.stride | wide >> self.stride);
        let beside = rest & self.beside(domino);
        if beside & !self.joined(beside, around) == 0 {
            keys.push(self.named_group(rest, images));
            return;
        }
        while rest != 0 {
            let group = self.joined(rest, rest);
            rest &= !group;
            let key = self.named_group(group, images);
            match keys.iter().position(|&other| other == key) {
                Some(equal) => {
                    keys.swap_remove(equal);
                }
                None => keys.push(key),
            }
        }
    }

    /// The key of a group of some squares.
    fn named_group(self, group: u64, images: &mut ImageCache) -> u64 {
        let region = self.cut(group);
        images.canonical(region.key(), || region.named())
    }
}
