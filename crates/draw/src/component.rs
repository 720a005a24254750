//! The input of a drawing: the components of a position with their moves, and the style.

use grundy_core::picture::Picture;
use grundy_core::{Player, Position};

/// A component to draw.
#[derive(Clone, Debug)]
pub struct DrawnComponent {
    /// The component in the notation.
    pub text: String,
    /// The kind of picture, with its data.
    pub picture: Picture,
    /// The moves that can be clicked. Empty for a drawing without moves.
    pub moves: Vec<DrawnMove>,
    /// `true` if the component has more moves than `moves` contains.
    pub more: bool,
}

/// A move in a component.
#[derive(Clone, Debug)]
pub struct DrawnMove {
    /// The integers that identify the move within the component.
    pub at: Vec<u64>,
    /// The player who can make the move in a partizan game. `None` in an impartial game.
    pub player: Option<Player>,
    /// The description of the move in words.
    pub words: String,
    /// The outcome after the move, such as `P`, if it is known.
    pub leaves: Option<String>,
    /// `true` if the move is marked as winning.
    pub wins: bool,
}

/// The style of a picture in SVG or TikZ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent wishes")]
pub struct PictureStyle {
    /// `true` for a dark background.
    pub dark: bool,
    /// `true` to write the expression above the picture.
    pub title: bool,
    /// `true` to label every edge of a graph with the number by which moves refer to it, even if
    /// there are many edges.
    pub labels: bool,
    /// `true` to show the numbers of the vertices of a Hackenbush picture. The sentences of a proof
    /// refer to vertices by these numbers.
    pub vertices: bool,
    /// `true` to draw a button for every move that has no place in the picture, such as the split
    /// of a heap. If `false`, only the winning moves among them have buttons. For each of the
    /// remaining moves, the SVG then contains an empty `<g>` element, so that programs can find the
    /// move.
    pub buttons: bool,
}

/// The style of a position in a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent wishes")]
pub struct TerminalStyle<'a> {
    /// `true` to use ASCII characters only.
    pub ascii: bool,
    /// `true` to colour the pieces of each player with escape sequences. Without colours, only the
    /// letters of the pieces show the players.
    pub colour: bool,
    /// The index of the component in which the last move was made, and the integers of the move.
    /// With `colour`, the squares, heaps or vertices of this move are highlighted, unless the
    /// drawing omits them.
    pub last: Option<(usize, &'a [u64])>,
    /// `true` to label every edge of a graph with the number by which moves refer to it.
    pub labels: bool,
    /// `true` to write the expression above the picture.
    pub title: bool,
}

impl DrawnComponent {
    /// Creates a component without moves, from its notation and its picture.
    ///
    /// ```
    /// use grundy_core::picture::Picture;
    /// use grundy_draw::{DrawnComponent, PictureStyle, svg};
    /// let heap = DrawnComponent::new("nim(3)".to_owned(), Picture::Heaps(vec![3]));
    /// let picture = svg(&[heap], &PictureStyle::default(), &|step| step.code.to_owned());
    /// assert_eq!(picture.matches("fill-chip").count(), 3);
    /// ```
    #[must_use]
    pub fn new(text: String, picture: Picture) -> Self {
        Self {
            text,
            picture,
            moves: Vec::new(),
            more: false,
        }
    }

    /// Returns the components of a position, all without moves.
    ///
    /// ```
    /// use grundy_core::picture::Picture;
    /// use grundy_draw::DrawnComponent;
    /// use grundy_notation::read_position;
    /// let terms = DrawnComponent::terms(&read_position("nim(3, 4) + kayles(5)")?);
    /// assert_eq!(terms[0].picture, Picture::Heaps(vec![3, 4]));
    /// assert_eq!(terms[1].text, "kayles(5)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn terms(position: &Position) -> Vec<Self> {
        let terms = position.terms().iter();
        terms
            .map(|term| Self::new(term.text(), term.picture()))
            .collect()
    }
}
