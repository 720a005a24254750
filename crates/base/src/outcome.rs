//! Outcomes and the two conventions of play.

use std::fmt;

/// The convention that determines the winner when no move remains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// Normal play: the player who cannot move loses, so the last player to move wins.
    #[default]
    Normal,
    /// Misère play: the player who makes the last move loses.
    Misere,
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Misere => "misere",
        })
    }
}

/// The outcome of an impartial game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The next player, who is about to move, wins.
    N,
    /// The previous player, who has just moved, wins.
    P,
    /// Neither player can force a win: with best play the game never ends.
    D,
}

impl Outcome {
    /// Returns the outcome of a position, given the outcomes of its options, each of which is N or
    /// P.
    ///
    /// ```
    /// use grundy_base::{Outcome, Play};
    /// assert_eq!(Outcome::of_options([Outcome::N, Outcome::P], Play::Normal), Outcome::N);
    /// assert_eq!(Outcome::of_options([], Play::Normal), Outcome::P);
    /// assert_eq!(Outcome::of_options([], Play::Misere), Outcome::N);
    /// ```
    #[must_use]
    pub fn of_options(options: impl IntoIterator<Item = Self>, play: Play) -> Self {
        // Without options the convention of play alone decides.
        let mut terminal = true;
        for option in options {
            if option == Self::P {
                return Self::N;
            }
            terminal = false;
        }
        if terminal && play == Play::Misere {
            Self::N
        } else {
            Self::P
        }
    }

    /// Returns `N` if `winning` is `true`, and otherwise `P`.
    ///
    /// ```
    /// use grundy_base::Outcome;
    /// assert_eq!(Outcome::from_win(true), Outcome::N);
    /// assert_eq!(Outcome::from_win(false), Outcome::P);
    /// ```
    #[must_use]
    pub fn from_win(winning: bool) -> Self {
        if winning { Self::N } else { Self::P }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::N => "N",
            Self::P => "P",
            Self::D => "D",
        })
    }
}

/// The result for the player to move, in a game that can end in a tie. The variants are ordered
/// from the worst result to the best.
///
/// ```
/// use grundy_base::{Outcome, PayoffResult};
/// assert_eq!(PayoffResult::Win.reversed(), PayoffResult::Lose);
/// assert_eq!(Outcome::from(PayoffResult::Tie), Outcome::D);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PayoffResult {
    /// A loss.
    Lose,
    /// A tie.
    Tie,
    /// A win.
    Win,
}

impl PayoffResult {
    /// Returns the result for the opponent: a win becomes a loss, and a loss a win.
    ///
    /// ```
    /// use grundy_base::PayoffResult;
    /// assert_eq!(PayoffResult::Lose.reversed(), PayoffResult::Win);
    /// assert_eq!(PayoffResult::Tie.reversed(), PayoffResult::Tie);
    /// ```
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Lose => Self::Win,
            Self::Tie => Self::Tie,
            Self::Win => Self::Lose,
        }
    }

    /// Returns the result under a convention of play, given the result in normal play. Misère play
    /// exchanges win and loss.
    ///
    /// ```
    /// use grundy_base::{PayoffResult, Play};
    /// assert_eq!(PayoffResult::Win.in_play(Play::Normal), PayoffResult::Win);
    /// assert_eq!(PayoffResult::Win.in_play(Play::Misere), PayoffResult::Lose);
    /// ```
    #[must_use]
    pub fn in_play(self, play: Play) -> Self {
        match play {
            Play::Normal => self,
            Play::Misere => self.reversed(),
        }
    }
}

/// Converts N into a win, P into a loss, and a draw into a tie.
impl From<Outcome> for PayoffResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::N => Self::Win,
            Outcome::P => Self::Lose,
            Outcome::D => Self::Tie,
        }
    }
}

impl From<PayoffResult> for Outcome {
    fn from(result: PayoffResult) -> Self {
        match result {
            PayoffResult::Win => Self::N,
            PayoffResult::Tie => Self::D,
            PayoffResult::Lose => Self::P,
        }
    }
}

impl fmt::Display for PayoffResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lose => "lose",
            Self::Tie => "tie",
            Self::Win => "win",
        })
    }
}
