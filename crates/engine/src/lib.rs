//! The engine of grundy: positions, the component store, theories of values, the solver,
//! explanations.
//!
//! The engine knows no game by name: every game implements [`rules::Ruleset`]. The crate `grundy`
//! joins it with the games and is what other crates depend on.

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

// Unit tests of private items need real games. With the crate of the games as a dependency, every
// type would exist twice, so its sources are compiled as modules of the tests.
#[cfg(test)]
extern crate self as grundy_engine;
#[cfg(test)]
#[path = "../../games/src/lib.rs"]
pub mod games;
#[cfg(test)]
use games::{
    argument, boards, cakes, coins, composite, graphs, heaps, kit, registry, strips, trees,
};

pub use game_graph::{Exploration, GameGraph, Labelled, Met, Numbered, Visited, game_graph};
pub use position::{Position, Term};
pub use solve::{Solution, Solver};
pub use store::erased::ranked::RankedGame;
