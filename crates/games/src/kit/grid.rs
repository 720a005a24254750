//! Rectangles of squares in words: steps, flood fill, bounding boxes and mirror images.
//!
//! A set of squares is a `u64` or a `u128`. Boards too large for a word are in `large`.

use num_traits::{PrimInt, WrappingNeg};

/// A direction on a board: rows down and columns to the right.
pub(crate) type Way = [isize; 2];

/// The directions of the four neighbours of a square.
pub(crate) const STRAIGHT: &[Way] = &[[-1, 0], [0, -1], [0, 1], [1, 0]];

/// The directions of the eight squares around a square.
pub(crate) const AROUND: &[Way] = &[
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
];

/// The position of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// On two squares of a row.
    Flat,
    /// On two squares of a column.
    Upright,
}

impl Lie {
    /// Returns the other position.
    pub(crate) fn across(self) -> Self {
        match self {
            Self::Flat => Self::Upright,
            Self::Upright => Self::Flat,
        }
    }

    /// Returns the row and the column of something, from its place across the domino and its place
    /// along it; and the other way round.
    pub(crate) fn turn<T>(self, (across, along): (T, T)) -> (T, T) {
        match self {
            Self::Flat => (across, along),
            Self::Upright => (along, across),
        }
    }
}

/// The mirror images of a region that are the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    /// Those that leave flat dominoes flat.
    Four,
    /// All of them.
    Eight,
}

/// A set of squares as the bits of a word.
pub(crate) trait Word: PrimInt + WrappingNeg {
    /// Number of bits.
    const BITS: u32;

    /// Moves the bits up, by any number; those that leave the word are lost.
    fn up(self, by: u32) -> Self;

    /// Moves the bits down, by any number; those that leave the word are lost.
    fn down(self, by: u32) -> Self;

    /// Mirrors eight rows of eight squares in the diagonal.
    fn mirrored_eight(self) -> Self;

    /// Returns the lowest `count` bits, at least one.
    #[inline]
    fn low(count: u32) -> Self {
        Self::max_value() >> (Self::BITS - count) as usize
    }

    /// Returns the set of the first square; the empty set has none.
    #[inline]
    fn lowest(self) -> Self {
        self & self.wrapping_neg()
    }

    /// Returns the number of the last square of a set that has some.
    #[inline]
    fn last(self) -> u32 {
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
            fn mirrored_eight(self) -> Self {
                // Exchanges the corners of blocks of 2, 4 and 8 squares a side.
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

/// The distance between two rows, by their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Rows follow one another at once.
    Tight,
    /// One square that is never in a set follows each row, so no step needs a mask.
    Spaced,
    /// Rows begin 8 bits apart; those that are wider follow one another at once.
    Eight,
}

impl Layout {
    /// Returns the distance between two rows.
    #[inline]
    const fn stride(self, width: u32) -> u32 {
        match self {
            Self::Spaced => width + 1,
            Self::Eight if width < 8 => 8,
            Self::Tight | Self::Eight => width,
        }
    }
}

/// Steps between squares: the square in row r and column c is bit `stride * r + c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<W> {
    stride: u32,
    /// The squares of the first column, which steps to the side must not cross; none if rows are
    /// spaced.
    first: W,
}

impl<W: Word> Rows<W> {
    /// Returns the rows of a stride in which the last square of a row is next to the first of
    /// another.
    #[inline]
    pub(crate) fn adjacent(stride: u32) -> Self {
        let (mut first, mut step) = (W::one(), stride);
        while step < W::BITS {
            first = first | first.up(step);
            step *= 2;
        }
        Self { stride, first }
    }

    /// Returns the rows of a stride, shorter than a word, that have a square between them.
    #[inline]
    pub(crate) fn spaced(stride: u32) -> Self {
        debug_assert!(stride < W::BITS);
        Self {
            // Tells the compiler that no shift leaves the word.
            stride: stride % W::BITS,
            first: W::zero(),
        }
    }

    /// Returns the squares to the right of some squares.
    #[inline]
    pub(crate) fn right(self, squares: W) -> W {
        squares.up(1) & !self.first
    }

    /// Returns the squares to the left of some squares.
    #[inline]
    pub(crate) fn left(self, squares: W) -> W {
        (squares & !self.first).down(1)
    }

    /// Returns the squares below some squares.
    #[inline]
    pub(crate) fn below(self, squares: W) -> W {
        squares.up(self.stride)
    }

    /// Returns the squares above some squares.
    #[inline]
    pub(crate) fn above(self, squares: W) -> W {
        squares.down(self.stride)
    }

