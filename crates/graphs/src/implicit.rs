//! Implicit games: the graph is never written down, its positions are made as they are asked for.
//!
//! [`Game`](crate::game::Game) has a position type and its options. [`hashed`] answers by looking
//! at every position that can be reached, remembered under compact keys; [`pruned`] answers "who
//! wins" or "by how much" alone, by alpha-beta search with a table of bounds; [`dense`] is for
//! games whose positions can be numbered so that options have smaller numbers: one byte a position
//! and a single pass, tens of millions of positions a second.
//!
//! No search here recurses: the way down is kept on a stack of its own.

pub mod dense;
pub mod hashed;
pub mod pruned;
