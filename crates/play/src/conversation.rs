//! Conversations line by line: a game against the program, and questions to practise on. Who has a
//! conversation shows what is said, reads a line where one is asked for, and passes it on.

mod game;
mod lesson;

use grundy::step::Step;
use grundy::{Diagnostic, Play, Position};
use grundy_wording::{Language, help, phrase, words};

use grundy_draw::TerminalLook;

use crate::board;

pub use game::{Game, Seats};
pub use lesson::{FIRST_LEVEL, Lesson};

/// How what is said is put.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// The language of words.
    pub language: Language,
    /// `true` if boards are drawn in ASCII.
    pub ascii: bool,
}

impl Manner {
    fn say(self, code: &'static str) -> String {
        phrase(code, self.language)
    }

    fn words(self, step: &Step) -> String {
        words(step, self.language)
    }

    /// Returns the board, with the component and the place of the last move marked.
    fn board(self, position: &Position, last: Option<(usize, &[u64])>) -> String {
        let look = TerminalLook {
            ascii: self.ascii,
            colour: true,
            last,
            ..TerminalLook::default()
        };
        board::board(position, look, self.language)
    }

    /// Returns the rules of the games of a position, with an empty line after them; nothing where
    /// they are not known.
    fn rules(self, position: &Position, play: Play) -> String {
        let names = position.terms().iter().map(|term| term.name());
        let rules = help::rules(names, play, self.language);
        if rules.is_empty() {
            rules
        } else {
            rules + "\n\n"
        }
    }
}

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
/// use grundy_play::conversation::{Conversation, Game, Manner, Next, Seats};
/// use grundy_play::playing::Playing;
/// use grundy_job::Reader;
/// use grundy_play::Opponent;
/// let position = Reader::default().read("nim(1, 2)")?;
/// let playing = Playing::new(position, Opponent::new(Play::Normal, Limits::default()));
/// let mut game = Game::new(playing, Seats::One(0), Manner::default());
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
