//! The limits that a user sets.

/// A limit that stops work. The names are part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// The number of positions.
    Positions,
}

impl LimitKind {
    /// Returns the name used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Positions => "positions",
        }
    }
}
