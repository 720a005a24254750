//! Counts of the places for dominoes: safe places, places that the opponent can spoil, and all
//! places that fit.
//!
//! The proof that these counts bound the number of moves is in docs/theory.md, "Moves in reserve".

use super::grid::{Lie, Rows, Word};
use grundy_engine::move_counts::Reserve;

impl<W: Word> Rows<W> {
    /// Returns the first squares of a largest set of dominoes in the orientation `lie` that fit
    /// into `squares` without overlap.
    fn packed(self, squares: W, lie: Lie) -> W {
        let mut starts = W::zero();
        // All runs are packed in parallel from their first squares, two squares in each round. For
        // a run of r squares this yields r / 2 dominoes, rounded down, which is the maximum.
        let mut next = squares & !self.forth(squares, lie);
        while next != W::zero() {
            let ends = self.forth(next, lie) & squares;
            starts = starts | self.back(ends, lie);
            next = self.forth(ends, lie) & squares;
        }
        starts
    }

    /// Returns the squares that the dominoes with these first squares cover.
    fn covered(self, starts: W, lie: Lie) -> W {
        starts | self.forth(starts, lie)
    }

    /// Finds places for dominoes on `squares`. Counts separately the places that a domino of the
    /// opponent can spoil together with another place.
    ///
    /// The squares of `blocks` count as taken.
    fn places(self, squares: W, lie: Lie, blocks: W) -> Places<W> {
        let starts = self.packed(squares, lie);
        let taken = self.covered(starts, lie) | blocks;
        let across = lie.across();
        // A domino of the opponent covers two squares that are adjacent across these lines. It
        // spoils two places only if squares of both places are adjacent in that direction.
        let near = taken & (self.forth(taken, across) | self.back(taken, across));
        let touching = starts & (near | self.back(near, lie));
        Places {
            lonely: (starts & !touching).count_ones() as i32,
            touching: touching.count_ones() as i32,
            squares: taken,
        }
    }

    /// Returns the number of runs of `free` along `lie` that have odd length and contain one of
    /// `squares`.
    ///
    /// An odd run can lose one square without losing room for a domino.
    fn odd_runs(self, free: W, squares: W, lie: Lie) -> i32 {
        // All runs advance in parallel. The set `met` marks the current square of each run that has
        // contained one of `squares`. `odd` is `true` if the length so far is odd.
        let (mut count, mut odd) = (0, true);
        let mut next = free & !self.forth(free, lie);
        let mut met = W::zero();
        while next != W::zero() {
            met = met | next & squares;
            let further = self.forth(next, lie) & free;
            if odd {
                count += (met & !self.back(further, lie)).count_ones() as i32;
            }
            met = self.forth(met, lie) & further;
            next = further;
            odd = !odd;
        }
        count
    }

    /// Returns the reserve of the player who places dominoes in the orientation `lie`.
    pub(crate) fn reserve(self, free: W, lie: Lie) -> Reserve {
        let across = lie.across();
        // Free squares without a free neighbour before them, across the direction of the dominoes,
        // and those without one after them. A domino on squares that are closed on both sides is
        // safe, since no domino of the opponent covers its squares.
        let closed = [
            free & !self.forth(free, across),
            free & !self.back(free, across),
        ];
        let safe = self.packed(closed[0] & closed[1], lie);
        let against = self.packed(free, across).count_ones() as i32;
        let taken = self.covered(safe, lie);
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
        let plain = counted(0, self.places(open, lie, W::zero()));
        let (paired, blocks) = self.pairs(open, closed, lie);
        if paired == 0 {
            return plain;
        }
        let with_pairs = counted(paired, self.places(open & !blocks, lie, blocks));
        let moves = |reserve: &Reserve| reserve.moves(true) + reserve.moves(false);
        if moves(&with_pairs) > moves(&plain) {
            with_pairs
        } else {
            plain
        }
    }

    /// Chooses some 2 by 2 blocks, each closed on one side. Returns their number and their squares.
    ///
    /// A domino on the open side of such a block makes the closed side safe. No domino of the
    /// opponent touches two of the blocks.
    fn pairs(self, mut open: W, closed: [W; 2], lie: Lie) -> (i32, W) {
        let across = lie.across();
        let slots = |squares: W| self.dominoes(squares, lie);
        let sides = slots(closed[0]) | self.back(slots(closed[1]), across);
        let (mut count, mut blocks) = (0, W::zero());
        loop {
            let here = slots(open);
            let block = (here & self.back(here, across) & sides).lowest();
            if block == W::zero() {
                return (count, blocks);
            }
            count += 1;
            let block = self.covered(self.covered(block, across), lie);
            blocks = blocks | block;
            // Squares next to the block are removed, too, so that the next block is not adjacent to
            // this one.
            open = open & !(block | self.forth(block, across) | self.back(block, across));
        }
    }
}

/// Places for dominoes. No two places share a square.
struct Places<W> {
    /// Number of places that an opposing domino cannot spoil together with another place or a
    /// block.
    lonely: i32,
    /// Number of places that an opposing domino may spoil together with another place or a block.
    touching: i32,
    /// The squares of the places and of the blocks.
    squares: W,
}
