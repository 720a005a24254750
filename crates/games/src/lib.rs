//! The rulesets of grundy: one file for each game, in folders by kind.
//!
//! The head comment of a file has the rules of its game and their source. The file has the state of
//! one part, its moves, and, where a theorem gives the value, the theorem. Each game implements
//! [`Ruleset`](grundy_engine::rules::Ruleset) and has a line in [`registry::CONSTRUCTORS`], which
//! is how the notation finds it. No solver is used here.

pub mod argument;
pub mod boards;
pub mod cakes;
pub mod coins;
pub mod composite;
pub mod dynamic;
pub mod graphs;
pub mod heaps;
pub(crate) mod kit;
pub mod registry;
pub mod strips;
pub mod trees;
