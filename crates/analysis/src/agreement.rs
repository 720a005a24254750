//! The comparison of an answer with the expected one.

use grundy_wording::answer::Sides;
use serde::Serialize;

/// The result of the comparison.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Agreement {
    /// `None` if only part of the answer is known and that part agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<Sides<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extra: Option<Sides<Vec<String>>>,
}

impl Agreement {
    pub(crate) fn is_wrong(&self) -> bool {
        self.expected == Some(false)
    }
}
