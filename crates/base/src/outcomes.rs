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
    ///
    /// ```
    /// use grundy_base::{Cells, Outcome, Outcomes, Play};
    /// // Heaps of 0 to 4 chips. A move takes one or two chips.
    /// let normal = Outcomes::new(Cells::from(vec![0, 1, 1, 2, 3]), Play::Normal);
    /// assert_eq!((normal.outcome(3), normal.remoteness(3)), (Outcome::P, Some(2)));
    /// let misere = Outcomes::new(Cells::from(vec![1, 2, 3, 3, 4]), Play::Misere);
    /// assert_eq!((misere.outcome(3), misere.remoteness(3)), (Outcome::N, Some(2)));
    /// ```
    #[must_use]
    pub fn new(cells: Cells, play: Play) -> Self {
        let offset = Some(u32::from(play == Play::Misere));
        Self { cells, offset }
    }

    /// Creates a table without remoteness. A cell is 1 if the player to move wins, and otherwise 0.
    ///
    /// ```
    /// use grundy_base::{Cells, Outcome, Outcomes};
    /// // Heaps of 0 to 4 chips. A move takes one or two chips.
    /// let table = Outcomes::without_remoteness(Cells::from(vec![0, 1, 1, 0, 1]));
    /// assert_eq!((table.outcome(3), table.remoteness(3)), (Outcome::P, None));
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Cells, Outcomes, Play};
    /// // Heaps of 0 to 4 chips. A move takes one or two chips.
    /// let table = Outcomes::new(Cells::from(vec![0, 1, 1, 2, 3]), Play::Normal);
    /// assert!(table.wins(4));
    /// assert!(!table.wins(3));
    /// ```
    #[must_use]
    #[inline]
    pub fn wins(&self, position: u64) -> bool {
        self.cells.get(position) & 1 == 1
    }

    /// Returns the outcome.
    ///
    /// ```
    /// use grundy_base::{Cells, Outcome, Outcomes, Play};
    /// // Heaps of 0 to 4 chips. A move takes one or two chips.
    /// let table = Outcomes::new(Cells::from(vec![0, 1, 1, 2, 3]), Play::Normal);
    /// assert_eq!((table.outcome(3), table.outcome(4)), (Outcome::P, Outcome::N));
    /// ```
    #[must_use]
    #[inline]
    pub fn outcome(&self, position: u64) -> Outcome {
        Outcome::from_win(self.wins(position))
    }

    /// Returns the remoteness of a position, or `None` if the table has no remoteness.
    ///
    /// ```
    /// use grundy_base::{Cells, Outcomes, Play};
    /// // Heaps of 0 to 4 chips in misère play. A move takes one or two chips.
    /// let table = Outcomes::new(Cells::from(vec![1, 2, 3, 3, 4]), Play::Misere);
    /// assert_eq!((table.remoteness(0), table.remoteness(4)), (Some(0), Some(3)));
    /// ```
    #[must_use]
    #[inline]
    pub fn remoteness(&self, position: u64) -> Option<u32> {
        // This cannot underflow, since a cell in misère play is at least 1.
        self.offset.map(|offset| self.cells.get(position) - offset)
    }

    /// Returns whether the remoteness is stored.
    ///
    /// ```
    /// use grundy_base::{Cells, Outcomes, Play};
    /// let cells = Cells::from(vec![0, 1, 1, 2, 3]);
    /// assert!(Outcomes::new(cells.clone(), Play::Normal).has_remoteness());
    /// assert!(!Outcomes::without_remoteness(cells).has_remoteness());
    /// ```
    #[must_use]
    pub fn has_remoteness(&self) -> bool {
        self.offset.is_some()
    }

    /// Returns the cells, to be written to a file.
    ///
    /// ```
    /// use grundy_base::{Cells, Outcomes, Play};
    /// // Heaps of 0 to 4 chips in misère play. A move takes one or two chips.
    /// let table = Outcomes::new(Cells::from(vec![1, 2, 3, 3, 4]), Play::Misere);
    /// assert_eq!(table.cells().get(4), table.remoteness(4).unwrap() + 1);
    /// ```
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }
}
