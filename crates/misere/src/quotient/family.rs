//! Families of games whose sums a quotient can decide: the heaps of a ruleset, or all positions
//! that can be reached from some starts.

use grundy_base::limits::Flow;

/// A callback that receives an option of a piece: the numbers of the pieces that remain, in any
/// order.
pub type VisitPieces<'a> = &'a mut dyn FnMut(&[u32]) -> Flow;

/// A finite or infinite list of pieces, numbered from 0. Each option of a piece is a sum of pieces
/// with smaller numbers.
pub trait Family {
    /// Returns the number of pieces in the family, or `None` if there are infinitely many.
    fn pieces(&self) -> Option<u32>;

    /// Visits every option of a piece, given by its number.
    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow;

    /// Returns the number of pieces in a round. Some families list one piece of each of several
    /// kinds, again and again. A period must be a multiple of this number.
    fn round(&self) -> u32 {
        1
    }

    /// Returns a number of pieces. If their elements repeat as described below, then the elements
    /// of all pieces repeat.
    ///
    /// The elements repeat with period `period` from piece `preperiod` upward. Returns `None` if no
    /// theorem applies to the family.
    fn enough(&self, _preperiod: u32, _period: u32) -> Option<u64> {
        None
    }
}
