//! Pictures as SVG text. Some can also be written as TikZ, as DOT, or with the characters of a
//! terminal. The SVG text is identical on all machines. It contains no scripts, no style sheets and
//! no external references.
//!
//! Colours show the outcome for the player to move (the Okabe-Ito palette). Letters show the
//! outcome as well, for readers who cannot distinguish the colours. The sentences in pictures come
//! from the caller, which translates message codes.
//!
//! This crate is an implementation detail of the crate `grundy`, which has the type `Picture`.

mod component;
mod game_graph;
mod graph_layout;
mod hackenbush;
mod ink;
mod label_places;
mod layers;
mod lines;
pub mod mixture;
mod month;
mod order;
mod pen;
pub mod plot;
mod position;
mod quotient;
mod route;
mod shape;
mod sketch;
pub mod step;
mod surface;
mod svg;
mod table;
mod terminal;
mod thermograph;
pub mod tree;
mod wrap;

/// A callback that returns the text for a step. A step is a message code with arguments, and stands
/// for a sentence or a label in a picture.
pub type Wording<'a> = &'a dyn Fn(&grundy_core::step::Step) -> String;

pub use component::{DrawnComponent, DrawnMove, PictureStyle, TerminalStyle};
pub use game_graph::{Arrow, GraphPicture, Vertex, game_graph, game_graph_dot};
pub use order::order;
pub use position::{position, svg, tikz};
pub use quotient::{QuotientElement, quotient};
pub use svg::escape;
pub use table::{DrawnCell, heat_map, strip, temperature_map};
pub use terminal::terminal;
pub use thermograph::{MAX_NAME_LETTERS, MAX_THERMOGRAPHS, thermographs, thermographs_tikz};
