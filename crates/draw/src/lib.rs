//! Pictures as SVG text: byte-stable, no script, no style sheet, nothing from outside.
//!
//! Colours mean the outcome for the player to move (the Okabe-Ito palette), and never stand alone:
//! the letter is always there too. Words are asked for by their codes.

mod clear;
mod game_graph;
mod graph_layout;
mod hackenbush;
mod ink;
mod layers;
mod lines;
pub mod mixture;
mod month;
mod order;
mod pen;
pub mod plot;
mod position;
mod quotient;
mod shape;
mod shown;
mod sketch;
pub mod step;
mod surface;
mod svg;
mod table;
mod terminal;
mod thermograph;
pub mod tree;
mod way;
mod wrap;

/// Words for a step: what a picture says is a code with arguments, as moves and reasons are.
pub type Say<'a> = &'a dyn Fn(&grundy::step::Step) -> String;

pub use game_graph::{Arrow, GraphPicture, Vertex, game_graph, game_graph_dot};
pub use order::order;
pub use position::{position, svg, tikz};
pub use quotient::{QuotientElement, quotient};
pub use shown::{Look, Shown, ShownMove, TerminalLook};
pub use svg::escape;
pub use table::{ShownCell, heat_map, strip, temperature_map};
pub use terminal::terminal;
pub use thermograph::{GRAPHS, NAME, thermographs, thermographs_tikz};
