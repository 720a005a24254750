//! Regions of free squares that fit into a word. They serve games in which the eight images of a
//! region under the symmetries of the square are equal positions.
//!
//! Rows are spaced: each row is followed by a square that is never free, so a step is a shift
//! without a mask. The frame of a region is its bounding box.

use std::ops::ControlFlow;

use super::board::Board;
use super::grid::{Frame, Layout, Orientation, Steps, Symmetries, Word, connected};
use grundy_base::limits::Flow;
use grundy_engine::rules::{MoveKind, OrientationCache};

/// Number of bits for the squares in the key of a region, which represents the region as a number.
/// The other bits hold the stride (the distance between the starts of two rows), which is less than
/// 64. Hence keys are less than 2^63, as `PackedGame` requires.
const SQUARE_BITS: u32 = 57;

/// A nonempty set of free squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    squares: u64,
    /// The number of bits between the starts of two consecutive rows.
    stride: u32,
}

impl Region {
    /// Returns the region that a key represents. The key contains the squares and the stride of the
    /// region.
    pub(crate) fn from_key(key: u64) -> Self {
        Self {
            squares: key & ((1 << SQUARE_BITS) - 1),
            stride: (key >> SQUARE_BITS) as u32,
        }
    }

    /// Returns the key of the region, a number that contains its squares and its stride. Different
    /// images of the region have different keys.
    fn key(self) -> u64 {
        self.squares | u64::from(self.stride) << SQUARE_BITS
    }

    /// Returns the canonical key of the free squares of a board, a number that represents them.
    /// Returns `None` if the squares do not fit into a key, or if no square is free.
    ///
    /// All images of a board under the symmetries of the square have the same key. Some other
    /// boards with isomorphic moves have this key, too.
    pub(crate) fn pack(board: &Board) -> Option<u64> {
        let (frame, squares) = board.squares()?;
        if squares == 0 {
            return None;
        }
        let bounds = frame.bounding_box(squares, Layout::Spaced);
        let Frame { height, width, .. } = bounds.frame;
        // The image that is no taller than wide must fit. The square after the last row needs no
        // bit.
        if height.min(width) * (height.max(width) + 1) > SQUARE_BITS + 1 {
            return None;
        }
        let (mut frame, mut sets) = (bounds.frame, [bounds.crop(squares)]);
        if height > width {
            (frame, sets) = frame.transposed(sets);
        }
        let region = Self {
            squares: sets[0] as u64,
            stride: frame.stride(),
        };
        Some(region.canonical_key())
    }

    /// Returns the bounding box of the region.
    #[inline]
    fn frame(self) -> Frame {
        Frame::new(
            self.squares.highest() / self.stride + 1,
            self.stride - 1,
            Layout::Spaced,
        )
    }

    #[inline]
    fn steps(self) -> Steps<u64> {
        Steps::spaced(self.stride)
    }

    /// Returns the number of squares of the region.
    pub(crate) fn size(self) -> u32 {
        self.squares.count_ones()
    }

    /// Returns the first squares of all dominoes that fit into the region: those of vertical
    /// dominoes, then those of horizontal ones.
    fn domino_starts(self) -> [u64; 2] {
        [Orientation::Vertical, Orientation::Horizontal]
            .map(|orientation| self.steps().dominoes(self.squares, orientation))
    }

    /// Returns the number of dominoes that fit into the region.
    pub(crate) fn moves(self) -> u32 {
        self.domino_starts()
            .iter()
            .map(|places| places.count_ones())
            .sum()
    }

    /// Returns a connected group of squares as a region.
    fn cut(self, group: u64) -> Self {
        let bounds = self.frame().bounding_box(group, Layout::Spaced);
        Self {
            squares: bounds.crop(group),
            stride: bounds.frame.stride(),
        }
    }

    /// Returns the least of the eight images of the region.
    fn canonical(self) -> Self {
        let lesser = |[one]: [u64; 1], [other]: [u64; 1]| [one.min(other)];
        let (frame, [squares]) = self
            .frame()
            .least([self.squares], Symmetries::Eight, lesser);
        Self {
            squares,
            stride: frame.stride(),
        }
    }

