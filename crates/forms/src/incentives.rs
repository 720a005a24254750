//! Incentives: the changes of the value that moves cause.

use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// The maximal incentives of each player. An incentive that is at most another incentive is left
/// out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incentives {
    /// The maximal values of G^L - G, over all left options G^L of G.
    pub left: Vec<Form>,
    /// The maximal values of G - G^R, over all right options G^R of G.
    pub right: Vec<Form>,
}

impl Forms {
    /// Returns the maximal incentives of both players in the canonical form.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // Left's incentive is 0 - ^, and Right's is ^ - *.
    /// let up = text::read("{0|*}", &mut forms, &limits).unwrap();
    /// let found = forms.incentives(up, &limits)?;
    /// assert_eq!(found.left, [forms.negative(up)]);
    /// assert_eq!(forms.write(found.right[0]), "^*");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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
            // Both players prefer greater incentives, so Left's rule for dominated options is used
            // for both.
            self.undominated(&found, Player::Left, limits)
        });
        Ok(Incentives {
            left: left?,
            right: right?,
        })
    }
}
