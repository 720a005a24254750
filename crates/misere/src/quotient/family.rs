//! Families of games whose sums a quotient decides: heaps of every size, or all that can be reached
//! from some positions.

use grundy_base::limits::Flow;

/// Receives what a move leaves: the pieces that are left, by number, in any order.
pub type VisitPieces<'a> = &'a mut dyn FnMut(&[u32]) -> Flow;

/// Pieces numbered from 0, the options of each being sums of earlier ones.
pub trait Family {
    /// How many pieces there are, where they are finitely many.
    fn pieces(&self) -> Option<u32>;

    /// Visits every option of a piece.
    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow;

    /// Pieces come in rounds of so many, of which the same games are seen again and again: a period
    /// is a number of rounds.
    fn round(&self) -> u32 {
        1
    }

    /// How many pieces must be known before their elements, which repeat after `period` pieces from
    /// number `preperiod` on, repeat for ever. `None` where no theorem says so.
    fn enough(&self, _preperiod: u32, _period: u32) -> Option<u64> {
        None
    }
}
