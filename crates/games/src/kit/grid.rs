//! Sets of squares of a rectangle as bit sets: steps, flood fill, bounding boxes and mirror images.
//!
//! A set of squares is a `u64` or a `u128`. Larger boards are handled by the module `large`.

use num_traits::{PrimInt, WrappingNeg};

/// A step on a board: the number of rows down, then the number of columns to the right.
pub(crate) type Direction = [isize; 2];

/// Directions of the four orthogonal neighbours of a square.
pub(crate) const ORTHOGONAL: &[Direction] = &[[-1, 0], [0, -1], [0, 1], [1, 0]];

/// Directions of all eight neighbours of a square.
pub(crate) const ALL_DIRECTIONS: &[Direction] = &[
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
];

/// The orientation of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// Horizontal: the domino covers two squares of a row.
    Horizontal,
    /// Vertical: the domino covers two squares of a column.
    Vertical,
}

impl Orientation {
    /// Returns the other orientation.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Horizontal => Self::Vertical,
            Self::Vertical => Self::Horizontal,
        }
    }

    /// Exchanges the two values if the orientation is vertical.
    ///
    /// The exchange converts (across the domino, along the domino) to (vertical, horizontal), and
    /// back.
    pub(crate) fn swap_if_vertical<T>(self, (across, along): (T, T)) -> (T, T) {
        match self {
            Self::Horizontal => (across, along),
            Self::Vertical => (along, across),
        }
    }
}

/// A group of symmetries of the square. Regions that a symmetry of the group maps to each other are
/// equal positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symmetries {
    /// The four symmetries that keep horizontal dominoes horizontal.
    Four,
    /// All eight symmetries.
    Eight,
}

/// An unsigned integer used as a set of squares. Each square is a bit.
pub(crate) trait Word: PrimInt + WrappingNeg {
    /// Number of bits.
    const BITS: u32;

    /// Shifts the word left by `by` bits, which may exceed its length. Bits shifted out are lost.
    fn up(self, by: u32) -> Self;

    /// Shifts the word right by `by` bits, which may exceed its length. Bits shifted out are lost.
    fn down(self, by: u32) -> Self;

    /// Returns the transpose of a board of eight rows of eight squares.
    fn transposed_8x8(self) -> Self;

    /// Returns the word in which only the lowest `count` bits are set. `count` must be positive.
    #[inline]
    fn low_bits(count: u32) -> Self {
        // A count of 0 would shift by the whole word, which overflows.
        Self::max_value() >> (Self::BITS - count) as usize
    }

    /// Returns the set that contains only the lowest square of this set. The empty set stays empty.
    #[inline]
    fn lowest(self) -> Self {
        self & self.wrapping_neg()
    }

    /// Returns the index of the highest square of a nonempty set.
    #[inline]
    fn highest(self) -> u32 {
        Self::BITS - 1 - self.leading_zeros()
    }
}

macro_rules! word {
    ($word:ident) => {
        impl Word for $word {
            const BITS: u32 = $word::BITS;

            #[inline]
            fn up(self, by: u32) -> Self {
                self.unbounded_shl(by)
            }

            #[inline]
            fn down(self, by: u32) -> Self {
                self.unbounded_shr(by)
            }

            #[inline]
            fn transposed_8x8(self) -> Self {
                // The transpose of an 8 by 8 bit matrix: swap the off-diagonal corners of the 2 by
                // 2 blocks, then of the 4 by 4 blocks, then of the whole board. Three masked swaps
                // replace 64 bit moves.
                let mut x = self as u64;
                let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
                x ^= t ^ (t << 7);
                t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
                x ^= t ^ (t << 14);
                t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
                (x ^ t ^ (t << 28)).into()
            }
        }
    };
}

word!(u64);
word!(u128);

/// The arrangement of the rows of a board in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Rows follow each other without a gap.
    Tight,
    /// One bit that is never set follows each row. Hence horizontal steps need no mask.
    Spaced,
    /// Rows of up to 8 squares begin 8 bits apart; wider rows follow each other without a gap.
    Eight,
}

impl Layout {
    /// Returns the number of bits from the start of a row of `width` squares to the start of the
    /// next row.
    #[inline]
    const fn stride(self, width: u32) -> u32 {
        match self {
            Self::Spaced => width + 1,
            Self::Eight if width < 8 => 8,
            Self::Tight | Self::Eight => width,
        }
    }
}