    /// Moves squares right or down, along a domino.
    #[inline]
    pub(crate) fn forth(self, squares: W, lie: Lie) -> W {
        match lie {
            Lie::Flat => self.right(squares),
            Lie::Upright => self.below(squares),
        }
    }

    /// Moves squares left or up, along a domino.
    #[inline]
    pub(crate) fn back(self, squares: W, lie: Lie) -> W {
        match lie {
            Lie::Flat => self.left(squares),
            Lie::Upright => self.above(squares),
        }
    }

    /// Returns the first squares of the dominoes that fit a set of squares.
    #[inline]
    pub(crate) fn dominoes(self, squares: W, lie: Lie) -> W {
        squares & self.back(squares, lie)
    }

    /// Returns the squares above, below and beside some squares.
    #[inline]
    pub(crate) fn near(self, squares: W) -> W {
        self.right(squares) | self.left(squares) | self.above(squares) | self.below(squares)
    }

    /// Returns the squares above, below and beside some squares, and at their corners.
    #[inline]
    pub(crate) fn around(self, squares: W) -> W {
        let beside = self.right(squares) | self.left(squares);
        let line = squares | beside;
        beside | self.above(line) | self.below(line)
    }

    /// Visits the groups of squares of `within` in which some of `seeds` are, by their first seeds.
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
                connected(start, within, within, |squares| self.around(squares))
            } else {
                connected(start, within, within, |squares| self.near(squares))
            };
            seeds = seeds & !group;
            within = within & !group;
            visit(group);
        }
    }
}

/// Returns the squares of `within` that are connected to `start`; `near` lists the neighbours.
///
/// Each square of `within` must be connected to some square of `goal`, a part of it. A group that
/// has all of `goal` is then all of `within`, and the rest is not looked through.
#[inline]
pub(crate) fn connected<W: Word>(start: W, goal: W, within: W, near: impl Fn(W) -> W) -> W {
    let mut group = start;
    loop {
        let larger = (group | near(group)) & within;
        if (goal & !larger).is_zero() {
            return within;
        }
        if larger == group {
            return group;
        }
        group = larger;
    }
}

/// A rectangle of squares that begins at bit 0 of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) height: u32,
    pub(crate) width: u32,
    pub(crate) layout: Layout,
    stride: u32,
}

impl Frame {
    /// Returns a rectangle of a height and a width.
    #[inline]
    pub(crate) const fn new(height: u32, width: u32, layout: Layout) -> Self {
        Self {
            height,
            width,
            layout,
            stride: layout.stride(width),
        }
    }

    /// Returns the distance between two rows.
    #[inline]
    pub(crate) fn stride(self) -> u32 {
        self.stride
    }

    /// Returns the steps between squares.
    #[inline]
    pub(crate) fn rows<W: Word>(self) -> Rows<W> {
        match self.layout {
            Layout::Spaced => Rows::spaced(self.stride()),
            _ => Rows::adjacent(self.stride()),
        }
    }

    /// Returns the number of bits from the first square to the last.
    #[inline]
    fn length(self) -> u32 {
        (self.height - 1) * self.stride() + self.width
    }

    /// Returns the columns in which a set has squares, one bit each.
    #[inline]
    pub(crate) fn columns<W: Word>(self, squares: W) -> W {
        let (mut columns, mut step) = (squares, self.stride());
        while step < W::BITS {
            columns = columns | columns >> step as usize;
            step *= 2;
        }
        columns & W::low(self.width)
    }

    /// Returns the rows and columns that some squares take, at least one, in another layout.
    #[inline]
    pub(crate) fn cut<W: Word>(self, squares: W, layout: Layout) -> Cut {
        let stride = self.stride();
        let top = squares.trailing_zeros() / stride;
        let columns = self.columns(squares);
        let left = columns.trailing_zeros();
        let height = squares.last() / stride + 1 - top;
        let width = columns.last() + 1 - left;
        Cut {
            frame: Self::new(height, width, layout),
            corner: top * stride + left,
            stride,
        }
    }

    /// Returns the set with the last row first.
    #[inline]
    fn upside_down<W: Word>(self, squares: W) -> W {
        let stride = self.stride();
        if stride == 8 {
            return squares.swap_bytes() >> (W::BITS - 8 * self.height) as usize;
        }
        let (line, stride) = (W::low(self.width), stride as usize);
        let (mut rest, mut flipped) = (squares, squares & line);
        for _ in 1..self.height {
            rest = rest >> stride;
            flipped = flipped << stride | rest & line;
        }
        flipped
    }

