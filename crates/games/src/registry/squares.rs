//! Games whose positions are letters on the squares of a board or a strip.
//!
//! This module creates positions from letters for code that enumerates the positions of such a game
//! or generates random ones.

use crate::argument::Argument;
use grundy_base::Diagnostic;
use grundy_engine::position::Position;

/// The arrangement of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Rows and columns.
    Board,
    /// A single row.
    Strip,
}

/// A game on squares, and the letters that its squares may hold.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// The name of the constructor.
    pub game: &'static str,
    /// The letters that a square may hold. The empty square comes first, if there is one.
    pub letters: &'static str,
    /// The arrangement of the squares.
    pub layout: Layout,
}

const fn board(game: &'static str, letters: &'static str) -> Squares {
    let layout = Layout::Board;
    Squares {
        game,
        letters,
        layout,
    }
}

const fn strip(game: &'static str, letters: &'static str) -> Squares {
    let layout = Layout::Strip;
    Squares {
        game,
        letters,
        layout,
    }
}

/// Games on squares in which the last move decides. Push and Ski Jumps are not in this list.
///
/// In Clobber a piece never moves to a free square. Hence blocked squares and free squares have the
/// same effect, and `#` is left out.
pub const SQUARES: &[Squares] = &[
    board("cram", ".#"),
    board("domineering", ".#"),
    board("clobber", ".xo"),
    board("cannibal_clobber", ".xo"),
    board("nogo", ".xo#"),
    board("fission", ".x#"),
    board("konane", ".xo#"),
    board("amazons", ".xo#"),
    strip("kayles_row", "01"),
    strip("treblecross_row", ".X"),
    strip("toads_and_frogs", ".TF"),
    strip("toppling_dominoes", "LRE"),
    strip("elephants", ".ER"),
];

impl Squares {
    /// Returns the entry of [`SQUARES`] for the game named `game`.
    ///
    /// ```
    /// use grundy_core::registry::squares::{Layout, Squares};
    /// let konane = Squares::of("konane").unwrap();
    /// assert_eq!((konane.letters, konane.layout), (".xo#", Layout::Board));
    /// assert!(Squares::of("nim").is_none());
    /// ```
    #[must_use]
    pub fn of(game: &str) -> Option<&'static Self> {
        SQUARES.iter().find(|squares| squares.game == game)
    }

    /// Creates the position with these letters, given in row-major order.
    ///
    /// # Errors
    /// A position that the rules reject.
    ///
    /// # Panics
    /// If `columns` is 0.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::registry::squares::Squares;
    /// let clobber = Squares::of("clobber").unwrap();
    /// assert_eq!(clobber.position(3, b"xoxoxo")?.to_string(), r#"clobber(["xox", "oxo"])"#);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn position(&self, columns: usize, letters: &[u8]) -> Result<Position, Diagnostic> {
        let text = |row: &[u8]| Argument::Text(String::from_utf8_lossy(row).into_owned());
        let squares = match self.layout {
            Layout::Board => Argument::List(letters.chunks(columns).map(text).collect()),
            Layout::Strip => text(letters),
        };
        super::construct(self.game, &[(None, squares)]).map(Position::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that each game accepts a position with each of its letters, and that the text of this
    /// position contains the letter.
    #[test]
    fn every_letter_is_valid_in_its_game() {
        for squares in SQUARES {
            for letter in squares.letters.bytes() {
                let first = squares.letters.as_bytes()[0];
                let position = squares.position(2, &[first, letter]).unwrap();
                let text = position.to_string();
                assert!(text.contains(char::from(letter)), "{text}");
                assert!(text.starts_with(squares.game), "{text}");
            }
        }
    }
}
