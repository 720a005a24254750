//! Boards of at most 128 squares as sets of bits: groups by flooding, images by turning words.

use num_traits::{PrimInt, WrappingAdd, WrappingNeg};

use super::grid::{Images, Way};

/// A board in N sets of its squares; the square in row r and column c is bit `r * width + c` of each.
///
/// One set tells free squares from blocked ones, two sets tell four letters apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Planes<const N: usize> {
    pub(crate) height: u32,
    pub(crate) width: u32,
    /// The digits of the letters, upper bits first.
    pub(crate) sets: [u128; N],
}

/// The letters by their digits.
const LETTERS: [u8; 4] = *b"#.ox";

/// The last so many bits, of which there are some.
fn low(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Squares as bits of a word.
trait Word: PrimInt + WrappingAdd + WrappingNeg {
    /// The bits moved up, and lost beyond the last, however far that is.
    fn up(self, by: u32) -> Self;
    /// The bits moved down.
    fn down(self, by: u32) -> Self;
}

impl Word for u64 {
    fn up(self, by: u32) -> Self {
        self.unbounded_shl(by)
    }

    fn down(self, by: u32) -> Self {
        self.unbounded_shr(by)
    }
}

impl Word for u128 {
    fn up(self, by: u32) -> Self {
        self.unbounded_shl(by)
    }

    fn down(self, by: u32) -> Self {
        self.unbounded_shr(by)
    }
}

/// Visits the groups of more than one square of a board of this height and width that are joined along rows and along `ways`.
fn flooded<W: Word>(
    squares: W,
    (height, width): (u32, u32),
    ways: &[Way],
    visit: &mut dyn FnMut(W),
) {
    let first = (0..height).fold(W::zero(), |column, row| column | W::one().up(row * width));
    let last = first.up(width - 1);
    let mut rest = squares;
    while !rest.is_zero() {
        let (forth, back) = (rest & !first, rest & !last);
        let mut group = rest & rest.wrapping_neg();
        loop {
            // A carry runs to the end of the squares that are joined.
            let next = group.up(1) & forth;
            let mut along = group | next | forth & !forth.wrapping_add(&next);
            // The other way in steps of 1, 2, 4 and so on, over squares that are there.
            let (mut step, mut over) = (1, back);
            while step < width {
                along = along | over & along.down(step);
                over = over & over.down(step);
                step *= 2;
            }
            let across = ways.iter().filter(|[down, _]| *down != 0);
            group = across.fold(along, |larger, &[down, right]| {
                let line = match right {
                    0 => along,
                    1.. => (along & !last).up(1),
                    _ => (along & !first).down(1),
                };
                let moved = match down {
                    1.. => line.up(width),
                    _ => line.down(width),
                };
                larger | moved & rest
            });
            if group == along {
                break;
            }
        }
        rest = rest & !group;
        if group.count_ones() > 1 {
            visit(group);
        }
    }
}

impl Planes<2> {
    /// A board of letters that has some squares, and at most 128.
    pub(crate) fn of_letters(height: u16, width: u16, letters: &[u8]) -> Option<Self> {
        if letters.is_empty() || letters.len() > 128 {
            return None;
        }
        let mut sets = [0; 2];
        for &letter in letters.iter().rev() {
            let bits = [[b'o', b'x'], [b'.', b'x']].map(|with| u128::from(with.contains(&letter)));
            sets = [sets[0] << 1 | bits[0], sets[1] << 1 | bits[1]];
        }
        Some(Self {
            height: height.into(),
            width: width.into(),
            sets,
        })
    }

    /// The letters, row after row.
    pub(crate) fn letters(&self) -> Box<[u8]> {
        let [mut upper, mut lower] = self.sets;
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
    pub(crate) fn squares(&self, belongs: impl Fn(u8) -> bool) -> u128 {
        let [upper, lower] = self.sets;
        let sets = [
            !upper & !lower,
            !upper & lower,
            upper & !lower,
            upper & lower,
        ];
        let belonging = (LETTERS.iter().zip(sets)).filter(|(letter, _)| belongs(**letter));
        belonging.fold(0, |all, (_, squares)| all | squares) & low(self.height * self.width)
    }

    /// The digits of a letter.
    pub(crate) fn digits(letter: u8) -> [bool; 2] {
        let digit = LETTERS.iter().position(|&other| other == letter);
        let digit = digit.unwrap_or_default();
        [digit & 2 != 0, digit & 1 != 0]
    }

    /// The stones of the players exchanged.
    pub(crate) fn exchanged(self) -> Self {
        let [upper, lower] = self.sets;
        Self {
            sets: [upper, lower ^ upper],
            ..self
        }
    }
}

impl<const N: usize> Planes<N> {
    /// The squares of the first column, and those of the last.
    pub(crate) fn edges(&self) -> [u128; 2] {
        let rows = 0..self.height;
        let first = rows.fold(0u128, |column, row| column | 1 << (row * self.width));
        [first, first << (self.width - 1)]
    }

    /// The bit of a square.
    pub(crate) fn square(&self, row: usize, column: usize) -> usize {
        row * self.width as usize + column
    }

    /// The squares from which one step down or to the right leads to one of these.
    pub(crate) fn stepped_back(&self, squares: u128, [down, right]: [usize; 2]) -> u128 {
        let [first, _] = self.edges();
        match (down, right) {
            (0, _) => (squares & !first) >> 1,
            _ => squares.unbounded_shr(self.width),
        }
    }

    /// Visits the connected groups of some squares that are joined along rows and along `ways`, cut out; groups of one square are left out. The
    /// squares beside a group get the digits `outside`.
    pub(crate) fn groups(
        &self,
        squares: u128,
        ways: &[Way],
        outside: [bool; N],
        visit: &mut dyn FnMut(Self),
    ) {
        let size = (self.height, self.width);
        let visit = &mut |group| visit(self.cut(group, outside));
        if self.height * self.width <= 64 {
            flooded(squares as u64, size, ways, &mut |group| {
                visit(u128::from(group));
            });
        } else {
            flooded(squares, size, ways, visit);
        }
    }

    /// The rows and columns that some squares take, of which there are some, with `outside` on all other squares.
    pub(crate) fn cut(&self, group: u128, outside: [bool; N]) -> Self {
        let line = low(self.width);
        let top = group.trailing_zeros() / self.width;
        let bottom = group.ilog2() / self.width + 1;
        let rows = (top..bottom).map(|row| row * self.width);
        let columns = (rows.clone()).fold(0, |columns, row| columns | group >> row & line);
        let (left, right) = (columns.trailing_zeros(), columns.ilog2() + 1);
        let (height, width) = (bottom - top, right - left);
        let inside = low(width);
        let squeezed = |set: u128| {
            let rows = rows.clone().rev();
            rows.fold(0u128, |cut, row| {
                cut.unbounded_shl(width) | set >> (row + left) & inside
            })
        };
        let beside = !squeezed(group) & low(height * width);
        let mut sets = self.sets.map(|set| squeezed(set & group));
        for (set, filled) in sets.iter_mut().zip(outside) {
            *set |= if filled { beside } else { 0 };
        }
        Self {
            height,
            width,
            sets,
        }
    }

    /// The least of the images, in the order of reading; of all eight one that is no taller than it is wide.
    pub(crate) fn least(&self, images: Images) -> Self {
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
        let differing = |set: usize| self.sets[set] ^ other.sets[set];
        let all = (0..N).fold(0, |all, set| all | differing(set));
        let first = all & all.wrapping_neg();
        // The upper digits decide where they differ.
        let deciding = (0..N).find(|&set| differing(set) & first != 0);
        match deciding {
            Some(set) if self.sets[set] & first != 0 => other,
            _ => self,
        }
    }

    /// Turned by half a turn.
    pub(crate) fn reversed(self) -> Self {
        let unused = 128 - self.height * self.width;
        Self {
            sets: self.sets.map(|set| set.reverse_bits() >> unused),
            ..self
        }
    }

    /// With the last row first.
    fn upside_down(self) -> Self {
        let line = low(self.width);
        let flipped = |set: u128| {
            let rows = 0..self.height;
            rows.fold(0u128, |flipped, row| {
                flipped.unbounded_shl(self.width) | set >> (row * self.width) & line
            })
        };
        Self {
            sets: self.sets.map(flipped),
            ..self
        }
    }

    /// The mirror image in the diagonal.
    pub(crate) fn transposed(self) -> Self {
        let turned = |set: u128| {
            let (mut rest, mut turned) = (set, 0);
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
            sets: self.sets.map(turned),
        }
    }
}
