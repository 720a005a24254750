//! Pictures of positions as data, which a renderer draws.
//!
//! A move has a list `at` of integers that identify it. The documentation of each shape states how
//! `at` locates the move in the picture. Some moves have no location, for example those that leave
//! several heaps. Squares, vertices and edges are numbered as in the notation.

/// The picture of a component: its shape, with the data to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Heaps of chips, given by their sizes. The `at` of a move is `[heap, size...]`: the index of
    /// the heap, and the sizes of the heaps that replace it.
    Heaps(Vec<u64>),
    /// Heaps of chips of which a move may change several. The `at` of a move lists the sizes of all
    /// heaps after the move.
    HeapsTogether(Vec<u64>),
    /// One heap, with a limit on the chips that a move takes. The `at` of a move is `[size]`, the
    /// number of chips that remain.
    Bounded {
        /// The number of chips.
        size: u64,
        /// The most chips that may be taken.
        most: u64,
    },
    /// A strip of numbered squares, each with any number of coins. The `at` of a move is
    /// `[coin, square]`: the index of the coin in `coins`, and the square to which it moves.
    Strip {
        /// The number assigned to the first square. The other squares are numbered consecutively
        /// from there.
        first: u64,
        /// The square of each coin.
        coins: Vec<u64>,
    },
    /// A strip of squares, numbered from 0, with coins on the given squares. The `at` of a move is
    /// `[from, to]`, two squares.
    Coins(Vec<u64>),
    /// A row of coins, at the positions 1, 2 and so on. The coins at the given positions show
    /// heads, and all others show tails. The `at` of a move lists the positions of the coins
    /// turned.
    Heads(Vec<u64>),
    /// The number of coins on each step of a staircase, from step 1. The `at` of a move is
    /// `[step, count]`: `count` coins move down from `step`.
    Stairs(Vec<u64>),
    /// A board, with one string for each row and one character for each square: `.` is free, `#` is
    /// blocked, and a letter is a piece. The `at` of a move is `[row, column]`, or the row and
    /// column of two squares.
    Board(Vec<String>),
    /// A strip of squares, with one character for each square as on a board. The `at` of a move is
    /// `[square]` or `[from, to]`.
    Lane(String),
    /// Pins in a row, with `false` for a pin that has been knocked down. The `at` of a move lists
    /// the indices of the pins that it knocks down.
    Pins(Vec<bool>),
    /// Upright dominoes in a row, one letter for each. The `at` of a move is `[domino, side]`,
    /// where side 0 topples it to the left and side 1 to the right.
    Dominoes(String),
    /// Rows of squares with one counter of each player. The `at` of a move is `[row, column]`.
    Counters {
        /// The number of columns.
        width: u64,
        /// The columns of Left's and of Right's counter, row by row.
        rows: Vec<[u64; 2]>,
    },
    /// One piece on a board that is infinite to the right and upwards. The corner at the bottom
    /// left is (0, 0). The `at` of a move is `[column, row]`, the square to which the piece moves.
    Piece(u64, u64),
    /// The lengths of left-aligned rows of squares, from the top. The first square of the first row
    /// is poisoned. The `at` of a move is `[row, column]`.
    Rows(Vec<u64>),
    /// A rectangle with the given sides, from which squares are cut off as in Euclid's algorithm.
    /// The `at` of a move is the number of squares cut off.
    Rectangle(u64, u64),
    /// A date, and the date that ends the game. The `at` of a move is `[year, month, day]`.
    Day {
        /// The date: year, month and day.
        date: [u64; 3],
        /// The date that ends the game: year, month and day.
        last: [u64; 3],
    },
    /// A graph. The `at` of a move is `[vertex]` if `numbers` is empty. Otherwise it is `[edge]`,
    /// where `edge` is the entry of `numbers` for the edge that the move chooses.
    Graph {
        /// Each vertex: its number, and the letter of the piece on it, or `.` if there is no piece.
        vertices: Vec<(u32, char)>,
        /// The pairs of adjacent vertices.
        edges: Vec<[u32; 2]>,
        /// For each edge, the number by which moves refer to it. Empty if moves refer to vertices.
        numbers: Vec<u32>,
    },
    /// Edges connected to the ground, as in Hackenbush. The `at` of a move is `[edge]`, where
    /// `edge` is the entry of `numbers` for the edge that is cut.
    Edges {
        /// The two ends of each edge, and the letter of its colour: `g`, `b` or `r`.
        edges: Vec<([u32; 2], char)>,
        /// For each edge, the number by which moves refer to it.
        numbers: Vec<u32>,
        /// The vertices on the ground.
        ground: Vec<u32>,
    },
    /// The text of a position that has no better picture.
    Text(String),
}
