//! Computation of the class of a form.

use grundy_base::{Limits, Stop, mex};

use crate::arena::Forms;
use crate::class::Class;
use crate::form::Form;

/// The type of a game: its nim-values in normal and in misère play.
type Values = (u32, u32);

/// Returns whether the type is fickle: (0, 1) or (1, 0).
fn is_fickle((g, misere): Values) -> bool {
    g ^ misere == 1 && g <= 1
}

/// Returns whether some sum of Nim heaps has this type.
fn is_of_nim(values: Values) -> bool {
    values.0 == values.1 || is_fickle(values)
}

impl Forms {
    /// Returns the class of a form.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Class, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let [one, two] = [forms.nimber(1, &limits)?, forms.nimber(2, &limits)?];
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.class(twice, &limits)?, Class::Tame);
    /// // A heap of 13 counters in Grundy's game. Its genus is 3^1431.
    /// let heap = forms.of_options(&[twice, two, one], &limits)?;
    /// assert_eq!(forms.class(heap, &limits)?, Class::Restless);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each even position (see [`Form::is_even`]) whose class is not known is visited once. A visit
    /// reads the options of the position. For each option that is not tame, the visit also reads
    /// the options of that option.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn class(&mut self, form: Form, limits: &Limits<'_>) -> Result<Class, Stop> {
        // The stack is explicit, and a form is visited again after its options. A form may be on
        // the stack several times, so a form with a known class is skipped.
        let mut stack = vec![form.even_part()];
        while let Some(&last) = stack.last() {
            if self.classes.contains_key(&last.0) {
                stack.pop();
                continue;
            }
            self.step(limits)?;
            let before = stack.len();
            let options = self.options(last).map(Form::even_part);
            stack.extend(options.filter(|option| !self.classes.contains_key(&option.0)));
            if stack.len() > before {
                limits.check(1, 4 * stack.len() as u64)?;
                continue;
            }
            let class = self.class_from_options(last);
            self.classes.insert(last.0, class);
            stack.pop();
        }
        Ok(self.known_class(form))
    }

    /// Returns the class of a form. The class must be in the cache.
    fn known_class(&self, form: Form) -> Class {
        self.classes[&form.even_part().0]
    }

    /// Returns the type of a form.
    fn values(&self, form: Form) -> Values {
        (self.grundy(form), self.misere_grundy(form))
    }

    /// Returns the class of an even form. The classes of its options must be in the cache.
    fn class_from_options(&self, form: Form) -> Class {
        let values = self.values(form);
        let (g, misere) = values;
        if self.nim_heap(form).is_some() {
            return Class::NimHeap;
        }
        let wildest = self.options(form).map(|option| self.known_class(option));
        let wildest = wildest.max().unwrap_or(Class::NimHeap);
        if is_of_nim(values) {
            return match wildest {
                // The classes are ordered. So the greatest class of an option shows whether all
                // options are tame.
                Class::NimHeap | Class::Tame => Class::Tame,
                _ if self.reverts(form, |class, _| class.is_tame()) => Class::ReversiblyTame,
                _ => Class::Wild,
            };
        }
        if g <= 1 {
            let near = |n: u32| n <= 1 || n ^ misere <= 1;
            let same = |class: Class, (s, t): Values| {
                (class.is_tame() || class == Class::Restive) && near(s) && near(t)
            };
            if self.reverts(form, same) {
                return Class::Restive;
            }
        } else if misere <= 1 && wildest.is_tame() {
            return Class::Restless;
        }
        Class::Wild
    }

    /// Returns whether two conditions hold. First, the tame options of the form alone give both
    /// nim-values g and γ0 of the form. Second, every other option has a move to a game with this
    /// g, and a move to a game with this γ0. Only games that `allowed` accepts count as targets of
    /// these moves.
    fn reverts(&self, form: Form, allowed: impl Fn(Class, Values) -> bool) -> bool {
        let (g, misere) = self.values(form);
        let (tame, others): (Vec<Form>, Vec<Form>) =
            (self.options(form)).partition(|&option| self.known_class(option).is_tame());
        let least = |value: &dyn Fn(Form) -> u32| {
            mex(tame.iter().map(|&option| u64::from(value(option)))) as u32
        };
        let reverts = |option: Form| {
            let back = || {
                let to = self.options(option);
                let to = to.map(|to| (self.known_class(to), self.values(to)));
                to.filter(|&(class, values)| allowed(class, values))
            };
            back().any(|(_, values)| values.0 == g) && back().any(|(_, values)| values.1 == misere)
        };
        least(&|option| self.grundy(option)) == g
            && least(&|option| self.misere_grundy(option)) == misere
            && others.into_iter().all(reverts)
    }

    /// Returns whether a tame game is fickle, like a Nim heap of at most one counter. Returns
    /// `None` if the game is not tame.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// assert_eq!(forms.is_fickle(Form::STAR, &limits)?, Some(true));
    /// let two = forms.nimber(2, &limits)?;
    /// assert_eq!(forms.is_fickle(two, &limits)?, Some(false));
    /// // This game is restive.
    /// let odd = forms.of_options(&[two], &limits)?;
    /// let restive = forms.of_options(&[odd, Form::ZERO], &limits)?;
    /// assert_eq!(forms.is_fickle(restive, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::class`].
    pub fn is_fickle(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        let tame = self.class(form, limits)?.is_tame();
        Ok(tame.then(|| is_fickle(self.values(form))))
    }

    /// Returns whether the game G is *half-tame*. This means that G is not tame, but G + G is tame
    /// and has the type (0, 0) of two equal Nim heaps (Winning Ways, chapter 13).
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let odd = forms.of_options(&[two], &limits)?;
    /// let restive = forms.of_options(&[odd, Form::ZERO], &limits)?;
    /// assert!(forms.is_half_tame(restive, &limits)?);
    /// assert!(!forms.is_half_tame(two, &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// The class of G + G is computed. This sum can be much larger than G.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn is_half_tame(&mut self, form: Form, limits: &Limits<'_>) -> Result<bool, Stop> {
        if self.class(form, limits)?.is_tame() {
            return Ok(false);
        }
        let twice = self.plus(form, form, limits)?;
        Ok(self.values(twice) == (0, 0) && self.class(twice, limits)?.is_tame())
    }
}
