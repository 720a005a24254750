//! Playing games: moves as people write them, an opponent, conversations, practice and exercises.
//!
//! A [`Playing`] is a game in progress with its moves so far and an [`Opponent`]. A
//! [`conversation::Conversation`] plays it line by line, and [`playing::report`] presents it as
//! data. [`Practice`] draws positions to practise on.

pub mod board;
pub mod conversation;
pub mod exercises;
pub mod opponent;
pub mod playing;
pub mod practice;

pub use opponent::Opponent;
pub use playing::Playing;
pub use practice::Practice;
