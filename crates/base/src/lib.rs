//! The foundation of grundy: types shared by all theories of games.
//!
//! The crate contains limits, players, outcomes, and the numbers used in values. It represents
//! moves and the claims of proofs as data, which each interface converts to sentences. It also
//! contains the common error type. No module depends on a particular game.
//!
//! This crate is an implementation detail of the crate `grundy`.

pub mod ascii;
pub mod braced;
mod cells;
pub mod diagnostic;
pub mod dyadic;
pub mod files;
pub mod index;
mod limit_kind;
pub mod limits;
mod loopy;
pub mod message;
pub mod mex;
pub mod nearest;
pub mod nimber;
pub mod outcome;
mod outcomes;
pub mod picture;
pub mod player;
pub mod shared_text;
pub mod step;
pub mod verdict;

pub use cells::Cells;
pub use diagnostic::{Diagnostic, Kind};
pub use dyadic::Dyadic;
pub use limit_kind::LimitKind;
pub use limits::{Flow, Halt, Limits, Stop};
pub use loopy::Loopy;
pub use message::Message;
pub use mex::mex;
pub use nimber::Nimber;
pub use outcome::{Outcome, PayoffResult, Play};
pub use outcomes::Outcomes;
pub use player::{OutcomeClass, Player};
pub use verdict::Verdict;
