//! Atomic weights, which measure all-small games in multiples of up.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 8.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

impl Forms {
    /// Returns the atomic weight of the form, or `None` if the form is not all-small.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let game = text::read("{^^|vv}", &mut forms, &limits).unwrap();
    /// let weight = forms.atomic_weight(game, &limits)?.unwrap();
    /// assert_eq!(forms.write(weight), "*");
    /// let switch = text::read("+-1", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.atomic_weight(switch, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn atomic_weight(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<Form>, Stop> {
        if !self.is_all_small(form) {
            return Ok(None);
        }
        if let Some(&known) = self.weights.get(&form) {
            return Ok(Some(known));
        }
        let weight = self.fold(
            form,
            limits,
            |forms, form| {
                let ups = forms.packed(form).map(|packed| packed.ups);
                let known = forms.weights.get(&form).copied();
                Ok(known.or_else(|| ups.map(|ups| forms.of_integer(ups))))
            },
            |forms, form, left, right| {
                let weight = forms.weight_of_options(form, left, right, limits)?;
                forms.weights.insert(form, weight);
                Ok(weight)
            },
        )?;
        Ok(Some(weight))
    }

    /// Returns the atomic weight of a form from the weights of its options. It is {w(G^L) - 2 |
    /// w(G^R) + 2}, unless this game is an integer. In that case a comparison of the form with a
    /// far star decides which integer between the options is the weight.
    fn weight_of_options(
        &mut self,
        form: Form,
        left: &[Form],
        right: &[Form],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let two = self.of_integer(2);
        let less = self.negative(two);
        let left = self.add_to_each(left, less, limits)?;
        let right = self.add_to_each(right, two, limits)?;
        let weight = self.canonical(&left, &right, limits)?;
        if !self.number(weight).is_some_and(Dyadic::is_integer) {
            return Ok(weight);
        }
        // A far star is a nimber that is larger than every nimber among the positions of the form.
        let star = self.of_packed(&Packed::nimber(self.far_star(form)));
        let towards = match (
            self.at_most(star, form, limits)?,
            self.at_most(form, star, limits)?,
        ) {
            (true, false) => Player::Left,
            (false, true) => Player::Right,
            _ => return Ok(Form::ZERO),
        };
        // If the form is at least the far star: the largest integer n such that no right option is
        // at most n. If it is at most the far star: the smallest n such that no left option is at
        // least n.
        let (options, ends, step) = match towards {
            Player::Left => (&right, right.iter().map(|&g| self.left_stop(g)).min(), 1),
            Player::Right => (&left, left.iter().map(|&g| self.right_stop(g)).max(), -1),
        };
        // Such an integer is at most 2 beyond the floor of the extreme stop, so the search starts
        // there.
        let end = ends.map(|end| end.floor().to_i64());
        let Some(mut n) = end.flatten().map(|end| end + 2 * step) else {
            return Ok(weight);
        };
        loop {
            self.step(limits)?;
            let integer = self.of_integer(n);
            let mut fits = true;
            for &option in options {
                let [low, high] = towards.of([[option, integer], [integer, option]]);
                fits = fits && !self.at_most(low, high, limits)?;
            }
            if fits {
                return Ok(integer);
            }
            n -= step;
        }
    }
}
