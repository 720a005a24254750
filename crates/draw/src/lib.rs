//! Pictures as SVG text: byte-stable, no script, no style sheet, nothing from outside.
//!
//! Colours mean the outcome for the player to move (the Okabe-Ito palette), and never stand alone: the letter is
//! always there too.

mod hackenbush;
pub mod mixture;
mod position;
mod svg;
mod table;
pub mod tree;

pub use position::{position, svg, terminal};
pub use table::{Cell, heat_map, strip};
