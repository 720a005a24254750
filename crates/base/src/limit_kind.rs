//! The limits that a user sets.

use crate::message::Setting;

/// A kind of limit that stops a computation. Its name in JSON is part of the public contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    /// The limit on the time.
    Time,
    /// The limit on the bytes of memory.
    Memory,
    /// The limit on the number of positions.
    Positions,
    /// The limit on the length of the answer.
    Output,
}

impl LimitKind {
    /// Returns the name used in JSON.
    ///
    /// ```
    /// use grundy_base::LimitKind;
    /// assert_eq!(LimitKind::Positions.name(), "positions");
    /// ```
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
    ///
    /// ```
    /// use grundy_base::LimitKind;
    /// let setting = LimitKind::Positions.setting();
    /// assert_eq!(setting.key(), "limits.positions");
    /// assert_eq!(setting.command_line_form(), "--max-positions");
    /// ```
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