/// Operations that move all squares of a set by one step. The square in row r and column c is bit
/// `stride * r + c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps<W> {
    stride: u32,
    /// The squares of the first column. A step to the right must not lead from the end of a row to
    /// the first column of the next row. Empty if rows are spaced, since no mask is needed then.
    first_column: W,
}

impl<W: Word> Steps<W> {
    /// Creates the steps of a board whose rows may follow each other without a gap.
    #[inline]
    pub(crate) fn adjacent(stride: u32) -> Self {
        // Doubling: after k rounds `first_column` contains the first squares of 2^k rows. Rows
        // beyond the board are harmless, since no set has squares there.
        let (mut first_column, mut step) = (W::one(), stride);
        while step < W::BITS {
            first_column = first_column | first_column.up(step);
            step *= 2;
        }
        Self {
            stride,
            first_column,
        }
    }

    /// Creates the steps of a board with an empty bit after each row. `stride` must be less than
    /// the number of bits of the word.
    #[inline]
    pub(crate) fn spaced(stride: u32) -> Self {
        debug_assert!(stride < W::BITS);
        Self {
            // `% W::BITS` does not change `stride`. It proves to the compiler that every shift is
            // shorter than the word.
            stride: stride % W::BITS,
            first_column: W::zero(),
        }
    }

    /// Returns the set `squares` moved one step to the right.
    ///
    /// The returned set may contain bits beyond the board or in the gaps between rows. The same
    /// holds for the other methods that move a set. Callers intersect the set with the squares of
    /// the board.
    #[inline]
    pub(crate) fn right(self, squares: W) -> W {
        squares.up(1) & !self.first_column
    }

    /// Returns the set `squares` moved one step to the left.
    #[inline]
    pub(crate) fn left(self, squares: W) -> W {
        (squares & !self.first_column).down(1)
    }

    /// Returns the set `squares` moved one step down.
    #[inline]
    pub(crate) fn below(self, squares: W) -> W {
        squares.up(self.stride)
    }

    /// Returns the set `squares` moved one step up.
    #[inline]
    pub(crate) fn above(self, squares: W) -> W {
        squares.down(self.stride)
    }

    /// Returns the set `squares` moved one step to the right (horizontal) or down (vertical).
    #[inline]
    pub(crate) fn forward(self, squares: W, orientation: Orientation) -> W {
        match orientation {
            Orientation::Horizontal => self.right(squares),
            Orientation::Vertical => self.below(squares),
        }
    }

    /// Returns the set `squares` moved one step to the left (horizontal) or up (vertical).
    #[inline]
    pub(crate) fn back(self, squares: W, orientation: Orientation) -> W {
        match orientation {
            Orientation::Horizontal => self.left(squares),
            Orientation::Vertical => self.above(squares),
        }
    }

    /// Returns the first (left or upper) square of every domino that fits into the set `squares`.
    #[inline]
    pub(crate) fn dominoes(self, squares: W, orientation: Orientation) -> W {
        squares & self.back(squares, orientation)
    }

    /// Returns the set of all squares that are orthogonally adjacent to one of `squares`.
    #[inline]
    pub(crate) fn neighbours(self, squares: W) -> W {
        self.right(squares) | self.left(squares) | self.above(squares) | self.below(squares)
    }

    /// Returns the set of all squares that are orthogonally or diagonally adjacent to one of
    /// `squares`.
    #[inline]
    pub(crate) fn all_neighbours(self, squares: W) -> W {
        let beside = self.right(squares) | self.left(squares);
        let line = squares | beside;
        beside | self.above(line) | self.below(line)
    }

    /// Visits each connected group of `within` that contains a square of `seeds`. The groups are
    /// ordered by their lowest square in `seeds`. If `diagonally` is `true`, diagonal neighbours
    /// are connected, too.
    #[inline]
    pub(crate) fn groups(
        self,
        seeds: W,
        mut within: W,
        diagonally: bool,
        mut visit: impl FnMut(W),
    ) {
        let mut seeds = seeds & within;
        while !seeds.is_zero() {
            let start = seeds.lowest();
            let group = if diagonally {
                connected(start, within, within, |squares| {
                    self.all_neighbours(squares)
                })
            } else {
                connected(start, within, within, |squares| self.neighbours(squares))
            };
            seeds = seeds & !group;
            within = within & !group;
            visit(group);
        }
    }
}

