//! The methods of the solver, in the order in which they are tried.

mod labels;
mod loopy;
mod normal;
mod quotient;
mod search;
mod tame;
mod theorem;

use super::solution::{Solution, Wanted};
use super::{Solver, Work};
use crate::position::Position;
use crate::values::PartValue;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// The input of a method.
pub(super) struct MethodInput<'a> {
    pub(super) position: &'a Position,
    pub(super) play: Play,
    pub(super) wanted: Wanted,
    pub(super) limits: &'a Limits<'a>,
}

impl MethodInput<'_> {
    /// Returns the limits for a part of the answer that is optional.
    fn extra(&self, positions: u64) -> Limits<'_> {
        Limits {
            positions: self.limits.positions.min(positions),
            ..*self.limits
        }
    }
}

/// A method of solving a position.
pub(super) struct Method {
    /// Returns whether the method should be tried.
    pub(super) applies: fn(&MethodInput<'_>) -> bool,
    /// Returns the answer, or `None` if the method declines.
    pub(super) answer: fn(&mut Solver, &MethodInput<'_>) -> Result<Option<Solution>, Stop>,
}

/// The methods, in the order in which they are tried.
// Theorems are cheapest. Values come before search, since they also answer sums and give more.
// Retrograde analysis visits everything, so it is last.
pub(super) const METHODS: [Method; 7] = [
    Method {
        applies: |question| question.position.only_term().is_some(),
        answer: theorem::answer,
    },
    Method {
        applies: |question| question.play == Play::Normal,
        answer: normal::answer,
    },
    Method {
        applies: |question| question.play == Play::Misere,
        answer: tame::answer,
    },
    Method {
        applies: |question| question.play == Play::Misere,
        answer: quotient::answer,
    },
    Method {
        applies: |question| question.play == Play::Normal,
        answer: loopy::answer,
    },
    Method {
        applies: search::applies,
        answer: search::answer,
    },
    Method {
        applies: |_| true,
        answer: labels::answer,
    },
];

/// Returns an optional value, or `None` if it costs too much.
fn given<T>(value: Result<T, Stop>) -> Result<Option<T>, Stop> {
    // Exceeding the limits of an extra is no error of the question. An interruption and an error of
    // the rules are.
    match value {
        Ok(value) => Ok(Some(value)),
        Err(stop @ (Stop::Interrupted | Stop::Rules(_))) => Err(stop),
        Err(_) => Ok(None),
    }
}

/// Iterates over the values of all parts of all terms.
fn all<V>(values: &[Vec<PartValue<V>>]) -> impl Iterator<Item = &V> + Clone {
    values.iter().flatten().map(|part| &part.value)
}
