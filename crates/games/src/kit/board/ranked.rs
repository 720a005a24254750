//! Ranks of all boards that result from a given first board if some of its free squares are
//! blocked.
//!
//! A rank is a set of bits, one for each free square of the first board. A domino clears two bits,
//! so options have smaller ranks.

use std::sync::Arc;

use super::{Board, Grid, Orientation};
use crate::kit::ranked::RetrogradeGame;
use grundy_engine::rules::{Nature, Ruleset};
use grundy_engine::term::{AnyTerm, parts_of};
use grundy_graphs::implicit::dense::{Predecessors, Ranked};

/// Maximal number of free squares. A table for more squares does not fit in memory.
const MAX_FREE_SQUARES: usize = 48;

/// A numbering of the boards that result from a first board if free squares are blocked. Bit i of
/// the rank of a board (its number) is set if the i-th free square of the first board is free.
#[derive(Debug)]
pub(crate) struct FreeSquares {
    width: usize,
    height: usize,
    /// The free squares of the first board, row by row.
    squares: Vec<(usize, usize)>,
    /// For each player, the dominoes that the player may place, as sets of two bits. Impartial
    /// games have one list for both players.
    dominoes: Vec<Vec<u64>>,
    nature: Nature,
    term: fn(Board) -> Arc<dyn AnyTerm>,
    parts: fn(&[Arc<dyn AnyTerm>]) -> Option<&[Board]>,
}

impl FreeSquares {
    /// Numbers the boards whose free squares are also free on `first`. Returns `None` if `first`
    /// has more than [`MAX_FREE_SQUARES`] free squares.
    ///
    /// `orientations` contains, for each player, the orientations of the dominoes that the player
    /// may place. Impartial games have one entry for both players. Some of the boards cannot be
    /// reached from the first one.
    pub(crate) fn new<R: Ruleset<Part = Board>>(
        first: &Board,
        nature: Nature,
        orientations: &[&[Orientation]],
        term: fn(Board) -> Arc<dyn AnyTerm>,
    ) -> Option<Self> {
        let (width, height) = first.size();
        let all = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        // One square more than allowed is enough to detect that the board is too large.
        let free = all.filter(|&(row, column)| first.is_free(row, column));
        let squares: Vec<_> = free.take(MAX_FREE_SQUARES + 1).collect();
        if squares.len() > MAX_FREE_SQUARES {
            return None;
        }
        let bit = |square: (usize, usize)| squares.iter().position(|&other| other == square);
        let domino = |&(row, column): &(usize, usize), orientation: Orientation| {
            let other = match orientation {
                Orientation::Horizontal => (row, column + 1),
                Orientation::Vertical => (row + 1, column),
            };
            Some(1 << bit((row, column))? | 1 << bit(other)?)
        };
        let dominoes = orientations.iter().map(|orientations| {
            let all = squares.iter().flat_map(|square| {
                orientations
                    .iter()
                    .filter_map(|&orientation| domino(square, orientation))
            });
            all.collect()
        });
        Some(Self {
            width,
            height,
            dominoes: dominoes.collect(),
            squares,
            nature,
            term,
            parts: parts_of::<R>,
        })
    }

    /// Decodes the index of a cell of the table. Returns the dominoes of the player to move, the
    /// free squares as a rank, and the index of the next player.
    ///
    /// The index of a cell is the rank times the length of `dominoes` (1 in impartial games,
    /// otherwise 2), plus the index of the player to move. In impartial games the latter is always
    /// 0.
    #[inline]
    fn decode(&self, cell: u64) -> (&[u64], u64, u64) {
        let turns = self.dominoes.len() as u64;
        let turn = cell % turns;
        (
            &self.dominoes[turn as usize],
            cell / turns,
            (turn + 1) % turns,
        )
    }
}

impl Ranked for FreeSquares {
    fn len(&self) -> u64 {
        (self.dominoes.len() as u64) << self.squares.len()
    }

    #[inline]
    fn options(&self, cell: u64, mut visit: impl FnMut(u64) -> bool) {
        let (dominoes, free, next) = self.decode(cell);
        for domino in dominoes {
            if free & domino == *domino
                && !visit((free ^ domino) * self.dominoes.len() as u64 + next)
            {
                return;
            }
        }
    }
}

impl Predecessors for FreeSquares {
    #[inline]
    fn predecessors(&self, cell: u64, mut visit: impl FnMut(u64)) {
        let turns = self.dominoes.len() as u64;
        let (free, before) = (cell / turns, (cell + turns - 1) % turns);
        for domino in &self.dominoes[before as usize] {
            if free & domino == 0 {
                visit((free | domino) * turns + before);
            }
        }
    }

    /// Returns the number of cells in a stretch, which is the part of the table that one worker
    /// fills. In a stretch only the lowest bits of the rank vary: half of all bits, but at most 16.
    fn stretch(&self) -> u64 {
        (self.dominoes.len() as u64) << (self.squares.len() / 2).min(16)
    }

    /// Returns the number of free squares in the upper part of the rank, that is, among the bits
    /// that are constant within the stretch.
    ///
    /// A domino clears a bit of the upper part, or both its squares are in the lower part, which
    /// varies within the stretch. Hence a move decreases this number or stays in the stretch.
    fn height(&self, stretch: u64) -> u64 {
        stretch.count_ones().into()
    }
}

impl RetrogradeGame for FreeSquares {
    fn positions(&self) -> u64 {
        1 << self.squares.len()
    }

    fn nature(&self) -> Nature {
        self.nature
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Option<u64> {
        let [board] = (self.parts)(terms)? else {
            return None;
        };
        if board.size() != (self.width, self.height) {
            return None;
        }
        let squares = (0..).zip(&self.squares);
        let rank = squares.fold(0u64, |rank, (bit, &(row, column))| {
            rank | u64::from(board.is_free(row, column)) << bit
        });
        // A square that is blocked on the first board has no bit. If it is free on `board`, that
        // board has no rank.
        let free = |row| {
            (0..self.width)
                .filter(move |&column| board.is_free(row, column))
                .count()
        };
        let all: usize = (0..self.height).map(free).sum();
        (rank.count_ones() as usize == all).then_some(rank)
    }

    fn term(&self, rank: u64) -> Arc<dyn AnyTerm> {
        let mut grid = Grid::blocked(self.width, self.height);
        for (bit, &(row, column)) in (0..).zip(&self.squares) {
            grid.set(row, column..column + 1, rank >> bit & 1 == 1);
        }
        (self.term)(Board::Full(grid))
    }
}
