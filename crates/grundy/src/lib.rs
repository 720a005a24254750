//! The engine for combinatorial games.

pub mod argument;
pub mod certificate;
pub mod explain;
pub mod graph;
pub mod heap;
pub mod limits;
pub mod mex;
pub mod nimber;
pub mod outcome;
pub mod pattern;
pub mod picture;
pub mod position;
pub mod refusal;
pub mod registry;
pub mod ruleset;
pub mod solve;
pub mod step;
pub mod theory;

pub use limits::{Limits, Stop};
pub use mex::mex;
pub use outcome::{Outcome, Play};
pub use position::{Position, Term};
pub use refusal::{Kind, Refusal};
pub use solve::{Solution, Solver};
