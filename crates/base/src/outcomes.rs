//! Who wins and in how many moves, for all positions of a game at once.

use crate::cells::Cells;
use crate::outcome::{Outcome, Play};

/// Outcomes and remoteness of positions that are numbered from 0, a byte a position where plays are
/// short. Every play ends, and the last move decides.
///
/// The number of moves says who wins: in normal play an odd number is won by the player to move, in
/// misère play an even one. So a cell holds the remoteness, in misère play one more, and is odd
/// exactly where the player to move wins.
#[derive(Clone, Debug)]
pub struct Outcomes {
    cells: Cells,
    /// How much more than the remoteness a cell holds; nothing in a table without remoteness, which
    /// holds 1 and 0.
    more: Option<u32>,
}

impl Outcomes {
    /// Returns a table from its cells: the remoteness, in misère play one more.
    #[must_use]
    pub fn new(cells: Cells, play: Play) -> Self {
        let more = Some(u32::from(play == Play::Misere));
        Self { cells, more }
    }

    /// Returns a table without remoteness: 1 where the player to move wins, else 0.
    #[must_use]
    pub fn without_remoteness(cells: Cells) -> Self {
        Self { cells, more: None }
    }

    /// Returns whether the player to move wins.
    ///
    /// # Panics
    /// When there is no such position, as below.
    #[must_use]
    #[inline]
    pub fn wins(&self, position: u64) -> bool {
        self.cells.get(position) & 1 == 1
    }

    /// Who wins.
    #[must_use]
    #[inline]
    pub fn outcome(&self, position: u64) -> Outcome {
        Outcome::from_win(self.wins(position))
    }

    /// Moves left; nothing in a table without remoteness.
    #[must_use]
    #[inline]
    pub fn remoteness(&self, position: u64) -> Option<u32> {
        self.more.map(|more| self.cells.get(position) - more)
    }

    /// Returns whether the numbers of moves are known.
    #[must_use]
    pub fn has_remoteness(&self) -> bool {
        self.more.is_some()
    }

    /// Returns the cells, for storing them.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }
}
