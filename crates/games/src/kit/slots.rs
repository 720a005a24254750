//! Counts of places for dominoes in a word: safe ones, those that can be spoilt, and room.

use super::grid::{Lie, Rows, Word};
use grundy_engine::move_counts::Reserve;

impl<W: Word> Rows<W> {
    /// Returns the first squares of as many dominoes as fit side by side.
    fn packed(self, squares: W, lie: Lie) -> W {
        let mut starts = W::zero();
        let mut next = squares & !self.forth(squares, lie);
        while next != W::zero() {
            let ends = self.forth(next, lie) & squares;
            starts = starts | self.back(ends, lie);
            next = self.forth(ends, lie) & squares;
        }
        starts
    }

    /// Returns the squares of dominoes.
    fn covered(self, starts: W, lie: Lie) -> W {
        starts | self.forth(starts, lie)
    }

    /// Counts places for dominoes beside `blocks`, whose squares are counted as taken.
    fn places(self, squares: W, lie: Lie, blocks: W) -> Places<W> {
        let starts = self.packed(squares, lie);
        let taken = self.covered(starts, lie) | blocks;
        let across = lie.across();
        let near = taken & (self.forth(taken, across) | self.back(taken, across));
        let touching = starts & (near | self.back(near, lie));
        Places {
            lonely: (starts & !touching).count_ones() as i32,
            touching: touching.count_ones() as i32,
            squares: taken,
        }
    }

    /// Returns the number of odd runs that meet some squares. One square of an odd run costs no
    /// room for dominoes along it.
    fn odd_runs(self, free: W, squares: W, lie: Lie) -> i32 {
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

    /// Returns the reserve of the player whose dominoes lie so.
    pub(crate) fn reserve(self, free: W, lie: Lie) -> Reserve {
        let across = lie.across();
        // Squares without a free one before them, and without one after them, along the dominoes of
        // the other player.
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

    /// Returns the number and the squares of some blocks of two by two with a closed side, no two
    /// of which a domino across touches. A domino on the other side makes the closed one safe.
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
            open = open & !(block | self.forth(block, across) | self.back(block, across));
        }
    }
}

/// Places for dominoes beside blocks.
struct Places<W> {
    /// Number of those of which a domino across spoils at most one.
    lonely: i32,
    /// Number of those that may be spoilt together with another or with a block.
    touching: i32,
    /// Their squares and those of the blocks.
    squares: W,
}
