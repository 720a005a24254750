//! Text to positions and back: the notation, its diagnostics, the wording of steps, the contract's JSON.
//!
//! ```
//! use grundy_notation::read_position;
//! let position = read_position("nim(3,4) + nim(5)").unwrap();
//! assert_eq!(position.to_string(), "nim(3, 4) + nim(5)");
//! let diagnostic = read_position("nim(3, -1)").unwrap_err();
//! assert_eq!(diagnostic.message, "-1 is less than 0");
//! assert_eq!(diagnostic.span, Some(7..9));
//! ```

pub mod answer;
pub mod diagnostic;
pub mod edges;
pub mod help;
pub mod nimber;
pub mod parse;
mod picture_file;
pub mod plain;
pub mod read;
mod scan;
mod svg;
pub mod wording;

pub use grundy::Diagnostic;
pub use picture_file::read_picture;
pub use read::{Bindings, Expression, Games, NoGames, read_position};
pub use wording::{Audience, Interface, Language};
