//! Places for dominoes on a set of squares, counted in words: what is safe, what can be spoilt, and how much room there is.

use super::grid::{Lie, Rows, Word};
use grundy_engine::move_counts::Reserve;

impl<W: Word> Rows<W> {
    /// As many dominoes side by side as there is room for, by their first squares.
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

    fn covered(self, starts: W, lie: Lie) -> W {
        starts | self.forth(starts, lie)
    }

    /// Places for dominoes that lie so, beside blocks that are counted: how many of them one across could spoil one at a time, how many
    /// together with another place, and the squares of all.
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

    /// How many odd runs meet some squares: one of these costs nothing of the room for dominoes that lie along the runs.
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

    /// What who places dominoes so has in reserve.
    pub(crate) fn reserve(self, free: W, lie: Lie) -> Reserve {
        let across = lie.across();
        // Squares with no free one before them, and with none after them, in the direction of the other player's dominoes.
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

    /// Blocks of two by two of which one side is closed: whoever has a domino on the other side has a safe place on this one. How many
    /// there are that no domino across touches two of, and their squares.
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
    /// Those that are spoilt one at a time.
    lonely: i32,
    /// Those of which one may be spoilt together with another or with a block.
    touching: i32,
    /// All squares of them and of the blocks.
    squares: W,
}
