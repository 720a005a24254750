//! Options of a position, from its moves alone.

use std::ops::ControlFlow;

use grundy_core::{Player, Position};

/// Returns the positions that a player can move to.
pub(crate) fn options(position: &Position, player: Player) -> Vec<Position> {
    let mut options = Vec::new();
    let _ = position.moves(player, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    options
}
