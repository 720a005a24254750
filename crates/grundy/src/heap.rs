//! Games on heaps: their rules, their sequences of values, and proofs that these repeat.

pub mod code;
pub mod period;
pub mod rules;
pub mod sequence;
pub mod take_set;

pub use code::Code;
pub use period::{Period, PeriodTheorem};
pub use rules::{HeapRules, Memory};
pub use sequence::{HeapTheory, Sequence};
pub use take_set::{NamedSet, TakeSet};
