//! Thermographs of forms, each made once.

use std::sync::Arc;

use grundy_base::{Dyadic, Limits, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::thermograph::Thermograph;

impl Forms {
    /// The thermograph.
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
            |forms, form| Ok(forms.thermograph_without_options(form)),
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
    fn thermograph_without_options(&mut self, form: Form) -> Option<Arc<Thermograph>> {
        if let Some(known) = self.thermographs.get(&form) {
            return Some(Arc::clone(known));
        }
        if let Some(number) = self.number(form) {
            let thermograph = Thermograph::of_number(&number.clone());
            return Some(self.keep_thermograph(form, thermograph));
        }
        // From two ups and a nimber of 2 on the walls are those of fewer: the options that matter are the same.
        let packed = self.packed(form)?;
        if packed.ups.abs() <= 3 && packed.star <= 3 {
            return None;
        }
        let mut fewer = packed.clone();
        fewer.ups = packed.ups.signum() * (packed.ups.abs().min(2 + (packed.ups.abs() & 1)));
        fewer.star = packed.star.min(2 + (packed.star & 1));
        let fewer = self.of_packed(&fewer);
        self.thermographs.get(&fewer).cloned().or_else(|| {
            let limits = Limits::none();
            self.thermograph(fewer, &limits).ok()
        })
    }

    fn keep_thermograph(&mut self, form: Form, thermograph: Thermograph) -> Arc<Thermograph> {
        self.held += thermograph.bytes();
        let thermograph = Arc::new(thermograph);
        self.thermographs.insert(form, Arc::clone(&thermograph));
        thermograph
    }

    /// The mean: what n copies are worth, divided by n, in the long run.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn mean(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        Ok(self.thermograph(form, limits)?.mean().clone())
    }

    /// The temperature: how much a move is worth.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn temperature(&mut self, form: Form, limits: &Limits<'_>) -> Result<Dyadic, Stop> {
        Ok(self.thermograph(form, limits)?.temperature().clone())
    }
}
