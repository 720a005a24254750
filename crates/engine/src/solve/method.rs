//! The methods of the solver, in the order in which they are tried.

mod labels;
mod loopy;
mod normal;
mod quotient;
mod search;
mod tame;
mod theorem;

use super::solution::{Detail, Solution};
use super::{Solver, Work};
use crate::position::Position;
use crate::values::PartValue;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// The input of a method: the position, the convention of play, the information that the answer
/// should contain, and the limits.
pub(super) struct MethodInput<'a> {
    pub(super) position: &'a Position,
    pub(super) play: Play,
    pub(super) wanted: Detail,
    pub(super) limits: &'a Limits<'a>,
}

impl MethodInput<'_> {
    /// Returns the limits for an optional part of the answer. They allow at most `positions`
    /// positions.
    fn extra_limits(&self, positions: u64) -> Limits<'_> {
        Limits {
            positions: self.limits.positions.min(positions),
            ..*self.limits
        }
    }
}

/// A method for solving a position.
pub(super) struct Method {
    /// The function that returns whether the method should be tried for a question.
    pub(super) applies: fn(&MethodInput<'_>) -> bool,
    /// The function that computes the answer. It returns `None` if the method finds no answer.
    pub(super) answer: fn(&mut Solver, &MethodInput<'_>) -> Result<Option<Solution>, Stop>,
}

/// The methods, in the order in which they are tried.
// Theorems are cheapest. Values come before searches, because the value of a sum follows from those
// of its terms, and gives more information than the outcome. Retrograde analysis visits every
// position, so it is last.
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

/// Allows the computation of an optional part of an answer to fail: returns `None` instead of the
/// error. Only an interruption and an error of the rules remain errors.
fn optional<T>(value: Result<T, Stop>) -> Result<Option<T>, Stop> {
    // An interruption or an error of the rules ends the whole question, so it is returned.
    match value {
        Ok(value) => Ok(Some(value)),
        Err(stop @ (Stop::Interrupted | Stop::Rules(_))) => Err(stop),
        Err(_) => Ok(None),
    }
}

/// Returns an iterator over the values of all parts of all terms.
fn all_values<V>(values: &[Vec<PartValue<V>>]) -> impl Iterator<Item = &V> + Clone {
    values.iter().flatten().map(|part| &part.value)
}
