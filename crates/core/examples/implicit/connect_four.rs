//! Connect Four on a small board: four in a row win, and a full board is a draw.
//!
//! The bit layout is due to J. Tromp and others. Each column has one bit more than there are rows,
//! so that no line continues from the top of a column into the next column.

use grundy_core::Game;
use grundy_core::implicit::pruned::ScoredGame;

/// A board size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectFour {
    /// Number of columns.
    pub(crate) columns: u32,
    /// Number of rows.
    pub(crate) rows: u32,
}

/// The stones of the player to move, and all stones, as sets of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    mine: u64,
    all: u64,
}

impl ConnectFour {
    fn column(self, column: u32) -> u64 {
        ((1 << self.rows) - 1) << (column * (self.rows + 1))
    }

    fn is_full(self, board: Board) -> bool {
        board.all.count_ones() == self.columns * self.rows
    }

    /// Returns whether four of the stones are in a line.
    pub(crate) fn has_four_in_line(self, stones: u64) -> bool {
        let height = self.rows + 1;
        // The distances in bits between neighbours in the four directions: a column, both
        // diagonals, and a row.
        [1, height - 1, height, height + 1].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    fn mirrored(self, stones: u64) -> u64 {
        let (height, mask) = (self.rows + 1, (1 << (self.rows + 1)) - 1);
        let columns = (0..self.columns).map(|column| {
            (stones >> (column * height) & mask) << ((self.columns - 1 - column) * height)
        });
        columns.fold(0, |all, column| all | column)
    }
}

impl Game for ConnectFour {
    type Position = Board;

    fn options(&self, board: &Board) -> impl IntoIterator<Item = Board> {
        let columns = if self.terminal_score(board).is_some() {
            0
        } else {
            self.columns
        };
        // Try the columns from the middle outwards. Stones there are part of more lines, so they
        // refute more moves.
        (0..columns).filter_map(|k| {
            let (middle, distance) = (self.columns / 2, k.div_ceil(2));
            let column = if k % 2 == 0 {
                middle + distance
            } else {
                middle - distance
            };
            let column = column % self.columns;
            let free = self.column(column) & !board.all;
            // The lowest free bit of a column is the square where a stone lands.
            let stone = free & free.wrapping_neg();
            (free != 0).then_some(Board {
                mine: board.all & !board.mine,
                all: board.all | stone,
            })
        })
    }

    fn symmetry(&self, board: Board) -> Board {
        let mirror = Board {
            mine: self.mirrored(board.mine),
            all: self.mirrored(board.all),
        };
        if (mirror.all, mirror.mine) < (board.all, board.mine) {
            mirror
        } else {
            board
        }
    }
}

impl ScoredGame for ConnectFour {
    fn terminal_score(&self, board: &Board) -> Option<i16> {
        // Only the player who has just moved can have completed a line.
        if self.has_four_in_line(board.all & !board.mine) {
            return Some(-1);
        }
        self.is_full(*board).then_some(0)
    }

    fn bounds(&self, _: &Board) -> (i16, i16) {
        (-1, 1)
    }
}
