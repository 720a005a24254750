//! Pictures of the steps of an argument: what a lecturer draws beside the sentence.
//!
//! A [`StepPicture`] is data; most are read off the arguments of the steps by [`pictures`], and
//! those that show positions are made by whoever can read the notation.

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
use crate::{Say, Shown};

pub use columns::BinaryColumns;
pub use pictures::pictures;
pub use residue::Residue;
pub use stages::Stage;

/// What is drawn beside a step.
#[derive(Clone, Debug)]
pub enum StepPicture {
    /// Numbers in binary, one under the other.
    Columns(BinaryColumns),
    /// The values of the options on a row, and the least number missing.
    Mex {
        /// The values of the options, ascending.
        values: Vec<u64>,
        /// The one missed.
        missing: u64,
    },
    /// A heap and its class in a period.
    Residue(Residue),
    /// The stages of a labelling so far; the last is the one that the step adds.
    Stages(Vec<Stage>),
    /// A way round, by the names of its positions; the first is not repeated.
    Cycle(Vec<String>),
    /// A rectangle cut into squares, so many of each size.
    Squares(Vec<u64>),
    /// A heap as a sum of Fibonacci numbers.
    Zeckendorf {
        /// The parts, descending.
        parts: Vec<u64>,
        /// How many may be taken.
        most: u64,
    },
    /// A staircase with so many coins on each step, from step 1; the odd steps count.
    Staircase(Vec<u64>),
    /// Coins on a strip, paired from the right.
    Pairs(Vec<u64>),
    /// Rows with two pieces each, and the gaps between them.
    Rows {
        /// Squares of a row.
        width: u64,
        /// Where the two pieces of each row stand.
        rows: Vec<[u64; 2]>,
    },
    /// Coins that show heads, with what each is worth.
    Heads {
        /// The places of the heads, from 1.
        heads: Vec<u64>,
        /// Their values.
        values: Vec<u64>,
    },
    /// The values of the squares of a board, from its corner, and the piece.
    Values {
        /// A row for each y, a value for each x.
        values: Vec<Vec<u64>>,
        /// The square of the piece.
        piece: [u64; 2],
    },
    /// Positions one after the other, each with its notation.
    Positions(Vec<Shown>),
}

/// Room around a picture.
const MARGIN: f64 = 16.0;

/// Returns the picture as SVG; `title` is the sentence of the step, for whoever cannot see it.
///
/// ```
/// use grundy_draw::step::{StepPicture, svg};
/// let mex = StepPicture::Mex { values: vec![0, 1, 3], missing: 2 };
/// assert!(svg(&mex, "the least number missing is 2", &|step| step.code.to_owned()).contains("missing"));
/// ```
#[must_use]
pub fn svg(picture: &StepPicture, title: &str, say: Say<'_>) -> String {
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

/// Returns the width of a text of this size.
fn wide(text: &str, size: f64) -> f64 {
    0.6 * size * letters(text) as f64
}
