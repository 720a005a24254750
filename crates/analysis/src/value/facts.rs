//! Facts about a value.

use std::sync::Arc;

use grundy::{Dyadic, OutcomeClass};
use grundy_forms::Thermograph;

/// What is known of a value. Without a limit it is all there.
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
    /// What is told where the form is known.
    pub known: Option<FormFacts>,
}

/// How urgent it is to move.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// Walls, mean and temperature.
    pub thermograph: Arc<Thermograph>,
}

impl Heat {
    /// The number that the game is infinitesimally close to.
    #[must_use]
    pub fn number_part(&self) -> Option<&Dyadic> {
        let [left, right] = &self.stops;
        (left == right).then_some(left)
    }
}

/// What follows from the form.
#[derive(Clone, Debug)]
pub struct FormFacts {
    /// How many ups it is worth, where it is all-small.
    pub atomic_weight: Option<String>,
    /// The simplest game that differs by an infinitesimal only.
    pub reduced: String,
    /// The day on which it is born.
    pub birthday: String,
    /// The maximal incentives of Left and of Right.
    pub incentives: [Vec<String>; 2],
    /// The expansion in powers of up, where it is one of more than one power.
    pub uptimal: Option<String>,
}

impl Facts {
    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        let known = self.known.iter().flat_map(|known| {
            let incentives = known.incentives.iter().flatten();
            incentives.chain([&known.reduced, &known.birthday])
        });
        let texts = self.value.iter().chain(&self.latex).chain(known);
        let texts: usize = texts.map(|text| 32 + text.capacity()).sum();
        size_of::<Self>() as u64 + 100 + texts as u64
    }
}
