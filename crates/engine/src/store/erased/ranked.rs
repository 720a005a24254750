//! The trait of games whose positions have ranks.

use std::fmt::Debug;
use std::sync::Arc;

use super::AnyTerm;
use crate::nature::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_graphs::implicit::dense::{DistributedSieve, Pass, PassQuantity};

/// All positions reachable from a start position, each with a rank. The ranks are the integers from
/// 0 to the number of positions minus 1.
///
/// [`Position::ranked`](crate::Position::ranked) returns a ranked game if the rules rank their
/// positions. A table of the game has one cell for each rank, if the players have the same moves or
/// the position records the player to move. Otherwise it has two cells for each rank i. Cell 2i is
/// for Left to move, and cell 2i + 1 is for Right to move.
///
/// ```
/// use grundy_core::implicit::dense::{Outcomes, Pass, PassQuantity};
/// use grundy_core::ruleset::chomp::Chomp;
/// use grundy_core::{Limits, Play, Position, Term};
///
/// let start = Position::from(Term::new(Chomp, vec![vec![4, 4, 4]]));
/// let game = start.ranked()?.expect("bars are numbered");
/// assert_eq!(game.positions(), 34);
/// let mut pass = Pass::default();
/// game.resume(PassQuantity::Remoteness, Play::Normal, &mut pass, &Limits::default())?;
/// let labels = Outcomes::new(pass.cells, Play::Normal);
/// let rank = game.rank(&start)?.expect("it is one of them");
/// assert!(labels.wins(rank));
/// assert_eq!(game.position(0)?.to_string(), "chomp(1)");
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub trait RankedGame: Debug + Send + Sync {
    /// Returns the number of positions.
    fn positions(&self) -> u64;

    /// Returns the kind of game.
    fn nature(&self) -> Nature;

    /// Returns whether each option of a position has a smaller rank than the position. If so, no
    /// position can repeat.
    fn is_topological(&self) -> bool {
        true
    }

    /// Returns the rank of the sum of some terms, or `None` if the sum is not one of the ranked
    /// positions.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop>;

    /// Returns the position with this rank, as one term.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Panics
    /// Panics if no position has this rank.
    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop>;

    /// Appends to `ranks` the ranks of the options of `player` in the position with the rank
    /// `rank`. A rank may occur several times. If both players have the same moves, `player` is
    /// ignored.
    ///
    /// # Errors
    /// Fails if the rules fail or give inconsistent answers.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop>;

    /// Starts or resumes a pass that visits all positions in the order of their ranks and computes
    /// the cells of a table. The last move must decide the game, and each option must have a
    /// smaller rank than its position. If a limit stops the pass, the next call resumes it.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with [`Stop::Rules`] if rules given at run time
    /// fail. Fails with [`Stop::Cyclic`] if an option may have a larger rank than its position, or
    /// if the last move does not decide the game.
    fn resume(
        &self,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Computes only the first `cells` cells of a table. The time and the memory that this takes
    /// serve to estimate the cost of the whole table.
    ///
    /// # Errors
    /// Fails like [`RankedGame::resume`].
    fn sample(
        &self,
        cells: u64,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Returns whether the pass that computes `question` for all positions (see
    /// [`RankedGame::resume`]) visits every option. A pass that works as a sieve visits only the
    /// moves to lost positions.
    fn visits_every_option(&self, question: PassQuantity) -> bool {
        let _ = question;
        true
    }

    /// Returns the game as a [`DistributedSieve`] game, for workers that share the table of a
    /// sieve. Returns `None` if the rules cannot list the positions from which a move leads to a
    /// given position.
    fn sieved(&self) -> Option<&dyn DistributedSieve> {
        None
    }

    /// Returns the number of cells of each position in a table, which is 1 or 2.
    fn turns(&self) -> u64 {
        self.nature().beginners().len() as u64
    }
}