    /// Returns the set turned by half a turn.
    #[inline]
    pub(crate) fn reversed<W: Word>(self, squares: W) -> W {
        squares.reverse_bits() >> (W::BITS - self.length()) as usize
    }

    /// Returns the mirror images of some sets in the diagonal, and their frame.
    #[inline]
    pub(crate) fn transposed<W: Word, const N: usize>(self, sets: [W; N]) -> (Self, [W; N]) {
        let turned = Self::new(self.width, self.height, self.layout);
        let (stride, apart) = (self.stride(), turned.stride());
        if stride == 8 && apart == 8 {
            return (turned, sets.map(W::mirrored_eight));
        }
        let mirrored = |squares: W| {
            let mut mirrored = W::zero();
            for row in 0..self.height {
                let mut columns = squares >> (row * stride) as usize & W::low(self.width);
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

    /// Returns the least of the images of some sets that fill the frame; of all eight, one that is
    /// no taller than it is wide. `lesser` returns the lesser of two images.
    #[inline]
    pub(crate) fn least<W: Word, const N: usize>(
        self,
        sets: [W; N],
        images: Images,
        lesser: impl Fn([W; N], [W; N]) -> [W; N],
    ) -> (Self, [W; N]) {
        let of_four = |(frame, sets): (Self, [W; N])| {
            let (mut flipped, mut mirrored, mut reversed) = (sets, sets, sets);
            for n in 0..N {
                flipped[n] = frame.upside_down(sets[n]);
                mirrored[n] = frame.reversed(flipped[n]);
                reversed[n] = frame.reversed(sets[n]);
            }
            (
                frame,
                lesser(lesser(sets, flipped), lesser(reversed, mirrored)),
            )
        };
        let turned = || of_four(self.transposed(sets));
        match images {
            Images::Eight if self.height > self.width => turned(),
            Images::Eight if self.height == self.width => {
                (self, lesser(of_four((self, sets)).1, turned().1))
            }
            _ => of_four((self, sets)),
        }
    }

    /// Returns whether a square in the middle is in a set, if a half-turn leaves the set as it is.
    #[inline]
    pub(crate) fn middle_of_half_turn<W: Word>(self, squares: W) -> Option<bool> {
        let middle = (self.height - 1) / 2 * self.stride() + (self.width - 1) / 2;
        let middle = squares >> middle as usize & W::one();
        (self.reversed(squares) == squares).then(|| !middle.is_zero())
    }
}

/// The rows and columns that some squares of a frame take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) frame: Frame,
    /// The first square, and the distance between two rows, in the frame that is cut.
    corner: u32,
    stride: u32,
}

impl Cut {
    /// Cuts out a set of squares, none of which is outside.
    #[inline]
    pub(crate) fn of<W: Word>(self, squares: W) -> W {
        let squares = squares >> self.corner as usize;
        let stride = self.frame.stride();
        if stride == self.stride {
            return squares;
        }
        let line = W::low(self.frame.width);
        let (mut rest, mut cut, mut place) = (squares, squares & line, 0);
        for _ in 1..self.frame.height {
            rest = rest >> self.stride as usize;
            place += stride;
            cut = cut | (rest & line) << place as usize;
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use fastrand::Rng;

    use super::*;
    use crate::kit::large::{Grid, View};

    /// Rows and columns.
    type Squares = BTreeSet<[u32; 2]>;

    const LAYOUTS: [Layout; 3] = [Layout::Tight, Layout::Spaced, Layout::Eight];

    fn fits<W: Word>(frame: Frame) -> bool {
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

    fn some(frame: Frame, random: &mut Rng) -> Squares {
        let density = random.u32(20..101);
        let all =
            (0..frame.height).flat_map(|row| (0..frame.width).map(move |column| [row, column]));
        all.filter(|_| random.u32(..100) < density).collect()
    }

    fn near(squares: &Squares, frame: Frame, ways: &[Way]) -> Squares {
        let steps = squares.iter().flat_map(|&[row, column]| {
            ways.iter().map(move |&[down, right]| {
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

    fn groups(seeds: &Squares, within: &Squares, frame: Frame, ways: &[Way]) -> Vec<Squares> {
        let mut groups: Vec<Squares> = Vec::new();
        for &seed in seeds.intersection(within) {
            if groups.iter().any(|group| group.contains(&seed)) {
                continue;
            }
            let mut group = Squares::from([seed]);
            loop {
                let next = near(&group, frame, ways);
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

    /// Returns the squares against the upper and the left edge, and the rows and columns that they
    /// take.
    fn cut(squares: &Squares, layout: Layout) -> (Frame, Squares) {
        let bounds = [0, 1].map(|side| {
            let places = || squares.iter().map(move |square| square[side]);
            [places().min().unwrap(), places().max().unwrap()]
        });
        let [[top, bottom], [left, right]] = bounds;
        let frame = Frame::new(bottom + 1 - top, right + 1 - left, layout);
        let moved = |&[row, column]: &[u32; 2]| [row - top, column - left];
        (frame, squares.iter().map(moved).collect())
    }

    /// Returns the eight images, the four that lie as the squares do first.
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

    fn steps_and_groups<W: Word + Debug>(frame: Frame, random: &mut Rng) {
        let [within, seeds] = [(); 2].map(|()| some(frame, random));
        let all = word::<W>(
            frame,
            &(0..frame.height)
                .flat_map(|row| (0..frame.width).map(move |column| [row, column]))
                .collect(),
        );
        let rows = frame.rows::<W>();
        let [set, seeded] = [&within, &seeds].map(|squares| word::<W>(frame, squares));
        for (way, next) in [
            ([0, 1], rows.right(set)),
            ([0, -1], rows.left(set)),
            ([1, 0], rows.below(set)),
            ([-1, 0], rows.above(set)),
        ] {
            assert_eq!(
                next & all,
                word(frame, &near(&within, frame, &[way])),
                "{frame:?} {way:?}"
            );
        }
        for (ways, diagonally) in [(STRAIGHT, false), (AROUND, true)] {
            let mut found = Vec::new();
            rows.groups(seeded, set, diagonally, |group| found.push(group));
            let mut expected = groups(&seeds, &within, frame, ways);
            let expected: Vec<W> = expected
                .drain(..)
                .map(|group| word(frame, &group))
                .collect();
            assert_eq!(found, expected, "{frame:?}");
        }
    }

    fn images_and_cuts<W: Word + Debug>(frame: Frame, random: &mut Rng) {
        let (one, other) = (some(frame, random), some(frame, random));
        let all: Squares = one.union(&other).copied().collect();
        if all.is_empty() {
            return;
        }
        let set = word::<W>(frame, &all);
        for layout in LAYOUTS {
            let (expected, moved) = cut(&all, layout);
            if fits::<W>(expected) {
                let cut = frame.cut(set, layout);
                assert_eq!((cut.frame, cut.of(set)), (expected, word(expected, &moved)));
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
            sets.map(|set| frame.reversed(frame.upside_down(set)))
        );
        let half_turned = frame.reversed(sets[0]) == sets[0];
        assert_eq!(half_turned, words[3].1[0] == sets[0]);
        assert_eq!(half_turned, frame.middle_of_half_turn(sets[0]).is_some());
        let four = words[..4].iter().copied().min_by_key(|(_, sets)| *sets);
        assert_eq!(
            Some(frame.least(sets, Images::Four, Ord::min)),
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
                Some(frame.least(sets, Images::Eight, Ord::min)),
                eight,
                "{frame:?}"
            );
        }
    }

    fn on_words<W: Word + Debug>(random: &mut Rng) {
        for layout in LAYOUTS {
            for _ in 0..300 {
                let longest = random.u32(1..=W::BITS);
                let [height, width] = [(); 2].map(|()| random.u32(1..=longest));
                let frame = Frame::new(height, width, layout);
                if fits::<W>(frame) {
                    steps_and_groups::<W>(frame, random);
                    images_and_cuts::<W>(frame, random);
                }
            }
        }
    }

    #[test]
    fn words_have_the_groups_and_images_of_sets() {
        let mut random = Rng::with_seed(5);
        on_words::<u64>(&mut random);
        on_words::<u128>(&mut random);
    }

    #[test]
    fn large_boards_have_the_groups_and_images_of_sets() {
        let mut random = Rng::with_seed(6);
        for _ in 0..60 {
            let frame = Frame::new(random.u32(1..14), random.u32(1..150), Layout::Tight);
            let (height, width) = (frame.height as usize, frame.width as usize);
            let all = some(frame, &mut random);
            let mut grid = Grid::blocked(width, height);
            for &[row, column] in &all {
                grid.set(row as usize, column as usize..column as usize + 1, true);
            }
            for (ways, diagonally) in [(STRAIGHT, false), (AROUND, true)] {
                let mut expected = groups(&all, &all, frame, ways);
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
            for (which, low) in [(Images::Four, false), (Images::Eight, true)] {
                let mut views: Vec<Squares> = plain
                    .images(which)
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
