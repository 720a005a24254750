//! The methods of solving, in the order in which they are asked.

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

/// What a method is asked.
pub(super) struct MethodInput<'a> {
    pub(super) position: &'a Position,
    pub(super) play: Play,
    pub(super) wanted: Wanted,
    pub(super) limits: &'a Limits<'a>,
}

impl MethodInput<'_> {
    /// Returns the limits of what the answer can do without.
    fn extra(&self, positions: u64) -> Limits<'_> {
        Limits {
            positions: self.limits.positions.min(positions),
            ..*self.limits
        }
    }
}

/// A way to an answer.
pub(super) struct Method {
    /// Whether it is worth asking.
    pub(super) applies: fn(&MethodInput<'_>) -> bool,
    /// The answer; it may still decline.
    pub(super) answer: fn(&mut Solver, &MethodInput<'_>) -> Result<Option<Solution>, Stop>,
}

/// In the order in which they are asked.
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

/// Returns the value of a gift; nothing where it costs too much.
fn given<T>(value: Result<T, Stop>) -> Result<Option<T>, Stop> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(stop @ (Stop::Interrupted | Stop::Rules(_))) => Err(stop),
        Err(_) => Ok(None),
    }
}

/// Returns the values of all parts of all terms.
fn all<V>(values: &[Vec<PartValue<V>>]) -> impl Iterator<Item = &V> + Clone {
    values.iter().flatten().map(|part| &part.value)
}
