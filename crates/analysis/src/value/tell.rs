//! The quantities that follow from a form.

use grundy::{Dyadic, Limits, Stop};
use grundy_forms::{Form, Forms};
use grundy_wording::report::is_limit;

use super::class;
use super::facts::{Facts, Heat};
use crate::job::Job;
use crate::question::{Quantity, Telling};

/// The largest size of a form (`Forms::size_within`) of which everything is told unasked: what
/// compares its options with each other takes time as the square of the size.
const SMALL: u64 = 2_000;

/// The longest denominator of a number, in bits, whose thermograph is told unasked: its walls have
/// a point for each bit.
const LONG: u32 = 256;

/// Quantities, those that are computed together in one list.
const GROUPS: [&[Quantity]; 8] = [
    &[Quantity::Birthday],
    &[Quantity::Outcome],
    &[
        Quantity::Stops,
        Quantity::Mean,
        Quantity::Temperature,
        Quantity::Thermograph,
        Quantity::NumberPart,
    ],
    &[Quantity::Form],
    &[Quantity::AtomicWeight],
    &[Quantity::Reduced],
    &[Quantity::Incentives],
    &[Quantity::Uptimal],
];

/// Returns whether the time may grow as the square of the size of the form, or faster.
fn is_costly(quantity: Quantity, form: Form, forms: &Forms) -> bool {
    match quantity {
        Quantity::Reduced | Quantity::Incentives => true,
        // Both reject a game that is not infinitesimally close to a number at sight.
        Quantity::AtomicWeight | Quantity::Uptimal => forms.number_part(form).is_some(),
        _ => false,
    }
}

/// Tells of a form what is asked, or what is cheap where nothing is asked. Each group of quantities
/// has its share of the time that is left, and a limit withholds that group alone.
///
/// # Errors
/// The first limit that was reached; `facts` has the other quantities.
pub(super) fn tell(
    facts: &mut Facts,
    form: Form,
    telling: &Telling,
    forms: &mut Forms,
    job: &Job,
) -> Result<(), Stop> {
    let is_small = forms.size_within(form, SMALL).is_some();
    let mut teller = Teller {
        facts,
        form,
        telling,
        forms,
    };
    let mut stopped = None;
    for (place, group) in GROUPS.iter().enumerate() {
        let wanted = group.iter().copied();
        let wanted: Vec<Quantity> = wanted.filter(|&wanted| telling.wants(wanted)).collect();
        let first = wanted.first().copied();
        let drawn = telling.picture && group.contains(&Quantity::Thermograph);
        let Some(first) = first.or(drawn.then_some(Quantity::Thermograph)) else {
            continue;
        };
        if telling.of.is_empty() && !is_small && is_costly(first, form, teller.forms) {
            teller.facts.left_out.extend(wanted);
            continue;
        }
        let share = job.share(GROUPS.len() - place);
        match teller.compute(first, &share.limits()) {
            Ok(()) => {}
            Err(stop) if is_limit(&stop) => {
                teller.facts.left_out.extend(wanted);
                stopped.get_or_insert(stop);
            }
            Err(stop) => return Err(stop),
        }
    }
    stopped.map_or(Ok(()), Err)
}

/// A form, and the facts that are known of it.
struct Teller<'a> {
    facts: &'a mut Facts,
    form: Form,
    telling: &'a Telling,
    forms: &'a mut Forms,
}

impl Teller<'_> {
    /// Computes a quantity, and those of its group.
    fn compute(&mut self, quantity: Quantity, limits: &Limits<'_>) -> Result<(), Stop> {
        match quantity {
            Quantity::Birthday => {
                self.facts.birthday = Some(self.forms.birthday(self.form).to_string());
            }
            Quantity::Outcome => {
                self.facts.class = Some(class(self.form, self.forms, limits)?);
            }
            Quantity::Stops
            | Quantity::Mean
            | Quantity::Temperature
            | Quantity::Thermograph
            | Quantity::NumberPart => self.heat(limits)?,
            Quantity::Form => self.text(limits)?,
            Quantity::AtomicWeight => self.atomic_weight(limits)?,
            Quantity::Reduced => self.reduced(limits)?,
            Quantity::Incentives => self.incentives(limits)?,
            Quantity::Uptimal => self.uptimal(limits)?,
        }
        Ok(())
    }

    fn heat(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let Self {
            facts,
            form,
            telling,
            forms,
        } = self;
        let long = forms.number(*form);
        let long = long.filter(|number| number.exponent() > LONG);
        let long = long.filter(|_| !telling.of.contains(&Quantity::Thermograph));
        if long.is_some() && telling.of.is_empty() {
            facts.left_out.push(Quantity::Thermograph);
        }
        if let Some(number) = long.filter(|_| !telling.picture) {
            facts.heat = Some(Heat::of_number(number));
            return Ok(());
        }
        let stops = [forms.left_stop(*form), forms.right_stop(*form)].map(Dyadic::clone);
        let walls = forms.thermograph(*form, limits)?;
        facts.heat = Some(Heat::of_walls(stops, walls));
        Ok(())
    }

    fn text(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        self.facts.value = Some(if self.telling.braces {
            self.forms.write_braces(self.form, limits)?
        } else {
            self.forms.write_within(self.form, limits)?
        });
        if self.telling.latex {
            self.facts.latex = Some(self.forms.latex(self.form, limits)?);
        }
        Ok(())
    }

    fn atomic_weight(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let weight = self.forms.atomic_weight(self.form, limits)?;
        let weight = weight.map(|weight| self.forms.write_within(weight, limits));
        self.facts.atomic_weight = Some(weight.transpose()?);
        Ok(())
    }

    fn reduced(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let reduced = self.forms.reduced(self.form, limits)?;
        self.facts.reduced = Some(self.forms.write_within(reduced, limits)?);
        Ok(())
    }

    fn incentives(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let found = self.forms.incentives(self.form, limits)?;
        let mut incentives = [Vec::new(), Vec::new()];
        for (texts, found) in incentives.iter_mut().zip([found.left, found.right]) {
            for incentive in found {
                texts.push(self.forms.write_within(incentive, limits)?);
            }
            texts.sort_by_key(|text| (text.len(), text.clone()));
        }
        self.facts.incentives = Some(incentives);
        Ok(())
    }

    fn uptimal(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let uptimal = self.forms.uptimal(self.form, limits)?;
        let uptimal = uptimal.filter(|found| found.powers.len() > 1);
        self.facts.uptimal = uptimal.map(|found| found.to_string());
        Ok(())
    }
}
