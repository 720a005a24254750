//! What a picture is made of: the terms of a position with their moves, and how it is to look.

use grundy::picture::Picture;
use grundy::{Player, Position};

/// A term to be drawn.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its notation.
    pub text: String,
    /// What it looks like.
    pub picture: Picture,
    /// The moves that can be clicked, or none.
    pub moves: Vec<ShownMove>,
    /// `true` if there are more moves than are given.
    pub more: bool,
}

/// A move in a term.
#[derive(Clone, Debug)]
pub struct ShownMove {
    /// What identifies it.
    pub at: Vec<u64>,
    /// Whose move it is, where the players have own moves.
    pub player: Option<Player>,
    /// What it does, in words.
    pub words: String,
    /// What it leaves, such as `P`, where that is known.
    pub leaves: Option<String>,
    /// `true` if it is to be marked as a winning move.
    pub wins: bool,
}

/// How a picture looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent wishes")]
pub struct Look {
    /// On a dark ground.
    pub dark: bool,
    /// With the expression above it.
    pub title: bool,
    /// With the number of its move at every edge, however many edges there are.
    pub labels: bool,
    /// With the numbers of the vertices of a Hackenbush picture, which an argument about it speaks
    /// of.
    pub vertices: bool,
    /// With a button for every move that has no place of its own, such as a heap's split into two.
    /// Without, its group is there and has no ink, unless it is a winning move that is to be
    /// marked.
    pub buttons: bool,
}

/// How a position looks in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent wishes")]
pub struct TerminalLook<'a> {
    /// In ASCII alone.
    pub ascii: bool,
    /// With the players' pieces in colours, which the letters say as well, by escape sequences.
    pub colour: bool,
    /// In colour: the last move, which stands out on the board where it can be seen, and the number
    /// of the term it was made in.
    pub last: Option<(usize, &'a [u64])>,
    /// With the number of its move at every edge.
    pub labels: bool,
    /// With the expression above it.
    pub title: bool,
}

impl Shown {
    /// Returns a term without its moves.
    #[must_use]
    pub fn new(text: String, picture: Picture) -> Self {
        Self {
            text,
            picture,
            moves: Vec::new(),
            more: false,
        }
    }

    /// Returns the terms of a position without their moves.
    #[must_use]
    pub fn terms(position: &Position) -> Vec<Self> {
        let terms = position.terms().iter();
        terms
            .map(|term| Self::new(term.text(), term.picture()))
            .collect()
    }
}
