//! A trait for sources of labels (outcomes and remotenesses). The source is retrograde analysis, or
//! the table of a whole game.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::position::{Choice, Position};
use crate::solve::game_value::GameValue;
use grundy_base::limits::{Halt, Stop, stopped_early};
use grundy_base::outcome::Outcome;
use grundy_base::player::Player;
use grundy_graphs::graph::Label;

/// A source of labels. A label contains the outcome and the remoteness of a position. A source may
/// know the labels of only some positions.
pub trait LabelSource: Debug {
    /// Returns the label of a position with `player` to move, or `None` if it is not known.
    ///
    /// # Errors
    /// Fails with the error of the rules, or if a table cannot be read.
    fn label_of(&self, position: &Position, player: Player) -> Result<Option<Label>, Stop>;

    /// Returns the value of a position, or `None` if it is not known.
    ///
    /// # Errors
    /// Fails like [`LabelSource::label_of`].
    fn value_of(&self, position: &Position) -> Result<Option<GameValue>, Stop> {
        let _ = position;
        Ok(None)
    }

    /// Returns whether the labels of the position and of all options of `player` are known.
    ///
    /// # Errors
    /// Fails like [`LabelSource::label_of`].
    fn covers(&self, position: &Position, player: Player) -> Result<bool, Stop> {
        if self.label_of(position, player)?.is_none() {
            return Ok(false);
        }
        let missing = stopped_early(position.moves(player, &mut |_, _, to| {
            match self.label_of(&to(), player.other()) {
                Ok(Some(_)) => ControlFlow::Continue(()),
                Ok(None) => ControlFlow::Break(Halt::Enough),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        }))?;
        Ok(!missing)
    }

    /// Returns the best move of `player`: the quickest win, else a move that keeps the draw, else
    /// the longest loss. A player who always makes this move wins from every winning position.
    ///
    /// Returns `None` if there is no move, or if the label of an option is not known (see
    /// [`LabelSource::covers`]).
    ///
    /// # Errors
    /// Fails like [`LabelSource::label_of`].
    fn best(&self, position: &Position, player: Player) -> Result<Option<Choice>, Stop> {
        let mut best: Option<((u8, u32), Choice)> = None;
        let missing = stopped_early(position.moves(player, &mut |component, name, to| {
            let to = to();
            let label = match self.label_of(&to, player.other()) {
                Ok(Some(label)) => label,
                Ok(None) => return ControlFlow::Break(Halt::Enough),
                Err(stop) => return ControlFlow::Break(stop.into()),
            };
            // The move with the least rank is best. A move to a P-position wins, and the quickest
            // win is best. A move to an N-position loses, and the longest loss is best, so
            // complement the remoteness. A game that never ends is the longest.
            let moves = label.remoteness.unwrap_or(u32::MAX);
            let rank = match label.outcome {
                Outcome::P => (0, moves),
                Outcome::D => (1, 0),
                Outcome::N => (2, !moves),
            };
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                let mv = name();
                best = Some((rank, Choice { component, mv, to }));
            }
            ControlFlow::Continue(())
        }))?;
        Ok(best.filter(|_| !missing).map(|(_, choice)| choice))
    }
}
