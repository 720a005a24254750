//! The winner of a play that never ends.

use grundy_base::player::Player;
use grundy_base::step::Step;

/// Returns the winner of endless play that a word names: a player for `left` and `right`, and no
/// player for `draw`. Returns `None` for any other word.
///
/// ```
/// use grundy_core::Player;
/// use grundy_core::dynamic::endless_of;
/// assert_eq!(endless_of("left"), Some(Some(Player::Left)));
/// assert_eq!(endless_of("draw"), Some(None));
/// assert_eq!(endless_of("both"), None);
/// ```
#[must_use]
pub fn endless_of(word: &str) -> Option<Option<Player>> {
    match word {
        "draw" => Some(None),
        "left" => Some(Some(Player::Left)),
        "right" => Some(Some(Player::Right)),
        _ => None,
    }
}

/// Returns the remark that names the winner of endless play, if there is one.
pub(crate) fn endless_remark(winner: Option<Player>) -> Vec<Step> {
    let code = winner.map(|player| player.of(["endless_left", "endless_right"]));
    code.map(Step::new).into_iter().collect()
}
