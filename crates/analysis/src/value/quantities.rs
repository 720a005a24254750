//! The computation of quantities from a canonical form.

use grundy_core::{Dyadic, Limits, Stop};
use grundy_forms::{Form, Forms};
use grundy_wording::report::is_limit;

use super::class;
use super::facts::{Facts, Heat};
use crate::job::Job;
use crate::question::{Quantity, ValueRequest};

/// Largest size of a form (`Forms::size_within`) whose expensive quantities are computed without a
/// request. For these quantities, options are compared with each other, so the time grows as the
/// square of the size.
const SMALL_FORM: u64 = 2_000;

/// Largest length, in bits, of a number's denominator for which the thermograph is printed without
/// a request. The walls have a point for each bit.
const MAX_DENOMINATOR_BITS: u32 = 256;

/// The quantities in the order of their computation, in groups. The quantities of a group are
/// computed together.
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

/// Returns whether a quantity may be costly: the time for it may grow at least as the square of the
/// size of the canonical form.
fn is_costly(quantity: Quantity, form: Form, forms: &Forms) -> bool {
    match quantity {
        Quantity::Reduced | Quantity::Incentives => true,
        // If the game is not infinitesimally close to a number, both computations end at once.
        Quantity::AtomicWeight | Quantity::Uptimal => forms.number_part(form).is_some(),
        _ => false,
    }
}

/// Computes the requested quantities of a canonical form. If none is requested, computes all
/// quantities, but omits the costly ones if the form is large. The quantities are computed in
/// groups (see `GROUPS`), each of which may use an equal share of the remaining time. If a group
/// reaches a limit, the remaining groups are still computed.
///
/// # Errors
/// The first limit that was reached, or another reason to stop. After a limit, `facts` contains the
/// quantities of all groups that reached no limit.
pub(super) fn compute_quantities(
    facts: &mut Facts,
    form: Form,
    request: &ValueRequest,
    forms: &mut Forms,
    job: &Job,
) -> Result<(), Stop> {
    let none_requested = request.quantities.is_empty();
    // A quantity that was requested is computed however long it takes.
    let skips_costly = none_requested && forms.size_within(form, SMALL_FORM).is_none();
    let mut groups = Vec::new();
    for group in GROUPS {
        let wanted = group.iter().copied();
        let wanted: Vec<Quantity> = wanted.filter(|&wanted| request.wants(wanted)).collect();
        let drawn = request.draws_thermograph && group.contains(&Quantity::Thermograph);
        if skips_costly && is_costly(group[0], form, forms) {
            facts.left_out.extend(wanted);
        } else if drawn || !wanted.is_empty() {
            groups.push((group[0], wanted));
        }
    }
    let mut computer = QuantityComputer {
        facts,
        form,
        request,
        forms,
    };
    let (count, mut stopped) = (groups.len(), None);
    for (done, (first, wanted)) in groups.into_iter().enumerate() {
        // The share is computed again before each group. Hence time that cheap groups save is left
        // for expensive ones.
        let share = job.share(count - done);
        match computer.compute(first, &share.limits()) {
            Ok(()) => {}
            Err(stop) if is_limit(&stop) => {
                computer.facts.left_out.extend(wanted);
                stopped.get_or_insert(stop);
            }
            Err(stop) => return Err(stop),
        }
    }
    stopped.map_or(Ok(()), Err)
}

/// A form, and the facts about it that have been computed so far.
struct QuantityComputer<'a> {
    facts: &'a mut Facts,
    form: Form,
    request: &'a ValueRequest,
    forms: &'a mut Forms,
}

impl QuantityComputer<'_> {
    /// Computes the group of quantities that contains `quantity`.
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
            request,
            forms,
        } = self;
        let requested = request.quantities.contains(&Quantity::Thermograph);
        // A number whose walls are neither printed nor drawn needs no thermograph.
        let number = forms.number(*form).filter(|_| !requested);
        let long = number
            .filter(|number| number.exponent() > MAX_DENOMINATOR_BITS)
            .cloned();
        let heat = match &long {
            Some(number) if !request.draws_thermograph => Heat::of_number(number),
            _ => {
                let stops = [forms.left_stop(*form), forms.right_stop(*form)].map(Dyadic::clone);
                Heat::of_walls(stops, forms.thermograph(*form, limits)?)
            }
        };
        facts.heat = Some(heat);
        if long.is_some() && request.quantities.is_empty() {
            facts.left_out.push(Quantity::Thermograph);
        }
        Ok(())
    }

    fn text(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        self.facts.value = Some(if self.request.braces {
            self.forms.write_braces(self.form, limits)?
        } else {
            self.forms.write_within(self.form, limits)?
        });
        if self.request.latex {
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
            // The order of the incentives in memory depends on earlier questions. Sorting the texts
            // removes this dependence.
            texts.sort_by_key(|text| (text.len(), text.clone()));
        }
        self.facts.incentives = Some(incentives);
        Ok(())
    }

    fn uptimal(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let uptimal = self.forms.uptimal(self.form, limits)?;
        // An expansion with a single power adds nothing to the value itself.
        let uptimal = uptimal.filter(|found| found.powers.len() > 1);
        self.facts.uptimal = uptimal.map(|found| found.to_string());
        Ok(())
    }
}
