//! The result of comparing an answer with the expected one.

use grundy_wording::answer::PerFirstPlayer;
use serde::Serialize;

/// The result of comparing an answer with the expected one.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Agreement {
    /// `true` if the two answers agree, and `false` if they differ. `None` if a limit left part of
    /// the answer unknown, and the known part agrees with the expected answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<PerFirstPlayer<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extra: Option<PerFirstPlayer<Vec<String>>>,
}

impl Agreement {
    pub(crate) fn is_wrong(&self) -> bool {
        self.expected == Some(false)
    }
}
