//! Misère quotients (T. E. Plambeck, Taming the wild in impartial combinatorial games, 2005; T. E.
//! Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008).
//!
//! Two sums of games of a family are equivalent if no third sum of the family distinguishes them.
//! This means that adding the same third sum to both always gives sums with the same misère
//! outcome. The equivalence classes form a commutative monoid, in which some elements are losing.
//! If the monoid is finite, it decides every sum of the family.

mod action;
mod closure;
mod extension;
mod failure;
mod family;
mod learning;
mod levels;
mod monoid;
mod oracle;
mod representatives;
mod search;
mod structure;

pub use closure::{Closure, Letter};
pub use family::{Family, VisitPieces};
pub use learning::learned;
pub use monoid::Monoid;
pub use search::{Repetition, Search};
pub use structure::Presentation;

/// A sum of pieces, which are the games of a [`Family`]. The sum is given by the indices of its
/// pieces in ascending order.
pub type Word = Vec<u32>;
