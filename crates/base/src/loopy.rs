//! Values of games that need not end.

use std::fmt;

use crate::outcome::Outcome;

/// The value of a game that need not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loopy {
    /// A number: in sums the game is like a Nim heap.
    Finite(u64),
    /// Infinity, with the finite values among the options, in order.
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
    /// Returns the value of a sum: numbers are nim-added, a number shifts the set of an infinity,
    /// and two infinities make one whose set is empty.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a ^ b),
            (Self::Finite(n), Self::Infinite(set)) | (Self::Infinite(set), Self::Finite(n)) => {
                let mut shifted: Vec<u64> = set.iter().map(|k| k ^ n).collect();
                shifted.sort_unstable();
                Self::Infinite(shifted)
            }
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(Vec::new()),
        }
    }

    /// Who wins.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Finite(value) => Outcome::from_win(*value != 0),
            Self::Infinite(set) if set.contains(&0) => Outcome::N,
            Self::Infinite(_) => Outcome::D,
        }
    }
}
