//! Reduced canonical forms: the simplest game whose difference from a given game is infinitesimal.
//!
//! J. P. Grossman, A. N. Siegel, Reductions of partizan games, Games of No Chance 3, 2009.

use grundy_base::{Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns the reduced canonical form of the value.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let game = text::read("{2^|-1/2*}", &mut forms, &limits).unwrap();
    /// let reduced = forms.reduced(game, &limits)?;
    /// assert_eq!(forms.write(reduced), "{2|-1/2}");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn reduced(&mut self, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.fold(
            form,
            limits,
            |forms, form| {
                let close = forms.number_part(form).cloned();
                Ok(close.map(|number| forms.of_number(number)))
            },
            |forms, form, left, right| {
                let left = forms.reduced_options(form, left, Player::Left, limits)?;
                let right = forms.reduced_options(form, right, Player::Right, limits)?;
                forms.canonical(&left, &right, limits)
            },
        )
    }

    /// Returns whether some game that differs from `a` by an infinitesimal is at most `b`.
    fn nearly_at_most(&mut self, a: Form, b: Form, limits: &Limits<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.decided_at_most(a, b) {
            // If the comparison fails, it may still hold up to an infinitesimal.
            if known {
                return Ok(true);
            }
        }
        // This is the case if Right, moving second in a - b, reaches a stop of at most 0.
        let difference = self.minus(a, b, limits)?;
        Ok(self.left_stop(difference).sign().is_le())
    }

    /// Returns the options of a player, without those that are dominated or reversible up to an
    /// infinitesimal. The given options must be reduced canonical forms.
    fn reduced_options(
        &mut self,
        game: Form,
        options: &[Form],
        player: Player,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        // Reversible options are bypassed as for canonical forms, but the comparisons are up to an
        // infinitesimal. Such options may bypass each other in a cycle. The set `seen` ends such
        // cycles.
        let mut waiting = options.to_vec();
        let mut seen: Vec<Form> = Vec::new();
        let mut kept = Vec::new();
        'options: while let Some(option) = waiting.pop() {
            if seen.contains(&option) {
                continue;
            }
            seen.push(option);
            for answer in self.options_of(option, player.other(), limits)? {
                let [low, high] = player.of([[answer, game], [game, answer]]);
                if self.nearly_at_most(low, high, limits)? {
                    waiting.extend(self.options_of(answer, player, limits)?);
                    continue 'options;
                }
            }
            kept.push(option);
        }
        // Dominated options are removed last, since bypassing may add new ones.
        let mut best: Vec<Form> = Vec::new();
        'kept: for option in kept {
            let mut index = 0;
            while index < best.len() {
                let [worse, better] = player.of([[option, best[index]], [best[index], option]]);
                if self.nearly_at_most(worse, better, limits)? {
                    continue 'kept;
                }
                if self.nearly_at_most(better, worse, limits)? {
                    best.swap_remove(index);
                } else {
                    index += 1;
                }
            }
            best.push(option);
        }
        Ok(best)
    }
}