    /// Returns the key of the canonical image of the region after removing twins (see
    /// [`Self::without_twins`]). The key is a number that represents the region.
    fn canonical_key(self) -> u64 {
        let region = self.canonical();
        let squares = region.without_twins();
        if squares == region.squares {
            return region.key();
        }
        // Removing twins may shrink the bounding box and may make another image the least.
        region.cut(squares).canonical().key()
    }

    /// Returns the squares of the region, with only one of each group of twins. Twins are leaves
    /// that share their only neighbour.
    ///
    /// A leaf is a square with one free neighbour. A domino on either of two twins leaves the same
    /// region, because the other twin is then isolated.
    fn without_twins(self) -> u64 {
        let Self { squares, stride } = self;
        let leaves = squares & !self.with_two_neighbours();
        // The squares whose left neighbour is a leaf, and likewise for right, upper and lower.
        let [before, behind, above, below] =
            [leaves << 1, leaves >> 1, leaves << stride, leaves >> stride]
                .map(|next| next & squares);
        // Of the leaves next to a square, the first in the order left, right, above, below remains.
        // The final shifts map such a square to the leaves that are removed.
        let twins = (before & behind) << 1
            | (above & (before | behind)) >> stride
            | (below & (before | behind | above)) << stride;
        squares & !twins
    }

    /// Returns the height, the width, and whether the central square is free. Returns `None` if the
    /// region has no half-turn symmetry.
    pub(crate) fn symmetric(self) -> Option<(u32, u32, bool)> {
        let frame = self.frame();
        let middle = frame.half_turn_centre(self.squares)?;
        Some((frame.height, frame.width, middle))
    }

    /// Returns the first squares of the dominoes of one move kind: those of vertical dominoes, then
    /// those of horizontal ones.
    fn domino_starts_of_kind(self, moves: MoveKind) -> [u64; 2] {
        let (dominoes, splitting) = (self.domino_starts(), self.splitting());
        [0, 1].map(|index| match moves {
            MoveKind::Splitting => dominoes[index] & splitting[index],
            MoveKind::NonSplitting => dominoes[index] & !splitting[index],
        })
    }

    /// Returns the number of dominoes that certainly leave the region connected, apart from
    /// isolated single squares.
    pub(crate) fn non_splitting_moves(self) -> u32 {
        let starts = self.domino_starts_of_kind(MoveKind::NonSplitting);
        starts[0].count_ones() + starts[1].count_ones()
    }