/// Returns the squares of `within` that are connected to `start`. `neighbours` returns the
/// neighbours of a set.
///
/// `goal` must be a subset of `within` that has a square in every group of `within`. A group that
/// contains all of `goal` is therefore all of `within`, and the flood fill stops early.
#[inline]
pub(crate) fn connected<W: Word>(start: W, goal: W, within: W, neighbours: impl Fn(W) -> W) -> W {
    let mut group = start;
    loop {
        // A round extends the group by one step in all directions, so the number of rounds is at
        // most the longest distance from `start`.
        let larger = (group | neighbours(group)) & within;
        if (goal & !larger).is_zero() {
            return within;
        }
        if larger == group {
            return group;
        }
        group = larger;
    }
}

/// A rectangle of squares whose first square is bit 0 of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) height: u32,
    pub(crate) width: u32,
    pub(crate) layout: Layout,
    stride: u32,
}

impl Frame {
    /// Creates a rectangle of the given size.
    #[inline]
    pub(crate) const fn new(height: u32, width: u32, layout: Layout) -> Self {
        Self {
            height,
            width,
            layout,
            stride: layout.stride(width),
        }
    }

    /// Returns the number of bits between the first squares of consecutive rows.
    #[inline]
    pub(crate) fn stride(self) -> u32 {
        self.stride
    }

    /// Returns the steps for sets of squares of the rectangle.
    #[inline]
    pub(crate) fn steps<W: Word>(self) -> Steps<W> {
        match self.layout {
            Layout::Spaced => Steps::spaced(self.stride()),
            _ => Steps::adjacent(self.stride()),
        }
    }

    /// Returns the number of bits from the first square to the last, both included.
    #[inline]
    fn length(self) -> u32 {
        (self.height - 1) * self.stride() + self.width
    }

    /// Returns the columns that contain squares of a set, one bit for each column.
    #[inline]
    pub(crate) fn columns<W: Word>(self, squares: W) -> W {
        // Doubling: after k rounds each row contains the union of 2^k rows. Finally the first row
        // contains the union of all rows.
        let (mut columns, mut step) = (squares, self.stride());
        while step < W::BITS {
            columns = columns | columns >> step as usize;
            step *= 2;
        }
        columns & W::low_bits(self.width)
    }

    /// Returns the bounding box of a nonempty set. The box has the layout `layout`.
    #[inline]
    pub(crate) fn bounding_box<W: Word>(self, squares: W, layout: Layout) -> BoundingBox {
        let stride = self.stride();
        let top = squares.trailing_zeros() / stride;
        let columns = self.columns(squares);
        let left = columns.trailing_zeros();
        let height = squares.highest() / stride + 1 - top;
        let width = columns.highest() + 1 - left;
        BoundingBox {
            frame: Self::new(height, width, layout),
            corner: top * stride + left,
            stride,
        }
    }

    /// Returns the set with its rows in reverse order.
    #[inline]
    fn flipped_rows<W: Word>(self, squares: W) -> W {
        let stride = self.stride();
        if stride == 8 {
            // A row is a byte, so reversing the bytes reverses the rows. The bytes of empty rows
            // below the frame become the lowest, and the shift removes them.
            return squares.swap_bytes() >> (W::BITS - 8 * self.height) as usize;
        }
        let (line, stride) = (W::low_bits(self.width), stride as usize);
        let (mut rest, mut flipped) = (squares, squares & line);
        for _ in 1..self.height {
            rest = rest >> stride;
            flipped = flipped << stride | rest & line;
        }
        flipped
    }

    /// Returns the set rotated by 180 degrees.
    #[inline]
    pub(crate) fn half_turn<W: Word>(self, squares: W) -> W {
        // Gaps between rows stay gaps, since the frame begins and ends with a square.
        squares.reverse_bits() >> (W::BITS - self.length()) as usize
    }

    /// Returns the transposed frame, and the transposes of the sets.
    #[inline]
    pub(crate) fn transposed<W: Word, const N: usize>(self, sets: [W; N]) -> (Self, [W; N]) {
        let turned = Self::new(self.width, self.height, self.layout);
        let (stride, apart) = (self.stride(), turned.stride());
        if stride == 8 && apart == 8 {
            return (turned, sets.map(W::transposed_8x8));
        }
        let mirrored = |squares: W| {
            let mut mirrored = W::zero();
            for row in 0..self.height {
                let mut columns = squares >> (row * stride) as usize & W::low_bits(self.width);
                while !columns.is_zero() {
                    let square = columns.trailing_zeros() * apart + row;
                    mirrored = mirrored | W::one() << square as usize;
                    columns = columns & (columns - W::one());
                }
            }
            mirrored
        };
        (turned, sets.map(mirrored))
    }

