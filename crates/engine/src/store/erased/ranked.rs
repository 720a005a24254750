//! The trait of games whose positions are numbered.

use std::fmt::Debug;
use std::sync::Arc;

use super::AnyTerm;
use crate::nature::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_graphs::implicit::dense::{Pass, PassQuestion, Sieved};

/// All positions of a game up to a first one, by their ranks 0, 1, ... :
/// [`Position::ranked`](crate::Position::ranked) gives one where the rules number their positions.
///
/// A table has one cell for each position where the players have the same moves or the position
/// says whose turn it is. Where either may begin and that makes a difference it has two: for rank
/// i, cell 2i with Left to move and 2i + 1 with Right.
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
    /// How many positions there are.
    fn positions(&self) -> u64;

    /// What kind of game it is.
    fn nature(&self) -> Nature;

    /// Returns whether options have smaller ranks than what they are options of, so that no
    /// position comes back.
    fn is_topological(&self) -> bool {
        true
    }

    /// Returns the rank of the position that is the sum of some terms, if it has one.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop>;

    /// Returns the position of a rank, which is one term.
    ///
    /// # Errors
    /// Rules that have no answer.
    ///
    /// # Panics
    /// When there is no such rank.
    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop>;

    /// Appends the ranks of the options that `player` has, perhaps some of them more than once;
    /// where both have the same moves the player is of no account.
    ///
    /// # Errors
    /// Rules that have no answer, or whose answers do not fit together.
    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop>;

    /// Goes on with a pass over all cells, in a game in which the last move decides and options
    /// have smaller ranks. Stopped by the limits it can be gone on with.
    ///
    /// # Errors
    /// The limit that was reached, rules that have no answer; [`Stop::Cyclic`] where ranks do not
    /// say that plays end.
    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// The same for the first cells alone, as a sample of what is to come: a table of so many.
    ///
    /// # Errors
    /// As [`RankedGame::go_on`].
    fn beginning(
        &self,
        cells: u64,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Returns whether a pass looks at every option: a sieve only at those of lost positions.
    fn looks_at_every_option(&self, question: PassQuestion) -> bool {
        let _ = question;
        true
    }

    /// Returns the game as workers sift it that share its table; nothing where moves cannot be
    /// taken back.
    fn sieved(&self) -> Option<&dyn Sieved> {
        None
    }

    /// How many cells a position has.
    fn turns(&self) -> u64 {
        self.nature().beginners().len() as u64
    }
}
