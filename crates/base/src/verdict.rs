//! Who wins, in the word that the kind of game has for it.

use std::fmt;

use crate::outcome::{Outcome, Worth};
use crate::player::OutcomeClass;

/// Who wins a position.
///
/// ```
/// use grundy_base::{Outcome, Verdict};
/// assert_eq!(Verdict::of(false, &[Outcome::N]).to_string(), "N");
/// assert_eq!(Verdict::of(false, &[Outcome::N, Outcome::P]).to_string(), "L");
/// assert_eq!(Verdict::of(true, &[Outcome::D]).to_string(), "tie");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The next player, the previous one, or nobody.
    Outcome(Outcome),
    /// Left, Right, the next player or the previous one, where it makes a difference who begins.
    Class(OutcomeClass),
    /// Win, tie or lose, for the player to move, where the end decides.
    Worth(Worth),
}

impl Verdict {
    /// Returns the verdict from the outcomes for the players who may begin, one or two, and from
    /// whether the end decides.
    #[must_use]
    pub fn of(payoff: bool, outcomes: &[Outcome]) -> Self {
        match *outcomes {
            [left, right] => Self::Class(OutcomeClass::from_outcomes([left, right])),
            [outcome, ..] if payoff => Self::Worth(outcome.into()),
            [outcome, ..] => Self::Outcome(outcome),
            [] => Self::Outcome(Outcome::D),
        }
    }

    /// Returns the outcome for the player to move, where one tells all.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Outcome(outcome) => Some(outcome),
            Self::Worth(worth) => Some(worth.into()),
            Self::Class(_) => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(f),
            Self::Class(class) => class.fmt(f),
            Self::Worth(worth) => worth.fmt(f),
        }
    }
}
