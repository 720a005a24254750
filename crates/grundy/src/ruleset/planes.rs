//! Boards of at most 128 squares as two sets of bits: groups by flooding, images by turning words.

use super::board::Images;
use super::stones::Way;

/// A board of letters in two planes; the square in row r and column c is bit `r * width + c` of each.
///
/// The letters `#`, `.`, `o` and `x` are the digits 0, 1, 2 and 3: the first plane has their upper, the second one their lower bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes {
    height: u32,
    width: u32,
    /// The upper and the lower bits.
    digits: [u128; 2],
}

/// The letters by their digits.
const LETTERS: [u8; 4] = *b"#.ox";

/// The last so many bits, of which there are some.
fn low(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

impl Planes {
    /// The planes of a board that has some squares, and at most 128.
    pub(super) fn of(height: u16, width: u16, letters: &[u8]) -> Option<Self> {
        if letters.is_empty() || letters.len() > 128 {
            return None;
        }
        let mut planes = [0; 2];
        for &letter in letters.iter().rev() {
            let bits = [[b'o', b'x'], [b'.', b'x']].map(|with| u128::from(with.contains(&letter)));
            planes = [planes[0] << 1 | bits[0], planes[1] << 1 | bits[1]];
        }
        Some(Self {
            height: height.into(),
            width: width.into(),
            digits: planes,
        })
    }

    /// How many rows and columns there are.
    pub(super) fn size(&self) -> [u16; 2] {
        [self.height as u16, self.width as u16]
    }

    /// The letters, row after row.
    pub(super) fn letters(&self) -> Box<[u8]> {
        let [mut upper, mut lower] = self.digits;
        let squares = 0..self.height * self.width;
        squares
            .map(|_| {
                let digit = (upper & 1) << 1 | lower & 1;
                (upper, lower) = (upper >> 1, lower >> 1);
                LETTERS[digit as usize]
            })
            .collect()
    }

    /// The squares whose letters belong to something.
    fn squares(&self, belongs: impl Fn(u8) -> bool) -> u128 {
        let [upper, lower] = self.digits;
        let digits = [
            !upper & !lower,
            !upper & lower,
            upper & !lower,
            upper & lower,
        ];
        let belonging = (LETTERS.iter().zip(digits)).filter(|(letter, _)| belongs(**letter));
        belonging.fold(0, |all, (_, squares)| all | squares) & low(self.height * self.width)
    }

    /// Visits the connected groups of squares whose letters belong to something and that are joined along `ways`, cut out; groups of
    /// one square are left out. The squares beside a group get the letter `outside`.
    pub(super) fn groups(
        &self,
        belongs: impl Fn(u8) -> bool,
        ways: &[Way],
        outside: u8,
        visit: &mut dyn FnMut(Self),
    ) {
        let rows = 0..self.height;
        let first = rows.fold(0u128, |column, row| column | 1 << (row * self.width));
        let last = first << (self.width - 1);
        let mut rest = self.squares(belongs);
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
            loop {
                let larger = ways.iter().fold(group, |larger, &[down, right]| {
                    let line = match right {
                        0 => group,
                        1.. => (group & !last) << 1,
                        _ => (group & !first) >> 1,
                    };
                    let moved = match down {
                        0 => line,
                        1.. => line.unbounded_shl(self.width),
                        _ => line.unbounded_shr(self.width),
                    };
                    larger | moved & rest
                });
                if larger == group {
                    break;
                }
                group = larger;
            }
            rest &= !group;
            if !group.is_power_of_two() {
                visit(self.cut(group, outside));
            }
        }
    }

    /// The rows and columns that some squares take, with `outside` on all other squares.
    fn cut(&self, group: u128, outside: u8) -> Self {
        let line = low(self.width);
        let top = group.trailing_zeros() / self.width;
        let bottom = group.ilog2() / self.width + 1;
        let rows = (top..bottom).map(|row| row * self.width);
        let columns = (rows.clone()).fold(0, |columns, row| columns | group >> row & line);
        let (left, right) = (columns.trailing_zeros(), columns.ilog2() + 1);
        let (height, width) = (bottom - top, right - left);
        let inside = low(width);
        let squeezed = |plane: u128| {
            let rows = rows.clone().rev();
            rows.fold(0u128, |cut, row| {
                cut.unbounded_shl(width) | plane >> (row + left) & inside
            })
        };
        let beside = !squeezed(group) & low(height * width);
        let digit = LETTERS.iter().position(|&letter| letter == outside);
        let digit = digit.unwrap_or_default();
        let mut planes = self.digits.map(|plane| squeezed(plane & group));
        for (plane, bit) in planes.iter_mut().zip([digit & 2, digit & 1]) {
            *plane |= if bit == 0 { 0 } else { beside };
        }
        Self {
            height,
            width,
            digits: planes,
        }
    }

    /// The least of the images, in the order of reading; of all eight one that is no taller than it is wide.
    pub(super) fn least(&self, images: Images) -> Self {
        let turned = match images {
            Images::Four => [Some(*self), None],
            Images::Eight if self.height < self.width => [Some(*self), None],
            Images::Eight if self.height > self.width => [None, Some(self.transposed())],
            Images::Eight => [Some(*self), Some(self.transposed())],
        };
        let mut least: Option<Self> = None;
        for image in turned.into_iter().flatten() {
            let upside_down = image.upside_down();
            for image in [image, upside_down, image.reversed(), upside_down.reversed()] {
                least = Some(least.map_or(image, |least| least.lesser(image)));
            }
        }
        least.unwrap_or(*self)
    }

    /// The one that comes first in the order of reading, of two boards of one size.
    fn lesser(self, other: Self) -> Self {
        let [upper, lower] = [0, 1].map(|plane| self.digits[plane] ^ other.digits[plane]);
        let first = (upper | lower) & (upper | lower).wrapping_neg();
        // The upper digits decide where they differ.
        let deciding = usize::from(upper & first == 0);
        if self.digits[deciding] & first == 0 {
            self
        } else {
            other
        }
    }

    /// Turned by half a turn.
    fn reversed(self) -> Self {
        let unused = 128 - self.height * self.width;
        Self {
            digits: self.digits.map(|plane| plane.reverse_bits() >> unused),
            ..self
        }
    }

    /// With the last row first.
    fn upside_down(self) -> Self {
        let line = low(self.width);
        let flipped = |plane: u128| {
            let rows = 0..self.height;
            rows.fold(0u128, |flipped, row| {
                flipped.unbounded_shl(self.width) | plane >> (row * self.width) & line
            })
        };
        Self {
            digits: self.digits.map(flipped),
            ..self
        }
    }

    /// The mirror image in the diagonal.
    pub(super) fn transposed(self) -> Self {
        let turned = |plane: u128| {
            let (mut rest, mut turned) = (plane, 0);
            while rest != 0 {
                let square = rest.trailing_zeros();
                rest &= rest - 1;
                turned |= 1 << (square % self.width * self.height + square / self.width);
            }
            turned
        };
        Self {
            height: self.width,
            width: self.height,
            digits: self.digits.map(turned),
        }
    }

    /// The stones of the players exchanged.
    pub(super) fn exchanged(self) -> Self {
        let [upper, lower] = self.digits;
        Self {
            digits: [upper, lower ^ upper],
            ..self
        }
    }
}
