//! Boards of at most 128 squares as bit sets.

use super::grid::{Direction, Frame, Layout, Symmetries, Word};

/// A board as N sets of squares. The square in row r and column c is bit `r * width + c`.
///
/// With N = 1 the set contains the free squares. With N = 2 each square has one of four letters,
/// and the sets contain the two binary digits of the index of this letter in `LETTERS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Planes<const N: usize> {
    pub(crate) height: u32,
    pub(crate) width: u32,
    /// For each binary digit, the set of the squares with digit 1. The first set is for the most
    /// significant digit.
    pub(crate) sets: [u128; N],
}

/// The letters. A board stores the binary digits of the index of each letter.
///
/// The order is that of ASCII. Hence comparing boards by digits or by letters yields the same least
/// image, so both representations have the same canonical image.
const LETTERS: [u8; 4] = *b"#.ox";

impl Planes<2> {
    /// Creates a board from letters. Returns `None` unless it has 1 to 128 squares.
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

    /// Returns the letters, row by row.
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

    /// Returns the squares whose letters satisfy `belongs`.
    pub(crate) fn squares(&self, belongs: impl Fn(u8) -> bool) -> u128 {
        let [upper, lower] = self.sets;
        let sets = [
            !upper & !lower,
            !upper & lower,
            upper & !lower,
            upper & lower,
        ];
        let belonging = (LETTERS.iter().zip(sets)).filter(|(letter, _)| belongs(**letter));
        // The complements have bits beyond the board, which the mask removes.
        belonging.fold(0, |all, (_, squares)| all | squares)
            & u128::low_bits(self.height * self.width)
    }

    /// Returns the binary digits of the index of a letter.
    pub(crate) fn digits(letter: u8) -> [bool; 2] {
        let digit = LETTERS.iter().position(|&other| other == letter);
        let digit = digit.unwrap_or_default();
        [digit & 2 != 0, digit & 1 != 0]
    }

    /// Returns the board with the stones of the players exchanged.
    pub(crate) fn exchanged(self) -> Self {
        let [upper, lower] = self.sets;
        Self {
            // The upper digit is 1 for a stone, and the lower digit of a stone is its owner.
            sets: [upper, lower ^ upper],
            ..self
        }
    }
}

impl<const N: usize> Planes<N> {
    /// Creates a board from sets of squares in rows that follow each other without a gap.
    pub(crate) fn new((frame, sets): (Frame, [u128; N])) -> Self {
        Self {
            height: frame.height,
            width: frame.width,
            sets,
        }
    }

    /// Returns the frame of the board, that is, its size and the arrangement of its rows in a word.
    pub(crate) fn frame(&self) -> Frame {
        Frame::new(self.height, self.width, Layout::Tight)
    }

    /// Returns the index of the bit of a square.
    pub(crate) fn square(&self, row: usize, column: usize) -> usize {
        row * self.width as usize + column
    }

    /// Visits the connected groups of `squares` that have at least two squares. Steps in
    /// `directions` connect squares. Each group is passed as a board of the size of its bounding
    /// box.
    ///
    /// The other squares of the bounding box of a group get the binary digits `outside`, one digit
    /// for each of the N sets of squares.
    pub(crate) fn groups(
        &self,
        squares: u128,
        directions: &[Direction],
        outside: [bool; N],
        visit: &mut dyn FnMut(Self),
    ) {
        let (frame, diagonally) = (self.frame(), directions.contains(&[1, 1]));
        let mut visit = |group: u128| {
            if group.count_ones() > 1 {
                visit(self.cut(group, outside));
            }
        };
        // One word is faster than two, if the board fits into it.
        if self.height * self.width <= 64 {
            let (steps, squares) = (frame.steps(), squares as u64);
            steps.groups(squares, squares, diagonally, |group| visit(group.into()));
        } else {
            frame.steps().groups(squares, squares, diagonally, visit);
        }
    }

    /// Returns the bounding box of a group as a board. Squares of the box outside the group get the
    /// binary digits `outside`, one digit for each of the N sets of squares.
    fn cut(&self, group: u128, outside: [bool; N]) -> Self {
        let bounds = self.frame().bounding_box(group, Layout::Tight);
        let outside_squares =
            !bounds.crop(group) & u128::low_bits(bounds.frame.height * bounds.frame.width);
        let mut sets = self.sets.map(|set| bounds.crop(set & group));
        for (set, filled) in sets.iter_mut().zip(outside) {
            *set |= if filled { outside_squares } else { 0 };
        }
        Self::new((bounds.frame, sets))
    }

    /// Returns the least image of the board. Boards are compared square by square in reading order.
    pub(crate) fn least(&self, symmetries: Symmetries) -> Self {
        Self::new(self.frame().least(self.sets, symmetries, lesser_board))
    }

    /// Returns the transpose of the board.
    pub(crate) fn transposed(&self) -> Self {
        Self::new(self.frame().transposed(self.sets))
    }
}

/// Returns the lesser of two boards of the same size, compared square by square in reading order.
fn lesser_board<const N: usize>(one: [u128; N], other: [u128; N]) -> [u128; N] {
    let differing = |set: usize| one[set] ^ other[set];
    let first = (0..N).fold(0, |all, set| all | differing(set)).lowest();
    // The lowest differing bit is the first differing square. At this square the most significant
    // differing digit decides: the board with the digit 0 is less.
    match (0..N).find(|&set| differing(set) & first != 0) {
        Some(set) if one[set] & first != 0 => other,
        _ => one,
    }
}
