//! Thermographs of forms, each made once.

use std::sync::Arc;

use grundy_base::{Dyadic, Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::thermograph::Thermograph;

impl Forms {
    /// Returns the thermograph.
    ///
    /// # Complexity
    /// One visit to every position of the form, those asked for before left out.
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
                Ok(forms.keep_thermograph(form, thermograph))
            },
        )
    }

    /// What is known of it without looking at options.
    fn thermograph_without_options(
        &mut self,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<Arc<Thermograph>>, Stop> {
        if let Some(known) = self.thermographs.get(&form) {
            return Ok(Some(Arc::clone(known)));
        }
        if let Some(number) = self.number(form) {
            let needed = Thermograph::bytes_of_number(number);
            limits.check(1, self.bytes().saturating_add(needed))?;
            let thermograph = Thermograph::of_number(number);
            return Ok(Some(self.keep_thermograph(form, thermograph)));
        }
        // From two ups and a nimber of 2 on the walls are those of fewer: the options that matter
        // are the same.
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

    fn keep_thermograph(&mut self, form: Form, thermograph: Thermograph) -> Arc<Thermograph> {
        self.held += thermograph.bytes();
        let thermograph = Arc::new(thermograph);
        self.thermographs.insert(form, Arc::clone(&thermograph));
        thermograph
    }

    /// Returns the mean: what n copies are worth, divided by n, in the long run.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn mean(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        // What is infinitesimally close to a number has that mean.
        if let Some(number) = self.number_part(form) {
            return Ok(number.clone());
        }
        Ok(self.thermograph(form, limits)?.mean().clone())
    }

    /// Returns the temperature: how much a move is worth.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn temperature(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        Ok(self.thermograph(form, limits)?.temperature().clone())
    }
}
