//! What a position looks like, as data: a renderer makes ink of it.

/// The shape of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Heaps of chips, by size.
    Heaps(Vec<u64>),
    /// A strip of numbered squares: the number of the first square, and how many coins stand on each. Squares are
    /// listed up to the last coin.
    Strip {
        /// The number of the first square.
        first: u64,
        /// The squares that hold coins, one entry a coin.
        coins: Vec<u64>,
    },
    /// A board: one string a row, one character a square; `.` is free, `#` blocked, a letter is a piece.
    Board(Vec<String>),
    /// One piece on the quarter board, with the corner (0, 0) at the bottom left.
    Piece(u64, u64),
    /// Rows of squares, left-aligned, from the top; the first square is marked.
    Rows(Vec<u64>),
    /// Edges that stand on the ground.
    Edges {
        /// The two ends of each edge and the letter of its colour: `g`, `b` or `r`.
        edges: Vec<([u32; 2], char)>,
        /// The number that names the cut of each edge.
        numbers: Vec<u32>,
        /// The vertices on the ground.
        ground: Vec<u32>,
    },
    /// Nothing better than its text.
    Text(String),
}
