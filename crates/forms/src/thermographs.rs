//! Thermographs of forms, with a cache.

use std::sync::Arc;

use grundy_base::{Dyadic, Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::thermograph::Thermograph;

impl Forms {
    /// Returns the thermograph of the form.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{4||2|0}", &mut forms, &limits).unwrap();
    /// let thermograph = forms.thermograph(hot, &limits)?;
    /// assert_eq!(thermograph.mean().to_string(), "5/2");
    /// assert_eq!(thermograph.temperature().to_string(), "3/2");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each position of the form whose thermograph is not in the cache is visited once.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn thermograph(
        &mut self,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<Arc<Thermograph>, Stop> {
        if let Some(known) = self.thermographs.get(&form) {
            return Ok(Arc::clone(known));
        }
        self.fold(
            form,
            limits,
            |forms, form| forms.thermograph_without_options(form, limits),
            |forms, form, left, right| {
                let thermograph = Thermograph::of_options(
                    left.iter().map(|option| &**option),
                    right.iter().map(|option| &**option),
                );
                Ok(forms.cache_thermograph(form, thermograph))
            },
        )
    }

    /// Returns the thermograph if it is in the cache, or can be found without the options of the
    /// form. Otherwise returns `None`.
    fn thermograph_without_options(
        &mut self,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Arc<Thermograph>>, Stop> {
        if let Some(known) = self.thermographs.get(&form) {
            return Ok(Some(Arc::clone(known)));
        }
        if let Some(number) = self.number(form) {
            // The size of the thermograph of a number grows with the square of its digits. So the
            // limit is checked first.
            let needed = Thermograph::bytes_of_number(number);
            limits.check(1, self.bytes().saturating_add(needed))?;
            let thermograph = Thermograph::of_number(number);
            return Ok(Some(self.cache_thermograph(form, thermograph)));
        }
        // For more than two ups and for nimbers above *2, the walls depend only on parities, since
        // the relevant options are the same. So a smaller form with the same parities is used.
        let Some(packed) = self.packed(form) else {
            return Ok(None);
        };
        if packed.ups.abs() <= 3 && packed.star <= 3 {
            return Ok(None);
        }
        let mut fewer = packed.clone();
        fewer.ups = packed.ups.signum() * (packed.ups.abs().min(2 + (packed.ups.abs() & 1)));
        fewer.star = packed.star.min(2 + (packed.star & 1));
        let fewer = self.of_packed(&fewer);
        self.thermograph(fewer, limits).map(Some)
    }

    /// Stores a thermograph in the cache.
    fn cache_thermograph(&mut self, form: Form, thermograph: Thermograph) -> Arc<Thermograph> {
        self.extra_bytes += thermograph.bytes();
        let thermograph = Arc::new(thermograph);
        self.thermographs.insert(form, Arc::clone(&thermograph));
        thermograph
    }

    /// Returns the mean: the limit of (the value of n copies of the game) / n, as n grows.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{4||2|0}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.mean(hot, &limits)?, Dyadic::new(5, 1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn mean(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        // If a game differs from a number by an infinitesimal, this number is its mean.
        if let Some(number) = self.number_part(form) {
            return Ok(number.clone());
        }
        Ok(self.thermograph(form, limits)?.mean().clone())
    }

    /// Returns the temperature of the form. It measures how urgent a move is.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Dyadic, Limits};
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let hot = text::read("{4|0}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.temperature(hot, &limits)?, Dyadic::integer(2));
    /// let half = forms.of_number(Dyadic::new(1, 1));
    /// assert_eq!(forms.temperature(half, &limits)?, Dyadic::new(-1, 1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn temperature(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        Ok(self.thermograph(form, limits)?.temperature().clone())
    }
}
