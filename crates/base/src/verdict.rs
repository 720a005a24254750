//! The verdict on a position: its outcome, in the terms that suit the kind of game.

use std::fmt;

use crate::outcome::{Outcome, PayoffResult};
use crate::player::OutcomeClass;

/// The verdict on a position: its outcome, in the terms that suit the kind of game.
///
/// ```
/// use grundy_base::{Outcome, Verdict};
/// assert_eq!(Verdict::of(false, &[Outcome::N]).to_string(), "N");
/// assert_eq!(Verdict::of(false, &[Outcome::N, Outcome::P]).to_string(), "L");
/// assert_eq!(Verdict::of(true, &[Outcome::D]).to_string(), "tie");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// N, P or D, for an impartial game.
    Outcome(Outcome),
    /// The outcome class, for a game in which it matters who begins.
    Class(OutcomeClass),
    /// Win, tie or loss of the player to move, for a game with a payoff.
    Payoff(PayoffResult),
}

impl Verdict {
    /// Returns the verdict for a position. `outcomes` has one outcome for each player who may
    /// begin, or a single one if it makes no difference who begins. `payoff` is `true` if a payoff
    /// decides the game.
    ///
    /// ```
    /// use grundy_base::{Outcome, OutcomeClass, PayoffResult, Verdict};
    /// let class = Verdict::of(false, &[Outcome::P, Outcome::P]);
    /// assert_eq!(class, Verdict::Class(OutcomeClass::P));
    /// assert_eq!(Verdict::of(true, &[Outcome::N]), Verdict::Payoff(PayoffResult::Win));
    /// ```
    #[must_use]
    pub fn of(payoff: bool, outcomes: &[Outcome]) -> Self {
        match *outcomes {
            [left, right] => Self::Class(OutcomeClass::from_outcomes([left, right])),
            [outcome, ..] if payoff => Self::Payoff(outcome.into()),
            [outcome, ..] => Self::Outcome(outcome),
            [] => Self::Outcome(Outcome::D),
        }
    }

    /// Returns the outcome for the player to move. Returns `None` for an outcome class, since it
    /// consists of one outcome for each player who may begin.
    ///
    /// ```
    /// use grundy_base::{Outcome, OutcomeClass, PayoffResult, Verdict};
    /// assert_eq!(Verdict::Payoff(PayoffResult::Tie).outcome(), Some(Outcome::D));
    /// assert_eq!(Verdict::Class(OutcomeClass::N).outcome(), None);
    /// ```
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Outcome(outcome) => Some(outcome),
            Self::Payoff(result) => Some(result.into()),
            Self::Class(_) => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(f),
            Self::Class(class) => class.fmt(f),
            Self::Payoff(result) => result.fmt(f),
        }
    }
}
