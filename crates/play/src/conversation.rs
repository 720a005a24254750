//! Conversations line by line: a game against the program, or exercises.
//!
//! The caller prints the text of [`Event::Output`]. After [`Event::Prompt`] it reads a line and
//! passes it to [`Conversation::respond`].

mod game;
mod lesson;

use grundy_core::step::Step;
use grundy_core::{Diagnostic, Play, Position};
use grundy_wording::{Language, help, phrase, words};

use grundy_draw::TerminalStyle;

use crate::board;

pub use game::{Game, Seats};
pub use lesson::{FIRST_LEVEL, Lesson};

/// The style of the output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// The language of the text.
    pub language: Language,
    /// `true` if boards are drawn in ASCII.
    pub ascii: bool,
}

impl Style {
    fn say(self, code: &'static str) -> String {
        phrase(code, self.language)
    }

    fn words(self, step: &Step) -> String {
        words(step, self.language)
    }

    /// Returns the drawing of a position, in which the last move is marked. `last` is the component
    /// and the path of this move.
    fn board(self, position: &Position, last: Option<(usize, &[u64])>) -> String {
        let look = TerminalStyle {
            ascii: self.ascii,
            colour: true,
            last,
            ..TerminalStyle::default()
        };
        board::board(position, look, self.language)
    }

    /// Returns the rules of the games in a position, followed by an empty line.
    ///
    /// Returns an empty string if no rules are known.
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

/// The next event of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Text to print, which consists of whole lines. More events follow.
    Output(String),
    /// A request for a line of input. Contains the prompt.
    Prompt(String),
    /// The conversation has ended.
    End,
}

/// A conversation that proceeds line by line.
///
/// ```
/// use grundy_core::{Limits, Play};
/// use grundy_play::conversation::{Conversation, Game, Style, Event, Seats};
/// use grundy_play::playing::Playing;
/// use grundy_job::Reader;
/// use grundy_play::Opponent;
/// let position = Reader::default().read("nim(1, 2)")?;
/// let playing = Playing::new(position, Opponent::new(Play::Normal, Limits::default()));
/// let mut game = Game::new(playing, Seats::One(0), Style::default());
/// let mut lines = ["1", "take 1 from heap 1"].into_iter();
/// let mut last = String::new();
/// loop {
///     match game.next()? {
///         Event::Output(text) => last = text,
///         Event::Prompt(_) => last = game.respond(lines.next().unwrap_or("q"))?,
///         Event::End => break,
///     }
/// }
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub trait Conversation {
    /// Advances the conversation and returns the next event.
    ///
    /// # Errors
    /// A limit that was exceeded, or an error in the rules of the game.
    fn next(&mut self) -> Result<Event, Diagnostic>;

    /// Processes a line after [`Event::Prompt`] and returns the response to it.
    ///
    /// # Errors
    /// The errors of [`Conversation::next`].
    fn respond(&mut self, line: &str) -> Result<String, Diagnostic>;

    /// Handles the end of the input.
    fn end_input(&mut self);

    /// Returns the response to a line that is not valid text.
    fn invalid_line_response(&self) -> String;
}