    /// Visits the options that place a domino of one move kind. Each option is passed as the keys
    /// of the regions that remain, that is, the numbers that represent these regions.
    ///
    /// Regions of one square have no moves and are left out. Two equal regions cancel, since the
    /// game is impartial and X + X = 0. Vertical dominoes come first. Within each orientation the
    /// dominoes in the middle come first.
    pub(crate) fn options(
        self,
        moves: MoveKind,
        cache: &mut OrientationCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let shapes = [1 | 1 << self.stride, 3];
        for (starts, shape) in self.domino_starts_of_kind(moves).into_iter().zip(shapes) {
            let count = starts.count_ones();
            // Splits the starts at the median: the lower half is visited downwards, the upper half
            // upwards.
            let (mut below, mut above) = (0u64, starts);
            for _ in 0..count.div_ceil(2) {
                below |= above & above.wrapping_neg();
                above &= above - 1;
            }
            for n in 0..count {
                // Alternates between the two sides of the middle.
                let start = if n % 2 == 0 {
                    let last = below.ilog2();
                    below ^= 1 << last;
                    last
                } else {
                    let first = above.trailing_zeros();
                    above &= above - 1;
                    first
                };
                let domino = shape << start;
                let rest = self.squares & !domino;
                // Isolated squares have no moves.
                let rest = rest & self.steps().neighbours(rest);
                let mut keys = Keys::default();
                // A flood fill is needed only if the region may fall apart.
                match moves {
                    MoveKind::Splitting => {
                        self.push_regions(rest, self.steps().neighbours(domino), cache, &mut keys);
                    }
                    MoveKind::NonSplitting if rest != 0 => {
                        keys.toggle(self.cached_key(rest, cache));
                    }
                    MoveKind::NonSplitting => {}
                }
                visit(keys.all())?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the first squares of the dominoes that may disconnect the region: those of vertical
    /// dominoes, then those of horizontal ones. A domino that only isolates single squares does not
    /// count.
    ///
    /// Bits that are not the start of a domino are meaningless. The test examines only the squares
    /// around a domino. It is therefore conservative: a longer path may still connect the region.
    fn splitting(self) -> [u64; 2] {
        let Self { squares, stride } = self;
        // A square whose only neighbour is covered becomes isolated. A square with two neighbours
        // keeps one of them, since the grid has no triangles.
        let inner = squares & self.with_two_neighbours();
        [(stride, 1), (1, stride)].map(|(along, across)| {
            // Each shift moves one neighbour of a domino to the first square of the domino. So the
            // rings of all placements are tested at once.
            let (before, behind) = (|set: u64| set << across, |set: u64| set >> across);
            let (end, second) = (|set: u64| set >> along >> along, |set: u64| set >> along);
            // The six neighbours of the domino in cyclic order, each with the corner square that
            // links it to the next one. Two neighbours on the same long side touch and need no
            // link.
            let ring = [
                (before(inner), u64::MAX),
                (before(second(inner)), before(end(squares))),
                (end(inner), behind(end(squares))),
                (behind(second(inner)), u64::MAX),
                (behind(inner), behind(squares << along)),
                (inner << along, before(squares << along)),
            ];
            // Counts the runs of linked neighbours, saturating at two. With one run, or none, all
            // neighbours stay connected around the domino.
            let (mut one, mut more) = (0, 0);
            let (mut last, mut link) = ring[ring.len() - 1];
            for (here, next) in ring {
                let first = here & !(last & link);
                more |= one & first;
                one |= first;
                (last, link) = (here, next);
            }
            more
        })
    }

    /// Returns all squares, in the region or not, that have at least two neighbours in the region.
    fn with_two_neighbours(self) -> u64 {
        let Self { squares, stride } = self;
        let (left, right) = (squares << 1, squares >> 1);
        let (up, down) = (squares << stride, squares >> stride);
        left & right | (left | right) & (up | down) | up & down
    }

    /// Returns the squares of `set` that are connected to the first square of `from`.
    ///
    /// `from` must be a subset of `set` that has a square in every connected group of `set`.
    fn connected_group(self, from: u64, set: u64) -> u64 {
        connected(from.lowest(), from, set, |squares| {
            self.steps().neighbours(squares)
        })
    }

    /// Inserts into `keys` the canonical key of each connected group of `squares`, or removes the
    /// key if it is present. Each group must have a square in `around`.
    fn push_regions(
        self,
        mut squares: u64,
        around: u64,
        cache: &mut OrientationCache,
        keys: &mut Keys,
    ) {
        while squares != 0 {
            let group = self.connected_group(squares & around, squares);
            squares &= !group;
            keys.toggle(self.cached_key(group, cache));
        }
    }

    /// Returns the canonical key of a connected group, that is, the number that represents the
    /// group and its images. The key comes from the cache if the group is in it.
    ///
    /// The cache key is the stride and the group, shifted so that its first square is bit 0. Hence
    /// the position of the group on the board does not matter.
    fn cached_key(self, group: u64, cache: &mut OrientationCache) -> u64 {
        let shifted = Self {
            squares: group >> group.trailing_zeros(),
            ..self
        };
        cache.canonical(shifted.key(), || self.cut(group).canonical_key())
    }
}

/// The regions that remain after a domino is placed. Each region is given by its key, a number that
/// represents the region.
#[derive(Debug, Default)]
struct Keys {
    keys: [u64; Self::MAX_COUNT],
    count: usize,
}

impl Keys {
    /// Maximal number of keys. A domino has six adjacent squares, and each region contains one or
    /// more of them.
    const MAX_COUNT: usize = 6;

    fn all(&self) -> &[u64] {
        &self.keys[..self.count]
    }

    /// Inserts a key, or removes it if it is present.
    fn toggle(&mut self, key: u64) {
        if let Some(equal) = self.all().iter().position(|&other| other == key) {
            self.count -= 1;
            self.keys[equal] = self.keys[self.count];
        } else {
            self.keys[self.count] = key;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns random connected regions of up to 8 by 6 squares.
    fn regions(seed: u64) -> impl Iterator<Item = Region> {
        let mut random = fastrand::Rng::with_seed(seed);
        let regions = (0..3_000).map(move |_| {
            let (width, height) = (random.u32(1..9), random.u32(1..7));
            if (width + 1) * height > SQUARE_BITS {
                return None;
            }
            let stride = width + 1;
            let density = random.u32(50..101);
            let squares = (0..width * height)
                .filter(|_| random.u32(..100) < density)
                .fold(0u64, |set, n| set | 1 << (n / width * stride + n % width));
            let board = Region { squares, stride };
            (squares != 0).then(|| board.cut(board.connected_group(squares, squares)))
        });
        regions.flatten()
    }

    #[test]
    fn regions_left_by_dominoes_agree_with_a_flood_fill() {
        // The regions share one cache, so a wrong key of an earlier region would affect later ones.
        let mut cache = OrientationCache::default();
        for region in regions(8) {
            let stride = region.stride;
            let beside = |a: u32, b: u32| [1, stride].contains(&a.abs_diff(b));
            let squares: Vec<u32> = (0..SQUARE_BITS)
                .filter(|at| region.squares >> at & 1 == 1)
                .collect();
            let mut expected = Vec::new();
            for (n, &first) in squares.iter().enumerate() {
                for &second in squares[n..].iter().filter(|&&at| beside(first, at)) {
                    let mut rest: Vec<u32> = (squares.iter().copied())
                        .filter(|&at| at != first && at != second)
                        .collect();
                    let mut keys: Vec<u64> = Vec::new();
                    while let Some(start) = rest.pop() {
                        let (mut group, mut seen) = (vec![start], 0);
                        while let Some(&here) = group.get(seen) {
                            group.extend(rest.extract_if(.., |&mut at| beside(here, at)));
                            seen += 1;
                        }
                        if group.len() > 1 {
                            let group = group.iter().fold(0, |set, at| set | 1 << at);
                            let key = region.cut(group).canonical_key();
                            match keys.iter().position(|&other| other == key) {
                                Some(equal) => drop(keys.remove(equal)),
                                None => keys.push(key),
                            }
                        }
                    }
                    keys.sort_unstable();
                    expected.push(keys);
                }
            }
            let mut rest = Vec::new();
            for kind in [MoveKind::Splitting, MoveKind::NonSplitting] {
                let before = rest.len();
                let flow = region.options(kind, &mut cache, &mut |keys| {
                    let mut keys = keys.to_vec();
                    keys.sort_unstable();
                    rest.push(keys);
                    ControlFlow::Continue(())
                });
                assert!(flow.is_continue());
                if kind == MoveKind::NonSplitting {
                    assert_eq!(rest.len() - before, region.non_splitting_moves() as usize);
                    assert!(rest[before..].iter().all(|keys| keys.len() <= 1));
                }
            }
            assert_eq!(rest.len(), region.moves() as usize);
            expected.sort_unstable();
            rest.sort_unstable();
            assert_eq!(rest, expected, "{region:?}");
        }
    }

    #[test]
    fn dominoes_that_split_a_region_are_detected() {
        let mut seen = [0; 2];
        for region in regions(7) {
            let shapes = [1 | 1 << region.stride, 3];
            for ((starts, splitting), shape) in region
                .domino_starts()
                .into_iter()
                .zip(region.splitting())
                .zip(shapes)
            {
                for at in (0..SQUARE_BITS).filter(|at| starts >> at & 1 == 1) {
                    let rest = region.squares & !(shape << at);
                    let rest = rest & region.steps().neighbours(rest);
                    let domino: u64 = shape << at;
                    // The ring includes the corner squares. The oracle examines only this ring,
                    // since the test is local.
                    let wide = domino | domino << 1 | domino >> 1;
                    let around = rest & (wide | wide << region.stride | wide >> region.stride);
                    let next = rest & region.steps().neighbours(domino);
                    let splits = next & !region.connected_group(next, around) != 0;
                    assert_eq!(splitting >> at & 1 == 1, splits, "{region:?} {domino:b}");
                    if !splits && rest != 0 {
                        assert_eq!(
                            region.connected_group(rest, rest),
                            rest,
                            "{region:?} {domino:b}"
                        );
                    }
                    seen[usize::from(splits)] += 1;
                }
            }
        }
        // Both cases must occur often, or the test would prove little.
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }

    #[test]
    fn equal_regions_cancel() {
        let mut keys = Keys::default();
        for key in [3, 5, 3, 7, 5, 5] {
            keys.toggle(key);
        }
        let mut rest = keys.all().to_vec();
        rest.sort_unstable();
        assert_eq!(rest, [5, 7]);
    }
}
