//! Games whose positions are letters on squares: which letters, on a board or along a strip.
//! Whoever goes through positions of a game, or draws them, makes them here.

use crate::argument::Argument;
use grundy_base::Diagnostic;
use grundy_engine::position::Position;

/// How the squares of a game lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In rows and columns.
    Board,
    /// In one row.
    Strip,
}

/// The squares of a game.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// The constructor.
    pub game: &'static str,
    /// What may stand on a square, or be one.
    pub letters: &'static str,
    /// How they lie.
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

/// All such games in which the last move decides. In Clobber nobody moves to a free square, so that
/// blocked ones make no difference.
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
    /// Returns the squares of the game of this name.
    #[must_use]
    pub fn of(game: &str) -> Option<&'static Self> {
        SQUARES.iter().find(|squares| squares.game == game)
    }

    /// Returns the position with these letters, row after row.
    ///
    /// # Errors
    /// A position that the rules do not allow.
    ///
    /// # Panics
    /// When there are no columns.
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

    /// Every letter may stand on a square of its game, and what is made reads as it is printed.
    #[test]
    fn every_letter_is_one_of_its_game() {
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
