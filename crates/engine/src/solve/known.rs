//! Labels that somebody knows: of everything that was reached, or of a whole game in a table.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::position::{Choice, Position};
use crate::solve::game_value::GameValue;
use grundy_base::limits::{Halt, Stop, ended};
use grundy_base::outcome::Outcome;
use grundy_base::player::Player;
use grundy_graphs::graph::Label;

/// Who knows labels of positions.
pub trait KnowsLabels: Debug {
    /// Returns the label of a position with `player` to move; nothing where it is not known.
    ///
    /// # Errors
    /// Rules that have no answer, a table that cannot be read.
    fn label_of(&self, position: &Position, player: Player) -> Result<Option<Label>, Stop>;

    /// Returns the value of a position, where it is known.
    ///
    /// # Errors
    /// As [`KnowsLabels::label_of`].
    fn value_of(&self, position: &Position) -> Result<Option<GameValue>, Stop> {
        let _ = position;
        Ok(None)
    }

    /// Returns whether the position and everything one move of `player` away have labels.
    ///
    /// # Errors
    /// As [`KnowsLabels::label_of`].
    fn knows(&self, position: &Position, player: Player) -> Result<bool, Stop> {
        if self.label_of(position, player)?.is_none() {
            return Ok(false);
        }
        let missing =
            ended(position.moves(
                player,
                &mut |_, _, to| match self.label_of(&to(), player.other()) {
                    Ok(Some(_)) => ControlFlow::Continue(()),
                    Ok(None) => ControlFlow::Break(Halt::Enough),
                    Err(stop) => ControlFlow::Break(stop.into()),
                },
            ))?;
        Ok(!missing)
    }

    /// Returns the best move of `player`: the quickest win, else a move that keeps the draw, else
    /// the longest loss. Nothing where there is no move, or where a position one move away has no
    /// label (see [`KnowsLabels::knows`]).
    ///
    /// Who always makes it wins every position that can be won.
    ///
    /// # Errors
    /// As [`KnowsLabels::label_of`].
    fn best(&self, position: &Position, player: Player) -> Result<Option<Choice>, Stop> {
        let mut best: Option<((u8, u32), Choice)> = None;
        let missing = ended(position.moves(player, &mut |component, name, to| {
            let to = to();
            let label = match self.label_of(&to, player.other()) {
                Ok(Some(label)) => label,
                Ok(None) => return ControlFlow::Break(Halt::Enough),
                Err(stop) => return ControlFlow::Break(stop.into()),
            };
            let moves = label.remoteness.unwrap_or(0);
            let rank = match label.outcome {
                Outcome::P => (0, moves),
                Outcome::D => (1, 0),
                Outcome::N => (2, !moves),
            };
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                let mv = name();
                best = Some((rank, Choice { component, mv, to }));
            }
            ControlFlow::Continue(())
        }))?;
        Ok(best.filter(|_| !missing).map(|(_, choice)| choice))
    }
}
