//! Places for dominoes on a set of squares, counted in words: what is safe, what can be spoilt, and how much room there is.

use std::ops::{BitAnd, BitOr, Not};

use super::board::Lie;
use crate::reserve::Reserve;

/// Squares in a word.
pub(super) trait Squares:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    const NONE: Self;
    fn up(self, places: u32) -> Self;
    fn down(self, places: u32) -> Self;
    /// The first of them; none of none.
    fn first(self) -> Self;
    fn count(self) -> i32;
}

macro_rules! squares {
    ($word:ty) => {
        impl Squares for $word {
            const NONE: Self = 0;

            fn up(self, places: u32) -> Self {
                self.unbounded_shl(places)
            }

            fn down(self, places: u32) -> Self {
                self.unbounded_shr(places)
            }

            fn first(self) -> Self {
                self & self.wrapping_neg()
            }

            fn count(self) -> i32 {
                self.count_ones() as i32
            }
        }
    };
}

squares!(u64);
squares!(u128);

/// Rows of a width, one after the other in a word.
#[derive(Clone, Copy)]
pub(super) struct Rows<W> {
    pub(super) width: u32,
    /// The squares of the first column, and of the last.
    pub(super) edges: [W; 2],
}

impl Lie {
    fn across(self) -> Self {
        match self {
            Self::Flat => Self::Upright,
            Self::Upright => Self::Flat,
        }
    }
}

impl<W: Squares> Rows<W> {
    /// Squares moved by one, along a domino that lies so.
    fn forth(self, squares: W, lie: Lie) -> W {
        match lie {
            Lie::Flat => (squares & !self.edges[1]).up(1),
            Lie::Upright => squares.up(self.width),
        }
    }

    fn back(self, squares: W, lie: Lie) -> W {
        match lie {
            Lie::Flat => (squares & !self.edges[0]).down(1),
            Lie::Upright => squares.down(self.width),
        }
    }

    /// As many dominoes side by side as there is room for, by their first squares; and the squares left over at the ends of runs.
    fn packed(self, squares: W, lie: Lie) -> [W; 2] {
        let (mut starts, mut over) = (W::NONE, W::NONE);
        let mut next = squares & !self.forth(squares, lie);
        while next != W::NONE {
            let ends = self.forth(next, lie) & squares;
            let begun = self.back(ends, lie);
            starts = starts | begun;
            over = over | next & !begun;
            next = self.forth(ends, lie) & squares;
        }
        [starts, over]
    }

    fn dominoes(self, starts: W, lie: Lie) -> W {
        starts | self.forth(starts, lie)
    }

    /// Places for dominoes that lie so and touch no other place counted: how many of them one across could spoil one at a time, and how
    /// many two at a time.
    fn places(self, squares: W, lie: Lie) -> [i32; 2] {
        let [starts, _] = self.packed(squares, lie);
        let taken = self.dominoes(starts, lie);
        let across = lie.across();
        let near = taken & (self.forth(taken, across) | self.back(taken, across));
        let touching = starts & (near | self.back(near, lie));
        [(starts & !touching).count(), touching.count()]
    }

    /// What who places dominoes so has in reserve.
    pub(super) fn reserve(self, free: W, lie: Lie) -> Reserve {
        let across = lie.across();
        // Squares with no free one before them, and with none after them, in the direction of the other player's dominoes.
        let closed = [
            free & !self.forth(free, across),
            free & !self.back(free, across),
        ];
        let [safe, _] = self.packed(closed[0] & closed[1], lie);
        let [against, over] = self.packed(free, across);
        let open = free & !self.dominoes(safe, lie);
        let [lonely, touching] = self.places(open, lie);
        let plain = Reserve {
            safe: safe.count(),
            lonely,
            touching,
            against: against.count(),
            spare: over.count(),
            ..Reserve::default()
        };
        let (paired, rest) = self.pairs(open, closed, lie);
        if paired == 0 {
            return plain;
        }
        let [lonely, touching] = self.places(rest, lie);
        let with_pairs = Reserve {
            paired,
            lonely,
            touching,
            ..plain
        };
        let moves = |reserve: &Reserve| reserve.moves(true) + reserve.moves(false);
        if moves(&with_pairs) > moves(&plain) {
            with_pairs
        } else {
            plain
        }
    }

    /// Blocks of two by two of which one side is closed: whoever has a domino on the other side has a safe place on this one. How many
    /// there are that no domino across touches together with another place, and the squares for such places.
    fn pairs(self, mut open: W, closed: [W; 2], lie: Lie) -> (i32, W) {
        let across = lie.across();
        let slots = |squares: W| squares & self.back(squares, lie);
        let sides = slots(closed[0]) | self.back(slots(closed[1]), across);
        let mut count = 0;
        loop {
            let here = slots(open);
            let block = (here & self.back(here, across) & sides).first();
            if block == W::NONE {
                return (count, open);
            }
            count += 1;
            let block = self.dominoes(self.dominoes(block, across), lie);
            open = open & !(block | self.forth(block, across) | self.back(block, across));
        }
    }
}
