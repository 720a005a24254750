//! The limits that a user sets.

use crate::message::Setting;

/// A limit that stops work. The names are part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// The number of positions.
    Positions,
    /// The length of the answer.
    Output,
}

impl LimitKind {
    /// Returns the name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Positions => "positions",
            Self::Output => "output",
        }
    }

    /// Returns the option that sets the limit.
    #[must_use]
    pub fn setting(self) -> Setting {
        Setting::new(match self {
            Self::Time => "timeout",
            Self::Memory => "limits.memory",
            Self::Positions => "limits.positions",
            Self::Output => "limits.output",
        })
    }
}
