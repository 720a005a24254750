//! Conversion of text to positions: expressions, edge lists and SVG drawings. Also nimber
//! arithmetic.
//!
//! ```
//! use grundy_notation::read_position;
//! let position = read_position("nim(3,4) + nim(5)").unwrap();
//! assert_eq!(position.to_string(), "nim(3, 4) + nim(5)");
//! let diagnostic = read_position("nim(3, -1)").unwrap_err();
//! assert_eq!(diagnostic.message, "-1 is less than 0");
//! assert_eq!(diagnostic.span, Some(7..9));
//! ```
//!
//! This crate is an implementation detail of the crate `grundy`, in which positions, values and
//! families implement `FromStr`.

pub mod edges;
mod family;
mod guess;
mod json_error;
pub mod nimber;
pub mod parse;
mod picture_file;
pub mod read;
mod scan;
mod svg;

pub use family::{family, family_with};
pub use grundy_core::Diagnostic;
pub use json_error::json_error;
pub use picture_file::read_picture;
pub use read::{Bindings, Expression, Games, NoGames, read_position};
pub use scan::to_ascii;
