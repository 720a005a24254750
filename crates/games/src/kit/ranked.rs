//! Games whose positions are numbered. A table stores no positions. It has one cell for each
//! number, or two in a partizan game, one for each player to move.

use std::fmt::Debug;
use std::sync::Arc;

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_engine::RankedGame;
use grundy_engine::rules::Nature;
use grundy_engine::term::AnyTerm;
use grundy_graphs::implicit::dense::{
    self, DistributedSieve, Pass, PassQuantity, Predecessors, Ranked,
};

/// A game whose positions are numbered and whose predecessors can be enumerated. Retrograde
/// analysis can label its positions.
///
/// The cells of its table are numbered as those of a [`RankedGame`].
pub(crate) trait RetrogradeGame: Predecessors + Debug + Send + Sync {
    /// Returns the number of positions.
    fn positions(&self) -> u64;

    /// Returns the nature of the game, which is impartial by default.
    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    /// Returns the rank (the number) of the sum of `terms`, or `None` if this sum is not a position
    /// of the game.
    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Option<u64>;

    /// Returns the position with the rank `rank`.
    fn term(&self, rank: u64) -> Arc<dyn AnyTerm>;
}

/// An adapter that implements [`RankedGame`] for a [`RetrogradeGame`].
#[derive(Debug)]
pub(crate) struct RetrogradeAdapter<G>(pub(crate) G);

impl<G: RetrogradeGame> RankedGame for RetrogradeAdapter<G> {
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    fn nature(&self) -> Nature {
        self.0.nature()
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop> {
        Ok(self.0.rank_of(terms))
    }

    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop> {
        Ok(self.0.term(rank))
    }

    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        let turns = self.turns();
        let turn = u64::from(turns == 2 && player == Player::Right);
        // The cells of a partizan game alternate between the two turns: cell = rank * 2 + turn.
        self.0.options(rank * turns + turn, |cell| {
            ranks.push(cell / turns);
            true
        });
        Ok(())
    }

    fn resume(
        &self,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        resume_pass(&self.0, question, play, pass, limits)
    }

    fn sample(
        &self,
        cells: u64,
        question: PassQuantity,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let prefix = Prefix {
            game: &self.0,
            positions: cells.min(self.0.len()),
        };
        resume_pass(&prefix, question, play, pass, limits)
    }

    fn visits_every_option(&self, question: PassQuantity) -> bool {
        question != PassQuantity::Remoteness
    }

    fn sieved(&self) -> Option<&dyn DistributedSieve> {
        Some(&self.0)
    }
}

/// A game that consists of the positions of a larger game whose numbers are less than `positions`.
///
/// An option has a smaller number than its position, so all options of these positions are in the
/// smaller game, too.
struct Prefix<'a, G> {
    game: &'a G,
    positions: u64,
}

impl<G: Ranked> Ranked for Prefix<'_, G> {
    fn len(&self) -> u64 {
        self.positions
    }

    fn options(&self, position: u64, visit: impl FnMut(u64) -> bool) {
        self.game.options(position, visit);
    }

    /// Returns the number of positions between two checks of the limits, at most 4,096.
    fn poll_interval(&self) -> u64 {
        self.game.poll_interval().min(1 << 12)
    }
}

impl<G: Predecessors> Predecessors for Prefix<'_, G> {
    fn predecessors(&self, position: u64, mut visit: impl FnMut(u64)) {
        self.game.predecessors(position, |source| {
            // A position beyond the prefix may move into it.
            if source < self.positions {
                visit(source);
            }
        });
    }
}

/// Continues a pass, which computes the cells of the table of a game. The predecessors of each
/// position of the game can be enumerated.
///
/// Remoteness is computed by `dense::resume_sieve`, which visits only the moves to lost
/// positions. Outcomes and Grundy values are computed from the options of each position.
fn resume_pass<G: Predecessors>(
    game: &G,
    question: PassQuantity,
    play: Play,
    pass: &mut Pass,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    match question {
        PassQuantity::Remoteness => dense::resume_sieve(game, play, pass, limits),
        PassQuantity::Outcome | PassQuantity::Grundy => {
            dense::resume(game, question, play, pass, limits)
        }
    }
}
