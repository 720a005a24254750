//! Graphs of games: vertices are positions, edges are moves.
//!
//! [`game`] has the traits of a game of one's own. [`graph`] labels finite digraphs that are
//! listed. [`implicit`] has games that are not listed: their options are computed when they are
//! asked for, or their positions are numbered.

pub mod game;
pub mod graph;
pub mod implicit;
