//! The facts about a value.

use std::sync::Arc;

use grundy_core::{Dyadic, OutcomeClass};
use grundy_forms::Thermograph;

use crate::question::{Quantity, ValueRequest};

/// The facts about a value.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The canonical form as text.
    pub value: Option<String>,
    /// The form in LaTeX, if it was requested.
    pub latex: Option<String>,
    /// The outcome class.
    pub class: Option<OutcomeClass>,
    /// The stops and the thermograph.
    pub heat: Option<Heat>,
    /// The atomic weight. The outer option is `None` if it is unknown, the inner one if the game
    /// has no atomic weight.
    pub atomic_weight: Option<Option<String>>,
    /// The reduced form: the simplest game whose difference from this game is infinitesimal.
    pub reduced: Option<String>,
    /// The birthday.
    pub birthday: Option<String>,
    /// The maximal incentives of Left and of Right.
    pub incentives: Option<[Vec<String>; 2]>,
    /// The expansion in powers of up, if it contains at least two powers.
    pub uptimal: Option<String>,
    /// The quantities that were not computed, because they are expensive or a limit was reached.
    pub left_out: Vec<Quantity>,
}

/// The quantities that describe how urgent it is to move.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The left stop and the right stop.
    pub stops: [Dyadic; 2],
    /// The mean: the average value per copy in a sum of many copies.
    pub mean: Dyadic,
    /// The temperature: the tax on each move at which moving and passing are equally good.
    pub temperature: Dyadic,
    /// The walls of the thermograph. `None` if they are long and were neither requested nor drawn.
    pub thermograph: Option<Arc<Thermograph>>,
}

impl Heat {
    /// Creates the facts that follow from a thermograph.
    pub(crate) fn of_walls(stops: [Dyadic; 2], thermograph: Arc<Thermograph>) -> Self {
        Self {
            stops,
            mean: thermograph.mean().clone(),
            temperature: thermograph.temperature().clone(),
            thermograph: Some(thermograph),
        }
    }

    /// Creates the facts about a number. Omits the walls, which have a point for each binary digit.
    pub(crate) fn of_number(number: &Dyadic) -> Self {
        Self {
            stops: [number.clone(), number.clone()],
            mean: number.clone(),
            // The temperature of a number with denominator 2^k is -1/2^k.
            temperature: -&number.step(),
            thermograph: None,
        }
    }

    /// Returns the number to which the game is infinitesimally close.
    ///
    /// ```
    /// use grundy_analysis::value::Heat;
    /// use grundy_core::Dyadic;
    /// let [mean, temperature] = [Dyadic::integer(2), Dyadic::ZERO];
    /// let stops = [mean.clone(), mean.clone()];
    /// // The game 2 + * is infinitesimally close to 2.
    /// let heat = Heat { stops, mean, temperature, thermograph: None };
    /// assert_eq!(heat.number_part(), Some(&Dyadic::integer(2)));
    /// ```
    #[must_use]
    pub fn number_part(&self) -> Option<&Dyadic> {
        let [left, right] = &self.stops;
        // A game is infinitesimally close to a number if and only if its stops are equal.
        (left == right).then_some(left)
    }
}

impl Facts {
    /// Returns the walls of the thermograph if the text of the answer contains them. Returns `None`
    /// if the walls were computed for a picture only.
    pub(crate) fn walls(&self, request: &ValueRequest) -> Option<&Thermograph> {
        let shown = request.wants(Quantity::Thermograph);
        let shown = shown && !self.left_out.contains(&Quantity::Thermograph);
        let heat = self.heat.as_ref().filter(|_| shown);
        heat?.thermograph.as_deref()
    }

    /// Returns the approximate memory of the facts, in bytes. The thermograph is not counted, since
    /// it is shared with the forms.
    pub(crate) fn bytes(&self) -> u64 {
        let texts = [&self.value, &self.latex, &self.reduced, &self.birthday];
        let incentives = self.incentives.iter().flatten().flatten();
        let texts = texts.into_iter().flatten().chain(incentives);
        // 32 bytes approximate the header of a string and its allocation.
        let texts: usize = texts.map(|text| 32 + text.capacity()).sum();
        size_of::<Self>() as u64 + 100 + texts as u64
    }
}
