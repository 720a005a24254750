//! Facts about a value.

use std::sync::Arc;

use grundy::{Dyadic, OutcomeClass};
use grundy_forms::Thermograph;

use crate::question::{Quantity, Telling};

/// Facts about a value.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The canonical form as text.
    pub value: Option<String>,
    /// The form for typesetting, where that was asked.
    pub latex: Option<String>,
    /// Who wins.
    pub class: Option<OutcomeClass>,
    /// Stops and thermograph.
    pub heat: Option<Heat>,
    /// Number of ups it is worth, where it is all-small; nothing inside where it is not.
    pub atomic_weight: Option<Option<String>>,
    /// The simplest game that differs by an infinitesimal only.
    pub reduced: Option<String>,
    /// The day on which it is born.
    pub birthday: Option<String>,
    /// The maximal incentives of Left and of Right.
    pub incentives: Option<[Vec<String>; 2]>,
    /// The expansion in powers of up, where it is one of more than one power.
    pub uptimal: Option<String>,
    /// Quantities that were not computed, since they cost much or a limit was reached.
    pub left_out: Vec<Quantity>,
}

/// How urgent it is to move.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// The worth of each of many copies.
    pub mean: Dyadic,
    /// The tax at which moving and passing are worth the same.
    pub temperature: Dyadic,
    /// The walls; nothing where they are long and neither asked for nor drawn.
    pub thermograph: Option<Arc<Thermograph>>,
}

impl Heat {
    /// Returns the facts that a thermograph has.
    pub(crate) fn of_walls(stops: [Dyadic; 2], thermograph: Arc<Thermograph>) -> Self {
        Self {
            stops,
            mean: thermograph.mean().clone(),
            temperature: thermograph.temperature().clone(),
            thermograph: Some(thermograph),
        }
    }

    /// Returns the facts of a number. Its walls have a point for each digit in binary.
    pub(crate) fn of_number(number: &Dyadic) -> Self {
        Self {
            stops: [number.clone(), number.clone()],
            mean: number.clone(),
            temperature: -&number.step(),
            thermograph: None,
        }
    }

    /// Returns the number that the game is infinitesimally close to.
    #[must_use]
    pub fn number_part(&self) -> Option<&Dyadic> {
        let [left, right] = &self.stops;
        (left == right).then_some(left)
    }
}

impl Facts {
    /// Returns the walls of the thermograph if they are printed, and not only drawn.
    pub(crate) fn walls(&self, telling: &Telling) -> Option<&Thermograph> {
        let told = telling.wants(Quantity::Thermograph);
        let told = told && !self.left_out.contains(&Quantity::Thermograph);
        let heat = self.heat.as_ref().filter(|_| told);
        heat?.thermograph.as_deref()
    }

    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        let texts = [&self.value, &self.latex, &self.reduced, &self.birthday];
        let incentives = self.incentives.iter().flatten().flatten();
        let texts = texts.into_iter().flatten().chain(incentives);
        let texts: usize = texts.map(|text| 32 + text.capacity()).sum();
        size_of::<Self>() as u64 + 100 + texts as u64
    }
}
