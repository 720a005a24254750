//! Families of games whose sums a quotient can decide: the heaps of a ruleset, or all positions
//! that can be reached from some starting positions.

use grundy_base::limits::Flow;

/// A callback that receives an option of a piece: the indices of the pieces that remain, in any
/// order.
pub type VisitPieces<'a> = &'a mut dyn FnMut(&[u32]) -> Flow;

/// A finite or infinite list of games, which are called pieces and have indices from 0. Each option
/// of a piece is a sum of earlier pieces.
pub trait Family {
    /// Returns the number of pieces in the family, or `None` if there are infinitely many.
    fn pieces(&self) -> Option<u32>;

    /// Visits every option of the piece with index `piece`.
    fn options(&mut self, piece: u32, visit: VisitPieces<'_>) -> Flow;

    /// Returns the number of kinds of pieces, if the family lists one piece of each kind in turn.
    /// For other families, returns 1. The period of a [`Repetition`](super::Repetition) must be a
    /// multiple of this number.
    fn pieces_per_round(&self) -> u32 {
        1
    }

    /// Returns the number m of pieces that prove a repetition. Suppose that the elements of the
    /// first m pieces in the quotient have period `period` from piece `preperiod` upward. Then the
    /// elements of all pieces do, too.
    ///
    /// Returns `None` if no theorem applies to the family.
    fn pieces_needed(&self, _preperiod: u32, _period: u32) -> Option<u64> {
        None
    }
}
