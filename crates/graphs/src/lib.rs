//! Game graphs, whose vertices are positions and whose edges are moves.
//!
//! The module [`game`] contains the traits of user-defined games. The module [`graph`] labels
//! explicit finite directed graphs. The module [`implicit`] searches games whose options are
//! computed when they are needed, or whose positions are numbered.
//!
//! ```
//! use grundy_base::{Outcome, Play};
//! use grundy_graphs::graph::Digraph;
//! // Play between 0 and 1 can go on for ever, but the move from 1 to 2 wins.
//! let labels = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).label(Play::Normal);
//! assert_eq!(labels.get(0).outcome, Outcome::P);
//! ```
//!
//! # Use
//!
//! The crate can be used directly, for labels of large graphs and for searches of games with
//! billions of numbered positions. It has no features. The crate `grundy` has the type `Digraph`,
//! whose methods observe the limits of a solver.
//!
//! # Complexity
//!
//! | question | time | memory in bytes |
//! |---|---|---|
//! | labels of a graph with n vertices and m edges | O(n + m) | about 10 n + 4 m |
//! | labels, if the vertices are in topological order | O(n + m) | 4 n to 5 n |
//! | labels of a game with n numbered positions | at most one visit to every option | usually n |
//!
//! Values of a game whose positions are found by search take one call of the rules for each
//! position up to symmetry.

pub mod game;
pub mod graph;
pub mod implicit;
