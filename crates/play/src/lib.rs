//! Games being played: moves as people write them, an opponent, conversations, practice, exercises.
//!
//! A [`Playing`] is a game with the moves made so far and an [`Opponent`] for it. A
//! [`conversation::Conversation`] plays it line by line, and [`playing::report`] has it as data.
//! [`Practice`] draws positions to practise on.

pub mod board;
pub mod conversation;
pub mod exercises;
pub mod opponent;
pub mod playing;
pub mod practice;

pub use opponent::Opponent;
pub use playing::Playing;
pub use practice::Practice;
