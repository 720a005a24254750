//! The rulesets of grundy: one file for each game, in folders by kind.
//!
//! The comment at the head of each file states the rules of the game and their source. The file
//! defines the type of the components of a position and the moves. If a theorem gives values, the
//! file also defines this theorem. Each game implements [`Ruleset`](grundy_engine::rules::Ruleset)
//! and has an entry in [`registry::CONSTRUCTORS`], through which the notation finds it. No ruleset
//! calls a solver.
//!
//! This crate is an implementation detail of the crate `grundy`.

pub mod argument;
pub mod boards;
pub mod cakes;
pub mod coins;
pub mod composite;
mod constructors;
pub mod dynamic;
pub mod graphs;
pub mod heaps;
pub(crate) mod kit;
pub mod registry;
pub mod strips;
pub mod trees;
