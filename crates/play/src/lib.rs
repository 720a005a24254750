//! Playing games: moves as people write them, an opponent, conversations, practice and exercises.
//!
//! A [`Playing`] is a game in progress. It contains the moves made so far and an [`Opponent`]. A
//! [`conversation::Conversation`] plays it line by line, and [`playing::report`] presents it as
//! data. [`Practice`] generates exercises.
//!
//! This crate is an implementation detail of the crate `grundy-analysis`. The crate `grundy` has a
//! simpler type `Playing`.

pub mod board;
pub mod conversation;
pub mod exercises;
pub mod opponent;
pub mod playing;
pub mod practice;

pub use opponent::Opponent;
pub use playing::Playing;
pub use practice::Practice;
