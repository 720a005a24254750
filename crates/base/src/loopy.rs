//! Smith–Fraenkel values of impartial games whose plays need not end.

use std::fmt;

use crate::outcome::Outcome;

/// The Smith–Fraenkel value of an impartial game whose plays need not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loopy {
    /// A nimber: in sums the game behaves like a Nim heap of this size.
    Finite(u64),
    /// The value ∞ with a set K, which contains the finite values of the options in ascending
    /// order.
    Infinite(Vec<u64>),
}

impl fmt::Display for Loopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(value) => value.fmt(f),
            Self::Infinite(set) => {
                let set: Vec<String> = set.iter().map(u64::to_string).collect();
                write!(f, "inf{{{}}}", set.join(","))
            }
        }
    }
}

impl Loopy {
    /// Returns the value of the sum of two games. Two nimbers are nim-added. The sum of a nimber n
    /// and ∞ with the set K is again ∞. Its set consists of the nim-sums of n with the elements of
    /// K. Two infinite values add up to ∞ with the empty set.
    ///
    /// ```
    /// use grundy_base::Loopy::{Finite, Infinite};
    /// assert_eq!(Finite(3).plus(&Finite(5)), Finite(6));
    /// assert_eq!(Finite(2).plus(&Infinite(vec![0, 1])), Infinite(vec![2, 3]));
    /// assert_eq!(Infinite(vec![0]).plus(&Infinite(vec![0])), Infinite(vec![]));
    /// ```
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a ^ b),
            (Self::Finite(n), Self::Infinite(set)) | (Self::Infinite(set), Self::Finite(n)) => {
                let mut shifted: Vec<u64> = set.iter().map(|k| k ^ n).collect();
                shifted.sort_unstable();
                Self::Infinite(shifted)
            }
            // In such a sum, a move of one component to a finite value leaves the other component
            // infinite. So neither player can force a win.
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(Vec::new()),
        }
    }

    /// Returns the outcome of a game of this value.
    ///
    /// ```
    /// use grundy_base::{Loopy, Outcome};
    /// assert_eq!(Loopy::Finite(0).outcome(), Outcome::P);
    /// assert_eq!(Loopy::Infinite(vec![0, 2]).outcome(), Outcome::N);
    /// assert_eq!(Loopy::Infinite(vec![1]).outcome(), Outcome::D);
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Finite(value) => Outcome::from_win(*value != 0),
            // The player to move wins by a move to value 0. Without such a move the game is drawn,
            // since play can remain at infinite values.
            Self::Infinite(set) if set.contains(&0) => Outcome::N,
            Self::Infinite(_) => Outcome::D,
        }
    }
}
