//! Answers, errors, help and explanations as text and as JSON, in English and Chinese.
//!
//! ```
//! use grundy_core::{Limits, Play, Solver};
//! use grundy_notation::read_position;
//! use grundy_wording::{Language, plain};
//! let position = read_position("nim(3, 4, 5)").unwrap();
//! let solution = Solver::default()
//!     .solve(&position, Play::Normal, &Limits::default())
//!     .unwrap();
//! let line = plain::one_line(&position, &solution, Language::En);
//! assert!(line.starts_with("N: the next player wins"), "{line}");
//! ```
//!
//! This crate is an implementation detail of the crate `grundy` and of the interfaces.

pub mod answer;
pub mod diagnostic;
pub mod help;
pub mod output;
pub mod plain;
pub mod report;
mod sentences;
pub mod solved;

pub(crate) use sentences::hint_text;
pub use sentences::{
    Audience, Interface, Language, codes, errors_in_chinese, is_han, labelled, message_text,
    option, phrase, sentence, translated, width, words,
};
