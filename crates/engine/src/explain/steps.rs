//! Steps that several arguments have in common.

use crate::solve::WinningMove;
use grundy_base::player::Player;
use grundy_base::step::Step;

/// Returns the step of one of the players.
pub(super) fn of(player: Player, left: &'static str, right: &'static str) -> Step {
    Step::new(player.of([left, right]))
}

/// Adds how often a move goes on to its reason, if it stands for several.
pub(super) fn repeated(step: Step, winning: &WinningMove) -> Step {
    match winning.repeats {
        Some(repeats) => step.with("step", repeats.step).with("count", repeats.count),
        None => step,
    }
}
