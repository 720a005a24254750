//! Counts of disjoint places for the dominoes of a player. Some places are safe, others can be
//! spoiled by the opponent.
//!
//! The proof that these counts bound the number of moves is in docs/theory.md, "Moves in reserve".

use super::grid::{Orientation, Steps, Word};
use grundy_engine::move_counts::Reserve;

impl<W: Word> Steps<W> {
    /// Returns the first squares of a largest set of dominoes in this orientation that fit into
    /// `squares` without overlap.
    fn packing(self, squares: W, orientation: Orientation) -> W {
        let mut starts = W::zero();
        // All runs are packed in parallel from their first squares, two squares in each round. For
        // a run of r squares this yields r / 2 dominoes, rounded down, which is the maximum.
        let mut next = squares & !self.forward(squares, orientation);
        while next != W::zero() {
            let ends = self.forward(next, orientation) & squares;
            starts = starts | self.back(ends, orientation);
            next = self.forward(ends, orientation) & squares;
        }
        starts
    }

    /// Returns the squares that the dominoes with these first squares cover.
    fn covered(self, starts: W, orientation: Orientation) -> W {
        starts | self.forward(starts, orientation)
    }

    /// Finds disjoint places for dominoes on `squares`. Counts separately the places that a domino
    /// of the opponent can spoil together with another place or a block.
    ///
    /// The set `blocks` contains the squares of the 2 by 2 blocks that `pairs` has chosen. It is
    /// disjoint from `squares`.
    fn places(self, squares: W, orientation: Orientation, blocks: W) -> Places<W> {
        let starts = self.packing(squares, orientation);
        let taken = self.covered(starts, orientation) | blocks;
        let across = orientation.other();
        // A domino of the opponent covers two squares that are adjacent across these lines. It
        // spoils two places only if squares of both places are adjacent in that direction.
        let near = taken & (self.forward(taken, across) | self.back(taken, across));
        let touching = starts & (near | self.back(near, orientation));
        Places {
            lonely: (starts & !touching).count_ones() as i32,
            touching: touching.count_ones() as i32,
            squares: taken,
        }
    }

    /// Returns the number of runs of `free` along `orientation` that have odd length and contain
    /// one of `squares`.
    ///
    /// An odd run can lose one square without losing room for a domino.
    fn odd_runs(self, free: W, squares: W, orientation: Orientation) -> i32 {
        // All runs are traversed in parallel. The set `touched` contains the current square of each
        // run that has contained one of `squares` so far. `odd` is `true` if the length so far is
        // odd.
        let (mut count, mut odd) = (0, true);
        let mut next = free & !self.forward(free, orientation);
        let mut touched = W::zero();
        while next != W::zero() {
            touched = touched | next & squares;
            let following = self.forward(next, orientation) & free;
            if odd {
                count += (touched & !self.back(following, orientation)).count_ones() as i32;
            }
            touched = self.forward(touched, orientation) & following;
            next = following;
            odd = !odd;
        }
        count
    }

    /// Returns the reserve of the player who places dominoes in the orientation `orientation`, that
    /// is, counts of disjoint places for these dominoes.
    pub(crate) fn reserve(self, free: W, orientation: Orientation) -> Reserve {
        let across = orientation.other();
        // Free squares without a free neighbour before them, across the direction of the dominoes,
        // and those without one after them. A domino on squares that are closed on both sides is
        // safe, since no domino of the opponent covers its squares.
        let closed = [
            free & !self.forward(free, across),
            free & !self.back(free, across),
        ];
        let safe = self.packing(closed[0] & closed[1], orientation);
        let against = self.packing(free, across).count_ones() as i32;
        let taken = self.covered(safe, orientation);
        let open = free & !taken;
        let counted = |paired: i32, places: Places<W>| Reserve {
            safe: safe.count_ones() as i32,
            paired,
            lonely: places.lonely,
            touching: places.touching,
            against,
            spare: self.odd_runs(free, taken | places.squares, across),
            ..Reserve::default()
        };
        // Pairs take squares that other places could use. Both choices give valid bounds, so the
        // better bound is used.
        let plain = counted(0, self.places(open, orientation, W::zero()));
        let (paired, blocks) = self.pairs(open, closed, orientation);
        if paired == 0 {
            return plain;
        }
        let with_pairs = counted(paired, self.places(open & !blocks, orientation, blocks));
        let moves = |reserve: &Reserve| reserve.moves(true) + reserve.moves(false);
        if moves(&with_pairs) > moves(&plain) {
            with_pairs
        } else {
            plain
        }
    }

    /// Chooses some 2 by 2 blocks, each closed on one side parallel to `orientation`: no square
    /// beyond this side is free. Returns the number of the blocks and the set of their squares.
    ///
    /// A domino on the open side of such a block makes the closed side safe. No domino of the
    /// opponent touches two of the blocks.
    fn pairs(self, mut open: W, closed: [W; 2], orientation: Orientation) -> (i32, W) {
        let across = orientation.other();
        let starts_in = |squares: W| self.dominoes(squares, orientation);
        let sides = starts_in(closed[0]) | self.back(starts_in(closed[1]), across);
        let (mut count, mut blocks) = (0, W::zero());
        loop {
            let here = starts_in(open);
            let block = (here & self.back(here, across) & sides).lowest();
            if block == W::zero() {
                return (count, blocks);
            }
            count += 1;
            let block = self.covered(self.covered(block, across), orientation);
            blocks = blocks | block;
            // Squares next to the block are removed, too, so that the next block is not adjacent to
            // this one.
            open = open & !(block | self.forward(block, across) | self.back(block, across));
        }
    }
}

/// Places for dominoes. No two places share a square.
struct Places<W> {
    /// Number of places that an opposing domino cannot spoil together with another place or a 2 by
    /// 2 block chosen by `pairs`.
    lonely: i32,
    /// Number of places that an opposing domino may spoil together with another place or a 2 by 2
    /// block chosen by `pairs`.
    touching: i32,
    /// The squares of the places, and of the 2 by 2 blocks chosen by `pairs`.
    squares: W,
}
