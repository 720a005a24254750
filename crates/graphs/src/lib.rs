//! Game graphs, whose vertices are positions and whose edges are moves.
//!
//! The module [`game`] contains the traits of user-defined games. The module [`graph`] labels
//! explicit finite directed graphs. The module [`implicit`] searches games whose options are
//! computed when they are needed, or whose positions are numbered.

pub mod game;
pub mod graph;
pub mod implicit;
