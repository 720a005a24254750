//! The engine of grundy: positions, the store of components, theories of values, the solver, and
//! explanations.
//!
//! The engine contains no particular game: every game implements [`rules::Ruleset`]. The crate
//! `grundy-core` combines the engine with the games. Other crates depend on `grundy-core`.
//!
//! This crate is an implementation detail of the crate `grundy`.

pub mod answers;
mod cost_class;
pub mod explain;
mod game_graph;
pub mod move_counts;
mod nature;
mod packed;
pub mod position;
pub mod proof;
pub mod rules;
pub mod solve;
pub mod store;
pub mod term;
mod theorem;
pub mod thermographs;
mod user_game;
pub mod values;
pub mod work;

// The unit tests of private items need real games. The crate of the games depends on this crate, so
// as a dependency of the tests it would bring a second copy of every type. So the tests compile the
// source files of the games as modules.
#[cfg(test)]
extern crate self as grundy_engine;
#[cfg(test)]
#[path = "../../games/src/lib.rs"]
pub mod games;
#[cfg(test)]
use games::{
    argument, boards, cakes, coins, composite, graphs, heaps, kit, registry, strips, trees,
};

pub use game_graph::{
    Exploration, GameGraph, Labelled, Numbered, PositionIndex, Visited, game_graph,
};
pub use position::{Position, Term};
pub use solve::{Solution, Solver};
pub use store::erased::ranked::RankedGame;
