//! The trait of games whose positions have ranks.

use std::fmt::Debug;
use std::sync::Arc;

use super::AnyTerm;
use crate::nature::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_graphs::implicit::dense::{Pass, PassQuestion, Sieved};

/// All positions reachable from a start position, each with a rank 0, 1, ...
///
/// [`Position::ranked`](crate::Position::ranked) returns a ranked game if the rules rank their
/// positions. A table of such a game has one cell for each rank if the players have the same moves
/// or the position records the turn. Otherwise rank i has two cells: 2i with Left to move, and
/// 2i + 1 with Right to move.
///
/// ```
/// use grundy::implicit::dense::{Outcomes, Pass, PassQuestion};
/// use grundy::ruleset::chomp::Chomp;
/// use grundy::{Limits, Play, Position, Term};
///
/// let start = Position::from(Term::new(Chomp, vec![vec![4, 4, 4]]));
/// let game = start.ranked()?.expect("bars are numbered");
/// assert_eq!(game.positions(), 34);
/// let mut pass = Pass::default();
/// game.go_on(PassQuestion::Remoteness, Play::Normal, &mut pass, &Limits::default())?;
/// let labels = Outcomes::new(pass.cells, Play::Normal);
/// let rank = game.rank(&start)?.expect("it is one of them");
/// assert!(labels.wins(rank));
/// assert_eq!(game.position(0)?.to_string(), "chomp(1)");
/// # Ok::<(), grundy::Stop>(())
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

    /// Returns the rank of the sum of some terms, or `None` if the sum is not one of the positions.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop>;

    /// Returns the position with this rank, as one term.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Panics
    /// Panics if no position has this rank.
    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop>;

    /// Appends to `ranks` the ranks of the options of `player` in a position. Ranks may occur
    /// repeatedly. If both players have the same moves, `player` is ignored.
    ///
    /// # Errors
    /// The rules fail or give inconsistent answers.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop>;

    /// Continues a pass that computes the cells of all positions. The last move must decide the
    /// game, and options must have smaller ranks. If a limit stops the pass, the next call resumes
    /// it.
    ///
    /// # Errors
    /// The limit that was reached, or the error of the rules. [`Stop::Cyclic`] if the ranks do not
    /// prove that every play ends.
    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Runs a pass over the first cells only, as a sample for a table with `cells` cells.
    ///
    /// # Errors
    /// The errors of [`RankedGame::go_on`].
    fn beginning(
        &self,
        cells: u64,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Returns whether a pass for this question visits every option. A sieve visits only the
    /// options of lost positions.
    fn looks_at_every_option(&self, question: PassQuestion) -> bool {
        let _ = question;
        true
    }

    /// Returns the game in a form for workers that share the table of a sieve. Returns `None` if
    /// the rules cannot compute moves backwards.
    fn sieved(&self) -> Option<&dyn Sieved> {
        None
    }

    /// Returns the number of cells of each position, 1 or 2.
    fn turns(&self) -> u64 {
        self.nature().beginners().len() as u64
    }
}
