//! The moves of a ranked game (whose rules number the positions), for the verification of a
//! tablebase.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use fastrand::Rng;
use grundy_core::limits::{Halt, stopped_early};
use grundy_core::{Diagnostic, Kind, Outcome, Play, RankedGame, message};
use grundy_tablebase::GameKind;
use grundy_tablebase::verify::Moves;

use super::{end, mover, option_entry};
use crate::probe::OpenTable;

/// Size of the sample of positions whose options by rank are compared with the options from the
/// rules.
const COMPARED: u64 = 1000;

/// A ranked game as a source of moves.
pub(super) struct RankedMoves {
    game: Arc<dyn RankedGame>,
    kind: GameKind,
    play: Play,
}

impl RankedMoves {
    /// Returns the ranked game of a tablebase as a source of moves. The options of a position are
    /// computed from its rank, which is faster than by the rules. First, both methods are compared
    /// on a sample of positions.
    pub(super) fn of(open: &OpenTable) -> Result<Self, Diagnostic> {
        let about = &open.manifest().about;
        let Some(game) = open.ranked() else {
            let message = message!("the positions of the tablebase have no ranks");
            return Err(Diagnostic::new(Kind::Internal, message));
        };
        let new = Self {
            game: Arc::clone(game),
            kind: about.kind,
            play: about.play,
        };
        // The seed is fixed, so that a verification can be repeated.
        let mut random = Rng::with_seed(0);
        for _ in 0..COMPARED.min(new.game.positions()) {
            new.compare(random.u64(..new.game.positions()))?;
        }
        Ok(new)
    }

    fn turns(&self) -> u64 {
        self.kind.turns().into()
    }

    /// Checks that the position of rank `rank` has the same options by rank as by the rules, and
    /// that its rank is indeed `rank`.
    fn compare(&self, rank: u64) -> Result<(), Diagnostic> {
        let position = self.game.position(rank)?;
        let other = |what| {
            let message = message!(
                "the ranks of the positions contradict the rules of the game at {what}",
                what
            );
            Diagnostic::new(Kind::Internal, message)
        };
        if self.game.rank(&position)? != Some(rank) {
            return Err(other(position.to_string()));
        }
        for turn in 0..self.turns() {
            let player = mover(self.kind, &position, turn);
            let mut ranks = Vec::new();
            self.game.options(player, rank, &mut ranks)?;
            let (mut expected, mut missing) = (BTreeSet::new(), None);
            let flow = position.moves(player, &mut |_, _, to| {
                match self.game.rank(&to()) {
                    Ok(Some(option)) => expected.insert(option),
                    Ok(None) => {
                        missing = Some(other(position.to_string()));
                        return ControlFlow::Break(Halt::Enough);
                    }
                    Err(stop) => return ControlFlow::Break(stop.into()),
                };
                ControlFlow::Continue(())
            });
            stopped_early(flow)?;
            if let Some(missing) = missing {
                return Err(missing);
            }
            // The options are compared as sets, because several moves may lead to the same
            // position.
            if expected != ranks.into_iter().collect() {
                return Err(other(position.to_string()));
            }
        }
        Ok(())
    }
}

impl Moves for RankedMoves {
    fn entries(&self) -> u64 {
        self.turns().saturating_mul(self.game.positions())
    }

    fn descends(&self) -> bool {
        self.game.is_topological()
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        let turns = self.turns();
        if turns == 1 {
            // The player is irrelevant in an impartial game. In a game with ties the position
            // determines the player to move.
            let player = self.game.nature().beginners()[0];
            return Ok(self.game.options(player, entry, to)?);
        }
        let (rank, turn) = (entry / turns, entry % turns);
        let player = self.game.nature().beginners()[turn as usize];
        let begin = to.len();
        self.game.options(player, rank, to)?;
        for option in &mut to[begin..] {
            *option = option_entry(*option, turns, turn);
        }
        Ok(())
    }

    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic> {
        if self.kind != GameKind::Ties {
            return Ok(Outcome::from_win(self.play == Play::Misere));
        }
        let position = self.game.position(entry / self.turns())?;
        let player = mover(self.kind, &position, entry % self.turns());
        end(&position, player, self.play)
    }
}
