//! The ground floor of grundy: what theories of games share and none of them owns.
//!
//! Limits and the reasons to stop, who plays and who wins, the numbers that values are made of,
//! moves and claims as data, and the one record for everything that goes wrong. No module here
//! knows what a game is.

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
pub use outcome::{Outcome, Play, Worth};
pub use outcomes::Outcomes;
pub use player::{OutcomeClass, Player};
pub use verdict::Verdict;
