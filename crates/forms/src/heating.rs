//! Heating and cooling, Norton products and ordinal sums.
//!
//! Cooling is defined in J. H. Conway, On Numbers and Games, 1976, chapter 9. Heating and
//! overheating are defined in E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter
//! 6. The Norton product and ordinal sums are in chapters 8 and 7 of the same book.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

impl Forms {
    /// Returns G cooled by t >= 0: every move costs its player t, until the game becomes a number.
    /// If t is the temperature of G, the result is the mean of G plus an infinitesimal.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let cooled = forms.cool(hot, &Dyadic::ONE, &limits)?;
    /// assert_eq!(forms.write(cooled), "{1|1/2}");
    /// // The temperature is 5/4, so more cooling gives the mean.
    /// let cold = forms.cool(hot, &Dyadic::integer(2), &limits)?;
    /// assert_eq!(forms.write(cold), "3/4");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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
                // If t is greater than the temperature of a game, the cooled game is its mean. If t
                // is equal to the temperature, this need not be so.
                let thermograph = forms.thermograph(form, limits)?;
                let frozen = thermograph.temperature() < t;
                Ok(frozen.then(|| forms.of_number(thermograph.mean().clone())))
            },
            |forms, _, left, right| {
                let left = forms.add_to_each(left, tax, limits)?;
                let fee = forms.negative(tax);
                let right = forms.add_to_each(right, fee, limits)?;
                forms.canonical(&left, &right, limits)
            },
        )
    }

    /// Returns G cooled by its temperature. The result is the mean of G plus an infinitesimal. A
    /// negative temperature counts as 0.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
    /// let frozen = forms.freeze(hot, &limits)?;
    /// assert_eq!(forms.write(frozen), "3/4*");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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

    /// Returns G heated by H: each move gives H to the player who makes it. Numbers do not change.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let star = text::read("*", &mut forms, &limits).unwrap();
    /// let one = forms.of_integer(1);
    /// // Cooling {1|-1} by 1 gives * again.
    /// let heated = forms.heat(star, one, &limits)?;
    /// assert_eq!(forms.write(heated), "+-1");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn heat(&mut self, form: Form, by: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        self.with_reward(form, by, limits, |forms, form| {
            Ok(forms.number(form).map(|_| form))
        })
    }

    /// Returns G overheated from S to T. An integer n becomes n·S, and each move gives T to the
    /// player who makes it.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // 1/2 = {0|1} becomes {0·1 + 1 | 1·1 - 1}.
    /// let half = text::read("1/2", &mut forms, &limits).unwrap();
    /// let one = forms.of_integer(1);
    /// let overheated = forms.overheat(half, [one, one], &limits)?;
    /// assert_eq!(forms.write(overheated), "{1|0}");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn overheat(
        &mut self,
        form: Form,
        [from, to]: [Form; 2],
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.with_reward(form, to, limits, |forms, form| {
            forms.integer_times(form, from, limits)
        })
    }

    /// Returns the Norton product of G and U. An integer n becomes n·U. Otherwise, each move in G
    /// gives the player who makes it U plus an incentive of U.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let star = text::read("*", &mut forms, &limits).unwrap();
    /// let up = text::read("^", &mut forms, &limits).unwrap();
    /// let product = forms.norton(star, up, &limits)?;
    /// assert_eq!(forms.write(product), "+-(^^*)");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn norton(&mut self, form: Form, by: Form, limits: &Limits<'_>) -> Result<Form, Stop> {
        // By definition, both players can choose any incentive of either player.
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
                    lefts.extend(forms.add_to_each(left, reward, limits)?);
                    let lost = forms.negative(reward);
                    rights.extend(forms.add_to_each(right, lost, limits)?);
                }
                forms.canonical(&lefts, &rights, limits)
            },
        )
    }

    /// Returns the ordinal sum of the game {left | right} and the game G = `top`. A move in {left |
    /// right} ends G. The result depends on the options of {left | right}, not only on its value.
    /// Of G only the value matters.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [one, minus_one] = [forms.of_integer(1), forms.of_integer(-1)];
    /// // The games { | } and {-1 | 1} are both 0, but their ordinal sums with 1 differ.
    /// assert_eq!(forms.ordinal(&[], &[], one, &limits)?, one);
    /// let sum = forms.ordinal(&[minus_one], &[one], one, &limits)?;
    /// assert_eq!(forms.write(sum), "1/2");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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

    /// Returns n·G if `form` is an integer n, where G is `by`. Returns `None` if `form` is not an
    /// integer.
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

    /// Returns the game in which each move also gives `reward` to the player who makes it. Forms
    /// for which `known` returns a value are replaced by this value.
    fn with_reward(
        &mut self,
        form: Form,
        reward: Form,
        limits: &Limits<'_>,
        known: impl FnMut(&mut Self, Form) -> Result<Option<Form>, Stop>,
    ) -> Result<Form, Stop> {
        self.fold(form, limits, known, |forms, _, left, right| {
            let left = forms.add_to_each(left, reward, limits)?;
            let lost = forms.negative(reward);
            let right = forms.add_to_each(right, lost, limits)?;
            forms.canonical(&left, &right, limits)
        })
    }

    /// Returns the list of the sums of `added` and each of the forms.
    pub(crate) fn add_to_each(
        &mut self,
        forms: &[Form],
        added: Form,
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let sums = forms.iter().map(|&form| self.plus(form, added, limits));
        sums.collect()
    }

    /// Returns the ordinal sum of `base` and `top`, with the canonical options of `base`.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let star = text::read("*", &mut forms, &limits).unwrap();
    /// let one = forms.of_integer(1);
    /// // A stalk of a green edge and a blue edge above it.
    /// let flower = forms.ordinal_of_forms(star, one, &limits)?;
    /// assert_eq!(forms.write(flower), "^*");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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
