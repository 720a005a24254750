//! Canonical forms by number.

/// A canonical form in the [`Forms`](crate::Forms) that made it: equal forms are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub(crate) u32);

impl Form {
    /// 0, in any [`Forms`](crate::Forms).
    pub const ZERO: Self = Self(0);
}
