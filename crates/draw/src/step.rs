//! Pictures for the steps of an explanation, as a lecturer would draw them next to the sentences.
//!
//! A [`StepPicture`] contains only the data of a picture, and [`svg`] draws it. Most of these data
//! are derived from the arguments of the steps by [`pictures`]. The data of pictures that show
//! positions must be given by the caller, since this crate does not parse the notation.

mod board;
mod change;
mod coins;
mod columns;
mod mex;
mod pictures;
mod residue;
mod squares;
mod stages;
mod zeckendorf;

use crate::svg::{Svg, letters};
use crate::{DrawnComponent, Wording};

pub use columns::BinaryColumns;
pub use pictures::pictures;
pub use residue::Residue;
pub use stages::Stage;

/// The picture for one step of an explanation, where a step is a claim or a move in one sentence.
#[derive(Clone, Debug)]
pub enum StepPicture {
    /// Numbers written in binary, one below the other with aligned digits.
    Columns(BinaryColumns),
    /// A row of numbers in which the values of the options are marked, and their mex.
    Mex {
        /// The values of the options, in ascending order.
        values: Vec<u64>,
        /// The mex: the least number that is not among the values.
        missing: u64,
    },
    /// A heap size and its residue class modulo a period.
    Residue(Residue),
    /// All stages of a labelling up to this step. A stage is a set of positions that get the same
    /// outcome at the same time. The last stage in the list is the one that the step adds.
    Stages(Vec<Stage>),
    /// A cycle of positions, given by their names. The first name is not repeated at the end.
    Cycle(Vec<String>),
    /// A rectangle that is cut into squares, given by the number of squares of each size. The
    /// largest size is first.
    Squares(Vec<u64>),
    /// A heap as a sum of Fibonacci numbers, no two of which are consecutive.
    Zeckendorf {
        /// The summands, in descending order.
        parts: Vec<u64>,
        /// The most chips that may be taken.
        most: u64,
    },
    /// The numbers of coins on the steps of a staircase, from step 1 upward. Only the odd steps
    /// affect the value.
    Staircase(Vec<u64>),
    /// The squares of the coins on a strip. Coins are paired from the right.
    Pairs(Vec<u64>),
    /// Rows with one piece of each player. The value depends on the gap between the two pieces of
    /// each row.
    Rows {
        /// The number of squares in a row.
        width: u64,
        /// For each row, the squares of its two pieces.
        rows: Vec<[u64; 2]>,
    },
    /// A row of coins, some of which show heads, and the values of the coins that show heads.
    Heads {
        /// The positions of the coins that show heads, counted from 1.
        heads: Vec<u64>,
        /// The value of each coin that shows heads, in the order of `heads`.
        values: Vec<u64>,
    },
    /// The values of the squares of a board, and the position of the piece. The first square is the
    /// corner at the bottom left.
    Values {
        /// One row for each y, from the bottom. A row has a value for each x.
        values: Vec<Vec<u64>>,
        /// The square of the piece, as [x, y].
        piece: [u64; 2],
    },
    /// A sequence of positions, each obtained from the previous one by a move or by a
    /// simplification. Each position is given by its notation and its picture.
    Positions(Vec<DrawnComponent>),
}

/// Margin around a picture, in pixels.
const MARGIN: f64 = 16.0;

/// Draws the picture as SVG. `title` is the sentence of the step, which screen readers use.
///
/// ```
/// use grundy_draw::step::{StepPicture, svg};
/// let mex = StepPicture::Mex { values: vec![0, 1, 3], missing: 2 };
/// let drawn = svg(&mex, "the least number missing is 2", &|step| step.code.to_owned());
/// assert!(drawn.contains("missing"));
/// ```
#[must_use]
pub fn svg(picture: &StepPicture, title: &str, say: Wording<'_>) -> String {
    let mut svg = Svg::new(title, title);
    let [width, height] = match picture {
        StepPicture::Columns(columns) => columns::draw(&mut svg, columns, say),
        StepPicture::Mex { values, missing } => mex::draw(&mut svg, values, *missing, say),
        StepPicture::Residue(residue) => residue::draw(&mut svg, residue, say),
        StepPicture::Stages(stages) => stages::draw(&mut svg, stages, say),
        StepPicture::Cycle(names) => stages::cycle(&mut svg, names),
        StepPicture::Squares(quotients) => squares::draw(&mut svg, quotients),
        StepPicture::Zeckendorf { parts, most } => zeckendorf::draw(&mut svg, parts, *most, say),
        StepPicture::Staircase(coins) => coins::staircase(&mut svg, coins),
        StepPicture::Pairs(places) => coins::pairs(&mut svg, places),
        StepPicture::Rows { width, rows } => coins::rows(&mut svg, *width, rows),
        StepPicture::Heads { heads, values } => coins::heads(&mut svg, heads, values),
        StepPicture::Values { values, piece } => board::draw(&mut svg, values, *piece, say),
        StepPicture::Positions(positions) => change::draw(&mut svg, positions, say),
    };
    svg.finish(width + 2.0 * MARGIN, height + 2.0 * MARGIN)
}

/// Returns the approximate width of a text of the given size, in pixels.
fn wide(text: &str, size: f64) -> f64 {
    0.6 * size * letters(text) as f64
}
