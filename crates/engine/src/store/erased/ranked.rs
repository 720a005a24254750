//! The trait of games with numbered positions.

use std::fmt::Debug;
use std::sync::Arc;

use super::AnyTerm;
use crate::nature::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_graphs::implicit::dense::{Pass, PassQuestion, Sieved};

/// All positions reachable from a first one, by their ranks 0, 1, ...
///
/// [`Position::ranked`](crate::Position::ranked) returns a ranked game if the rules number their
/// positions. A table has one cell per position if the players have the same moves or the position
/// records the turn. Otherwise it has two: for rank i, cell 2i with Left to move and cell 2i + 1
/// with Right to move.
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

    /// Returns the kind of the game.
    fn nature(&self) -> Nature;

    /// Returns whether every option has a smaller rank than its position, so that no position
    /// repeats.
    fn is_topological(&self) -> bool {
        true
    }

    /// Returns the rank of the sum of some terms if it is one of the positions.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop>;

    /// Returns the position of a rank as one term.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Panics
    /// Panics if there is no such rank.
    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop>;

    /// Appends the ranks of the options that `player` has, possibly with repetitions. If both
    /// players have the same moves, `player` is ignored.
    ///
    /// # Errors
    /// Rules that have no answer, or inconsistent answers.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop>;

    /// Continues a pass over all cells, in a game that the last move decides and whose options have
    /// smaller ranks. After a limit stops it, another call resumes it.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer. [`Stop::Cyclic`] if the ranks do
    /// not prove that plays end.
    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Runs a pass over the first cells only, as a sample of a table with `cells` cells.
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

    /// Returns whether a pass visits every option. A sieve visits only the options of lost
    /// positions.
    fn looks_at_every_option(&self, question: PassQuestion) -> bool {
        let _ = question;
        true
    }

    /// Returns the game for a sieve by workers that share its table, or `None` if moves cannot be
    /// retracted.
    fn sieved(&self) -> Option<&dyn Sieved> {
        None
    }

    /// Returns the number of cells of a position.
    fn turns(&self) -> u64 {
        self.nature().beginners().len() as u64
    }
}
