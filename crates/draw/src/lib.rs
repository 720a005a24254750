//! Pictures as SVG text. The text is identical on all machines. It contains no scripts, no style
//! sheets and no external references.
//!
//! Colours show the outcome for the player to move (the Okabe-Ito palette). A letter always repeats
//! the colour, for readers who cannot distinguish the colours. The text in pictures comes from the
//! caller, which translates message codes.

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

/// A callback that returns the text for a step. Like moves and reasons, the text in pictures is
/// given as a message code with arguments.
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
