//! What a move changes.

use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// The greatest of what the moves of each player are worth to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incentives {
    /// The maximal G^L - G.
    pub left: Vec<Form>,
    /// The maximal G - G^R.
    pub right: Vec<Form>,
}

impl Forms {
    /// Returns the incentives of both players, of the canonical form.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn incentives(&mut self, form: Form, limits: &Limits<'_>) -> Result<Incentives, Stop> {
        let [left, right] = [Player::Left, Player::Right].map(|player| {
            let mut found = Vec::new();
            for option in self.options_of(form, player, limits)? {
                let [after, before] = player.of([[option, form], [form, option]]);
                found.push(self.minus(after, before, limits)?);
            }
            // The greatest, whoever moves.
            self.undominated(&found, Player::Left, limits)
        });
        Ok(Incentives {
            left: left?,
            right: right?,
        })
    }
}
