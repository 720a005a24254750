//! Implicit games: the graph is not stored, and options are generated when they are needed.
//!
//! A [`Game`](crate::game::Game) defines a position type and its options. There are three modules
//! for different tasks:
//!
//! - [`hashed`] visits every reachable position, and stores each under its canonical form.
//! - [`pruned`] computes only outcomes or scores, by alpha-beta search with a table of bounds.
//! - [`dense`] is for games whose positions can be numbered so that every option has a smaller
//!   number. It makes a single pass, and processes tens of millions of positions in a second.
//!   Usually it takes one byte for each position.
//!
//! No search in these modules is recursive: each uses an explicit stack.

pub mod dense;
pub mod hashed;
pub mod pruned;