    /// Returns the least image of `sets` under the group `symmetries`, and the frame of this
    /// image.
    ///
    /// If all eight symmetries are allowed, only images that are no taller than wide are compared.
    /// `lesser` returns the lesser of two images.
    #[inline]
    pub(crate) fn least<W: Word, const N: usize>(
        self,
        sets: [W; N],
        symmetries: Symmetries,
        lesser: impl Fn([W; N], [W; N]) -> [W; N],
    ) -> (Self, [W; N]) {
        // The four images are the identity, two reflections and the half-turn; the second
        // reflection is the half-turn of the first. The other four are the same images of the
        // transpose.
        let least_of_four = |(frame, sets): (Self, [W; N])| {
            let (mut flipped, mut mirrored, mut reversed) = (sets, sets, sets);
            for n in 0..N {
                flipped[n] = frame.flipped_rows(sets[n]);
                mirrored[n] = frame.half_turn(flipped[n]);
                reversed[n] = frame.half_turn(sets[n]);
            }
            (
                frame,
                lesser(lesser(sets, flipped), lesser(reversed, mirrored)),
            )
        };
        let turned = || least_of_four(self.transposed(sets));
        match symmetries {
            Symmetries::Eight if self.height > self.width => turned(),
            Symmetries::Eight if self.height == self.width => {
                (self, lesser(least_of_four((self, sets)).1, turned().1))
            }
            _ => least_of_four((self, sets)),
        }
    }

    /// Returns whether the set contains the central square. If there are several central squares,
    /// the upper left one is tested. Returns `None` if the set has no half-turn symmetry.
    #[inline]
    pub(crate) fn half_turn_centre<W: Word>(self, squares: W) -> Option<bool> {
        // With an even side there are two or four central squares. The half-turn permutes them, so
        // for a board with one even side it is enough to test one.
        let middle = (self.height - 1) / 2 * self.stride() + (self.width - 1) / 2;
        let middle = squares >> middle as usize & W::one();
        (self.half_turn(squares) == squares).then(|| !middle.is_zero())
    }
}

/// The bounding box of a set of squares within a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundingBox {
    pub(crate) frame: Frame,
    /// The bit of the upper left square of the box in the original frame.
    corner: u32,
    /// The number of bits between the starts of consecutive rows of the original frame.
    stride: u32,
}

