//! Misère quotients: what has to be known of a sum to know who wins it beside any other (T. E.
//! Plambeck, Taming the wild in impartial combinatorial games, 2005; T. E. Plambeck, A. N. Siegel,
//! Misère quotients for impartial games, 2008).
//!
//! Two sums of games of a family are equivalent if no third sum beside them tells them apart. The
//! classes are a commutative monoid, some of whose elements are losing, and where it is finite it
//! decides every sum of the family at once.

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

/// A sum of pieces, by number, in order.
pub type Word = Vec<u32>;
