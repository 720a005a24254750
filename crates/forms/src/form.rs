//! References to canonical forms.

/// A canonical form in the [`Forms`](crate::Forms) that created it. Two forms are equal if and only
/// if their values are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub(crate) u32);

impl Form {
    /// The form of 0, which is the same in any [`Forms`](crate::Forms).
    pub const ZERO: Self = Self(0);
}
