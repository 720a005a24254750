//! Conversations line by line: a game against the program, and questions to practise on. Who has a conversation shows what is said,
//! reads a line where one is asked for, and passes it on.

mod game;
mod lesson;

use grundy::Diagnostic;

pub use game::{Game, Seats};
pub use lesson::{FIRST_LEVEL, Lesson};

/// What happens next in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Text to be shown, whole lines; more follows.
    Said(String),
    /// A line is waited for; this stands before it.
    Asked(String),
    /// It is over.
    Over,
}

/// A conversation line by line.
///
/// ```
/// use grundy::{Limits, Play};
/// use grundy_analysis::conversation::{Conversation, Game, Next, Seats};
/// use grundy_analysis::playing::Playing;
/// use grundy_analysis::{Analyst, Opponent};
/// let position = Analyst::default().position(&"nim(1, 2)".into())?;
/// let playing = Playing::new(position, Opponent::new(Play::Normal, Limits::default()));
/// let mut game = Game::new(playing, Seats::One(0));
/// let mut lines = ["1", "take 1 from heap 1"].into_iter();
/// let mut last = String::new();
/// loop {
///     match game.next()? {
///         Next::Said(text) => last = text,
///         Next::Asked(_) => last = game.hear(lines.next().unwrap_or("q"))?,
///         Next::Over => break,
///     }
/// }
/// # Ok::<(), grundy::Diagnostic>(())
/// ```
pub trait Conversation {
    /// What happens next.
    ///
    /// # Errors
    /// A limit, or rules that have no answer.
    fn next(&mut self) -> Result<Next, Diagnostic>;

    /// What is said to a line, where one was asked for.
    ///
    /// # Errors
    /// As [`Conversation::next`].
    fn hear(&mut self, line: &str) -> Result<String, Diagnostic>;

    /// Is told that no more lines come.
    fn hang_up(&mut self);

    /// What is said to a line that is no text.
    fn complaint(&self) -> String;
}
