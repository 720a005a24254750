//! Functions for steps that several kinds of explanations use.

use crate::solve::WinningMove;
use grundy_base::player::Player;
use grundy_base::step::Step;

/// Returns a step whose code is `left` if `player` is Left, and `right` if `player` is Right.
pub(super) fn of(player: Player, left: &'static str, right: &'static str) -> Step {
    Step::new(player.of([left, right]))
}

/// Completes the step `step`, which gives the reason for a winning move. If `winning` represents an
/// arithmetic progression of moves, adds its common difference and the number of moves.
pub(super) fn repeated(step: Step, winning: &WinningMove) -> Step {
    match winning.repeats {
        Some(repeats) => step.with("step", repeats.step).with("count", repeats.count),
        None => step,
    }
}
