//! Pictures as SVG text: byte-stable, no script, no style sheet, nothing from outside.
//!
//! Colours mean the outcome for the player to move (the Okabe-Ito palette), and never stand alone: the letter is
//! always there too. Words are asked for by their codes.

mod game_graph;
mod hackenbush;
mod layers;
mod lines;
pub mod mixture;
pub mod plot;
mod position;
pub mod step;
mod svg;
mod table;
pub mod tree;
mod way;

/// Words for a step: what a picture says is a code with arguments, as moves and reasons are.
pub type Say<'a> = &'a dyn Fn(&grundy::step::Step) -> String;

pub use game_graph::{Arrow, GraphPicture, Vertex, game_graph, game_graph_dot};
pub use position::{position, svg, terminal};
pub use table::{ShownCell, heat_map, strip};