impl BoundingBox {
    /// Returns a set of squares in the coordinates of the box. All squares must lie in the box.
    #[inline]
    pub(crate) fn crop<W: Word>(self, squares: W) -> W {
        // All squares lie in the box, so no mask is needed if the strides are equal.
        let squares = squares >> self.corner as usize;
        let stride = self.frame.stride();
        if stride == self.stride {
            return squares;
        }
        let line = W::low_bits(self.frame.width);
        let (mut rest, mut cropped, mut shift) = (squares, squares & line, 0);
        for _ in 1..self.frame.height {
            rest = rest >> self.stride as usize;
            shift += stride;
            cropped = cropped | (rest & line) << shift as usize;
        }
        cropped
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use fastrand::Rng;

    use super::*;
    use crate::kit::large::{Grid, View};

    /// A set of squares, each as its row and column. The tests compare the bit sets with such sets.
    type Squares = BTreeSet<[u32; 2]>;

    const LAYOUTS: [Layout; 3] = [Layout::Tight, Layout::Spaced, Layout::Eight];

    fn fits<W: Word>(frame: Frame) -> bool {
        // `Steps::spaced` requires a stride shorter than the word.
        let end = W::BITS - u32::from(frame.layout == Layout::Spaced);
        frame.height * frame.stride() <= end
    }

    fn word<W: Word>(frame: Frame, squares: &Squares) -> W {
        let bit = |[row, column]: &[u32; 2]| W::one() << (row * frame.stride() + column) as usize;
        squares
            .iter()
            .map(bit)
            .fold(W::zero(), |all, bit| all | bit)
    }

    fn random_squares(frame: Frame, random: &mut Rng) -> Squares {
        let density = random.u32(20..101);
        let all =
            (0..frame.height).flat_map(|row| (0..frame.width).map(move |column| [row, column]));
        all.filter(|_| random.u32(..100) < density).collect()
    }

    fn neighbours(squares: &Squares, frame: Frame, directions: &[Direction]) -> Squares {
        let steps = squares.iter().flat_map(|&[row, column]| {
            directions.iter().map(move |&[down, right]| {
                [
                    row.wrapping_add(down as u32),
                    column.wrapping_add(right as u32),
                ]
            })
        });
        steps
            .filter(|&[row, column]| row < frame.height && column < frame.width)
            .collect()
    }

    fn groups(
        seeds: &Squares,
        within: &Squares,
        frame: Frame,
        directions: &[Direction],
    ) -> Vec<Squares> {
        let mut groups: Vec<Squares> = Vec::new();
        for &seed in seeds.intersection(within) {
            if groups.iter().any(|group| group.contains(&seed)) {
                continue;
            }
            let mut group = Squares::from([seed]);
            loop {
                let next = neighbours(&group, frame, directions);
                let size = group.len();
                group.extend(next.intersection(within));
                if group.len() == size {
                    break;
                }
            }
            groups.push(group);
        }
        groups
    }

    /// Returns the bounding box of some squares, and the squares with coordinates relative to the
    /// box.
    fn crop(squares: &Squares, layout: Layout) -> (Frame, Squares) {
        let bounds = [0, 1].map(|side| {
            let places = || squares.iter().map(move |square| square[side]);
            [places().min().unwrap(), places().max().unwrap()]
        });
        let [[top, bottom], [left, right]] = bounds;
        let frame = Frame::new(bottom + 1 - top, right + 1 - left, layout);
        let moved = |&[row, column]: &[u32; 2]| [row - top, column - left];
        (frame, squares.iter().map(moved).collect())
    }

    /// Returns the eight images of a set. The first four keep the orientation of the board.
    fn images(frame: Frame, squares: &Squares) -> Vec<(Frame, Squares)> {
        let (bottom, right) = (frame.height - 1, frame.width - 1);
        let images = (0..8).map(|image| {
            let moved = |&[mut row, mut column]: &[u32; 2]| {
                row = if image & 1 == 0 { row } else { bottom - row };
                column = if image & 2 == 0 {
                    column
                } else {
                    right - column
                };
                if image < 4 {
                    [row, column]
                } else {
                    [column, row]
                }
            };
            let (height, width) = if image < 4 {
                (bottom, right)
            } else {
                (right, bottom)
            };
            let frame = Frame::new(height + 1, width + 1, frame.layout);
            (frame, squares.iter().map(moved).collect())
        });
        images.collect()
    }

    fn check_steps_and_groups<W: Word + Debug>(frame: Frame, random: &mut Rng) {
        let [within, seeds] = [(); 2].map(|()| random_squares(frame, random));
        let all = word::<W>(
            frame,
            &(0..frame.height)
                .flat_map(|row| (0..frame.width).map(move |column| [row, column]))
                .collect(),
        );
        let steps = frame.steps::<W>();
        let [set, seeded] = [&within, &seeds].map(|squares| word::<W>(frame, squares));
        for (direction, next) in [
            ([0, 1], steps.right(set)),
            ([0, -1], steps.left(set)),
            ([1, 0], steps.below(set)),
            ([-1, 0], steps.above(set)),
        ] {
            assert_eq!(
                next & all,
                word(frame, &neighbours(&within, frame, &[direction])),
                "{frame:?} {direction:?}"
            );
        }
        for (directions, diagonally) in [(ORTHOGONAL, false), (ALL_DIRECTIONS, true)] {
            let mut found = Vec::new();
            steps.groups(seeded, set, diagonally, |group| found.push(group));
            let mut expected = groups(&seeds, &within, frame, directions);
            let expected: Vec<W> = expected
                .drain(..)
                .map(|group| word(frame, &group))
                .collect();
            assert_eq!(found, expected, "{frame:?}");
        }
    }

    fn check_images_and_boxes<W: Word + Debug>(frame: Frame, random: &mut Rng) {
        let (one, other) = (random_squares(frame, random), random_squares(frame, random));
        let all: Squares = one.union(&other).copied().collect();
        if all.is_empty() {
            return;
        }
        // The bounding box is that of the union, as for a board with stones of two players.
        let set = word::<W>(frame, &all);
        for layout in LAYOUTS {
            let (expected, moved) = crop(&all, layout);
            if fits::<W>(expected) {
                let bounds = frame.bounding_box(set, layout);
                assert_eq!(
                    (bounds.frame, bounds.crop(set)),
                    (expected, word(expected, &moved))
                );
            }
        }
        let sets = [&one, &other].map(|squares| word::<W>(frame, squares));
        let words = images(frame, &one).into_iter().zip(images(frame, &other));
        let words: Vec<(Frame, [W; 2])> = words
            .filter(|((frame, _), _)| fits::<W>(*frame))
            .map(|((frame, one), (_, other))| (frame, [word(frame, &one), word(frame, &other)]))
            .collect();
        assert_eq!(
            words[2].1,
            sets.map(|set| frame.half_turn(frame.flipped_rows(set)))
        );
        let half_turned = frame.half_turn(sets[0]) == sets[0];
        assert_eq!(half_turned, words[3].1[0] == sets[0]);
        assert_eq!(half_turned, frame.half_turn_centre(sets[0]).is_some());
        let four = words[..4].iter().copied().min_by_key(|(_, sets)| *sets);
        assert_eq!(
            Some(frame.least(sets, Symmetries::Four, Ord::min)),
            four,
            "{frame:?}"
        );
        if words.len() == 8 {
            assert_eq!(frame.transposed(sets), words[4]);
            let low = words
                .iter()
                .filter(|(frame, _)| frame.height <= frame.width);
            let eight = low.copied().min_by_key(|(_, sets)| *sets);
            assert_eq!(
                Some(frame.least(sets, Symmetries::Eight, Ord::min)),
                eight,
                "{frame:?}"
            );
        }
    }

    fn check_words<W: Word + Debug>(random: &mut Rng) {
        for layout in LAYOUTS {
            for _ in 0..300 {
                // Long thin boards are as likely as square ones: the strides near the width of the
                // word are the hard cases of the shifts.
                let longest = random.u32(1..=W::BITS);
                let [height, width] = [(); 2].map(|()| random.u32(1..=longest));
                let frame = Frame::new(height, width, layout);
                if fits::<W>(frame) {
                    check_steps_and_groups::<W>(frame, random);
                    check_images_and_boxes::<W>(frame, random);
                }
            }
        }
    }

    #[test]
    fn packed_boards_have_the_groups_and_images_of_sets() {
        let mut random = Rng::with_seed(5);
        check_words::<u64>(&mut random);
        check_words::<u128>(&mut random);
    }

    #[test]
    fn large_boards_have_the_groups_and_images_of_sets() {
        // Boards of up to 149 columns have rows of one to three words, and runs that cross the
        // words.
        let mut random = Rng::with_seed(6);
        for _ in 0..60 {
            let frame = Frame::new(random.u32(1..14), random.u32(1..150), Layout::Tight);
            let (height, width) = (frame.height as usize, frame.width as usize);
            let all = random_squares(frame, &mut random);
            let mut grid = Grid::blocked(width, height);
            for &[row, column] in &all {
                grid.set(row as usize, column as usize..column as usize + 1, true);
            }
            for (directions, diagonally) in [(ORTHOGONAL, false), (ALL_DIRECTIONS, true)] {
                let mut expected = groups(&all, &all, frame, directions);
                // `Grid::regions` leaves out single squares.
                expected.retain(|group| group.len() > 1);
                let mut found = Vec::new();
                grid.regions(diagonally, &mut |[top, left], region| {
                    let squares = (0..region.height)
                        .flat_map(|row| (0..region.width).map(move |column| (row, column)));
                    let free = squares.filter(|&(row, column)| region.is_free(row, column));
                    found.push(
                        free.map(|(row, column)| [(top + row) as u32, (left + column) as u32])
                            .collect::<Squares>(),
                    );
                });
                assert_eq!(found, expected);
            }
            let plain = View::new(height, width);
            for (symmetries, low) in [(Symmetries::Four, false), (Symmetries::Eight, true)] {
                let mut views: Vec<Squares> = plain
                    .images(symmetries)
                    .map(|view| {
                        let there = |&(_, square): &(usize, usize)| {
                            all.contains(&[(square / width) as u32, (square % width) as u32])
                        };
                        let places = (0..).zip(view.squares()).filter(there);
                        places
                            .map(|(n, _)| [(n / view.width) as u32, (n % view.width) as u32])
                            .collect()
                    })
                    .collect();
                let mut expected: Vec<Squares> = images(frame, &all)
                    .into_iter()
                    .enumerate()
                    .filter(|(n, (frame, _))| {
                        if low {
                            frame.height <= frame.width
                        } else {
                            *n < 4
                        }
                    })
                    .map(|(_, (_, squares))| squares)
                    .collect();
                views.sort_unstable();
                expected.sort_unstable();
                assert_eq!(views, expected);
            }
        }
    }
}
