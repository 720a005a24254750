//! Games on heaps: rules, sequences of values, and proofs of their periods.
//!
//! [`HeapRules`] defines a game. A [`Sequence`] computes the values of its heaps in an [`algebra`]
//! of values. A [`Stream`] does the same for games whose period starts too late for all values to
//! fit into memory. Results can be exported as a [`certificate`], which is verified without the
//! engine. Notation and positions belong to the crate `grundy-core`.
//!
//! ```
//! use grundy_base::Limits;
//! use grundy_heap::algebra::NormalPlay;
//! use grundy_heap::{Code, HeapRules, Sequence};
//!
//! let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
//! let mut sequence = Sequence::<NormalPlay>::new(kayles);
//! assert_eq!(sequence.value(1000, &Limits::default())?, 1);
//! # Ok::<(), grundy_base::Diagnostic>(())
//! ```
//!
//! # Use
//!
//! The crate can be used directly, for example to search for periods of many octal games. It has no
//! features. The crate `grundy` has the type `Family`, which reads the notation.
//!
//! # Complexity
//!
//! | question | time |
//! |---|---|
//! | n values of a subtraction game with k takes | O(k n) |
//! | n values of a code whose moves leave at most s heaps | O(n^s) |
//! | a value after the proof of a period | O(1) |
//! | the period of n values | O(n) |
//!
//! The values of a code take much less time if most heaps are common (`docs/octal-games.md`).

pub mod algebra;
pub mod certificate;
pub mod classes;
pub mod code;
pub mod compact_values;
mod divisors;
mod formula;
mod given_set;
pub mod known_games;
pub mod pattern;
pub mod period;
pub mod progressions;
mod recurrence;
pub mod rules;
pub mod sequence;
mod sparse;
mod split_windows;
pub mod stream;
pub mod take_set;
mod three_heaps;

pub use classes::Classes;
pub use code::Code;
pub use compact_values::{CompactValues, Store, Width};
pub use formula::Formula;
pub use given_set::{GivenSet, Membership};
pub use period::{Period, PeriodTheorem};
pub use progressions::Progression;
pub use recurrence::plain;
pub use rules::{HeapRules, Memory};
pub use sequence::{EngineState, HeapAlgebra, Sequence, Snapshot};
pub use sparse::SparseSnapshot;
pub use stream::Stream;
pub use take_set::{NamedSet, TakeSet};
