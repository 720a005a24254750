//! Games on heaps: their rules, their sequences of values, and proofs that these repeat.

pub mod classes;
pub mod code;
mod divisors;
pub mod narrow;
pub mod period;
pub mod progressions;
mod recurrence;
pub mod rules;
pub mod sequence;
mod sparse;
pub mod stream;
pub mod take_set;
mod three;

pub use classes::Classes;
pub use code::Code;
pub use narrow::{Narrow, Store};
pub use period::{Period, PeriodTheorem};
pub use progressions::Progression;
pub use recurrence::plain;
pub use rules::{HeapRules, Memory};
pub use sequence::{HeapTheory, Knowledge, Sequence, Snapshot};
pub use sparse::SparseSnapshot;
pub use stream::Stream;
pub use take_set::{NamedSet, TakeSet};
