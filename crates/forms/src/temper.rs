//! Games made warmer or colder, and products and towers of games.
//!
//! Cooling: J. H. Conway, On Numbers and Games, 1976, chapter 9. Heating and overheating: E. R.
//! Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 6. The Norton product and
//! ordinal sums: the same, chapters 8 and 7.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// G cooled by t >= 0: every move costs t, until that makes it a number. At the temperature of
    /// G what is infinitesimal stays.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn cool(&mut self, form: Form, t: &Dyadic, limits: &Limits<'_>) -> Result<Form, Stop> {
        let tax = self.of_number(-t);
        self.fold(
            form,
            limits,
            |forms, form| {
                if let Some(packed) = forms.packed(form)
                    && (packed.is_number() || t.sign().is_eq())
                {
                    return Ok(Some(form));
                }
                let thermograph = forms.thermograph(form, limits)?;
                let frozen = thermograph.temperature() < t;
                Ok(frozen.then(|| forms.of_number(thermograph.mean().clone())))
            },
            |forms, _, left, right| {
                let left = forms.each_plus(left, tax, limits)?;
                let fee = forms.negative(tax);
                let right = forms.each_plus(right, fee, limits)?;
                forms.canonical(&left, &right, limits)
            },
        )
    }

    /// G cooled by its temperature, or by 0 where that is negative: its mean and an infinitesimal.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn freeze(&mut self, form: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let temperature = self.temperature(form, limits)?;
        if temperature.sign().is_gt() {
            self.cool(form, &temperature, limits)
        } else {
            Ok(form)
        }
    }

    /// G heated by H: each move gives its player H, and numbers stay.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn heat(&mut self, form: Form, by: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.rewarded(form, by, limits, |forms, form| {
            Ok(forms.number(form).map(|_| form))
        })
    }

    /// G overheated from S to T: an integer n becomes n·S, and each move gives its player T.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn overheat(
        &mut self,
        form: Form,
        [from, to]: [Form; 2],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.rewarded(form, to, limits, |forms, form| {
            forms.integer_times(form, from, limits)
        })
    }

    /// Returns the product of G by U: an integer n becomes n·U, and each move in G gives its player
    /// U and an incentive of U.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn norton(&mut self, form: Form, by: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        let incentives = self.incentives(by, limits)?;
        let mut rewards = Vec::new();
        for &incentive in incentives.left.iter().chain(&incentives.right) {
            rewards.push(self.plus(by, incentive, limits)?);
        }
        self.fold(
            form,
            limits,
            |forms, form| forms.integer_times(form, by, limits),
            |forms, _, left, right| {
                let (mut lefts, mut rights) = (Vec::new(), Vec::new());
                for &reward in &rewards {
                    lefts.extend(forms.each_plus(left, reward, limits)?);
                    let lost = forms.negative(reward);
                    rights.extend(forms.each_plus(right, lost, limits)?);
                }
                forms.canonical(&lefts, &rights, limits)
            },
        )
    }

    /// Returns the ordinal sum of a game with these options and of G: a move in the game ends G.
    /// The options count, and not the value that they make; of G the value alone.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn ordinal(
        &mut self,
        left: &[Form],
        right: &[Form],
        top: Form,
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.fold(
            top,
            limits,
            |_, _| Ok(None),
            |forms, _, lefts, rights| {
                let all = |base: &[Form], top: &[Form]| [base, top].concat();
                forms.canonical(&all(left, lefts), &all(right, rights), limits)
            },
        )
    }

    /// n·G for an integer n; nothing where the form is none.
    fn integer_times(
        &mut self,
        form: Form,
        by: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let Some(number) = self.number(form).filter(|number| number.is_integer()) else {
            return Ok(None);
        };
        let integer = number.to_i64().ok_or(Stop::Overflow)?;
        self.times(integer, by, limits).map(Some)
    }

    /// Returns each move gives its player `reward`, down to what is known.
    fn rewarded(
        &mut self,
        form: Form,
        reward: Form,
        limits: &Limits<'_>,
        known: impl FnMut(&mut Self, Form) -> Result<Option<Form>, Stop>,
    ) -> Result<Form, Stop> {
        self.fold(form, limits, known, |forms, _, left, right| {
            let left = forms.each_plus(left, reward, limits)?;
            let lost = forms.negative(reward);
            let right = forms.each_plus(right, lost, limits)?;
            forms.canonical(&left, &right, limits)
        })
    }

    /// Returns the sum of each with the same.
    pub(crate) fn each_plus(
        &mut self,
        forms: &[Form],
        added: Form,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let sums = forms.iter().map(|&form| self.plus(form, added, limits));
        sums.collect()
    }

    /// Returns the ordinal sum of two canonical forms.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn ordinal_of_forms(
        &mut self,
        base: Form,
        top: Form,
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        let left = self.options_of(base, Player::Left, limits)?;
        let right = self.options_of(base, Player::Right, limits)?;
        self.ordinal(&left, &right, top, limits)
    }
}
