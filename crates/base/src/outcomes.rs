//! The outcome and the remoteness of all positions of a game.

use crate::cells::Cells;
use crate::outcome::{Outcome, Play};

/// A table of the outcome and the remoteness of every position of a game. Positions are numbered
/// from 0. Every play must end, and the last move decides. A position takes one byte if all plays
/// are short.
///
/// The remoteness is the number of moves with best play, and its parity determines the winner. In
/// normal play the player to move wins if the remoteness is odd, and in misère play if it is even.
/// The table has one cell for each position, which contains the remoteness, plus one in misère
/// play. So a cell is odd if and only if the player to move wins.
#[derive(Clone, Debug)]
pub struct Outcomes {
    cells: Cells,
    /// The number that is added to the remoteness in a cell: 0 in normal play, 1 in misère play.
    /// `None` if the table has no remoteness.
    offset: Option<u32>,
}

impl Outcomes {
    /// Creates a table from its cells, each of which contains the remoteness, plus one in misère
    /// play.
    #[must_use]
    pub fn new(cells: Cells, play: Play) -> Self {
        let offset = Some(u32::from(play == Play::Misere));
        Self { cells, offset }
    }

    /// Creates a table without remoteness. A cell is 1 if the player to move wins, and otherwise 0.
    #[must_use]
    pub fn without_remoteness(cells: Cells) -> Self {
        Self {
            cells,
            offset: None,
        }
    }

    /// Returns whether the player to move wins in the position with this number.
    ///
    /// # Panics
    /// If the position does not exist.
    #[must_use]
    #[inline]
    pub fn wins(&self, position: u64) -> bool {
        self.cells.get(position) & 1 == 1
    }

    /// Returns the outcome.
    #[must_use]
    #[inline]
    pub fn outcome(&self, position: u64) -> Outcome {
        Outcome::from_win(self.wins(position))
    }

    /// Returns the remoteness of a position, or `None` if the table has no remoteness.
    #[must_use]
    #[inline]
    pub fn remoteness(&self, position: u64) -> Option<u32> {
        // This cannot underflow, since a cell in misère play is at least 1.
        self.offset.map(|offset| self.cells.get(position) - offset)
    }

    /// Returns whether the remoteness is stored.
    #[must_use]
    pub fn has_remoteness(&self) -> bool {
        self.offset.is_some()
    }

    /// Returns the cells, to be written to a file.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }
}
