//! What a position looks like, as data: a renderer makes ink of it.
//!
//! Each shape says how the integers that identify a move, its `at`, name a place on it; moves that
//! name none, such as those that leave several heaps, have no place. Numbers are those of the
//! notation.

/// The shape of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Heaps of chips, by size. A move is `[heap, size...]`: what it leaves in place of the heap.
    Heaps(Vec<u64>),
    /// Heaps of which several change at once. A move is the sizes of all of them after it.
    HeapsTogether(Vec<u64>),
    /// One heap of which at most so many chips may be taken. A move is `[size]`, what it leaves.
    Bounded {
        /// The chips there are.
        size: u64,
        /// The most that may be taken.
        most: u64,
    },
    /// A strip of numbered squares that coins stand on, any number on each. A move is
    /// `[coin, square]`: which coin, in the order given, goes where.
    Strip {
        /// The number of the first square.
        first: u64,
        /// The squares that hold coins, one entry a coin.
        coins: Vec<u64>,
    },
    /// A strip of squares, numbered from 0, with a coin on each of these. A move is `[from, to]`.
    Coins(Vec<u64>),
    /// A row of coins, numbered from 1: these show heads, the others tails. A move is the coins
    /// turned.
    Heads(Vec<u64>),
    /// Coins on the steps of a staircase, from step 1. A move is `[step, count]`.
    Stairs(Vec<u64>),
    /// A board: one string a row, one character a square; `.` is free, `#` blocked, a letter is a
    /// piece. A move is `[row, column]`, or the rows and columns of two squares.
    Board(Vec<String>),
    /// A strip of squares: one character a square, as on a board. A move is `[square]` or
    /// `[from, to]`.
    Lane(String),
    /// Pins in a row, some of them gone. A move is the pins knocked down.
    Pins(Vec<bool>),
    /// Dominoes on their ends in a row, one letter each. A move is `[domino, side]`: 0 to the left,
    /// 1 to the right.
    Dominoes(String),
    /// One counter of each player in every row: columns of Left's and of Right's. A move is
    /// `[row, column]`.
    Counters {
        /// The number of columns.
        width: u64,
        /// The columns of Left's counter and of Right's, row by row.
        rows: Vec<[u64; 2]>,
    },
    /// One piece on the quarter board, with the corner (0, 0) at the bottom left. A move is
    /// `[column, row]`.
    Piece(u64, u64),
    /// Rows of squares, left-aligned, from the top; the first square is poison. A move is
    /// `[row, column]`.
    Rows(Vec<u64>),
    /// A rectangle with these sides, cut into squares as Euclid's algorithm goes. A move is
    /// `[squares cut off]`.
    Rectangle(u64, u64),
    /// A day, and the day that ends the game. A move is `[year, month, day]`.
    Day {
        /// Year, month and day.
        date: [u64; 3],
        /// The day to reach.
        last: [u64; 3],
    },
    /// Vertices and edges. A move is `[vertex]`, or `[number of the edge]` where the edges are
    /// numbered.
    Graph {
        /// The number of each vertex and what stands on it: a letter, or `.`.
        vertices: Vec<(u32, char)>,
        /// Pairs of neighbours.
        edges: Vec<[u32; 2]>,
        /// The numbers of the edges where moves name them, else nothing.
        numbers: Vec<u32>,
    },
    /// Edges that stand on the ground. A move is `[number of the edge]`.
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
