//! Steps that several arguments share.

use crate::solve::WinningMove;
use grundy_base::player::Player;
use grundy_base::step::Step;

/// Returns a step with the code `left` or `right`, depending on the player.
pub(super) fn of(player: Player, left: &'static str, right: &'static str) -> Step {
    Step::new(player.of([left, right]))
}

/// Adds to the reason of a move the arithmetic progression of moves that it represents, if there
/// are several.
pub(super) fn repeated(step: Step, winning: &WinningMove) -> Step {
    match winning.repeats {
        Some(repeats) => step.with("step", repeats.step).with("count", repeats.count),
        None => step,
    }
}
