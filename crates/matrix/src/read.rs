//! Parsing of matrix games, as people and programs write them.
//!
//! The formats are Gambit's `.nfg`, lists in brackets (JSON, `NumPy`, MATLAB, Mathematica), LaTeX,
//! and tables with one row on each line. The beginning of the text determines the format.
//!
//! Numbers are exact in all formats: integers, fractions a/b, decimals, and numbers with an
//! exponent of ten. An entry is the payoff to the row player. It may also consist of the payoffs to
//! both players, if these have the same sum in all entries.

mod brackets;
mod builder;
mod cell;
mod grid;
mod latex;
mod nfg;
pub mod number;
mod object;
mod strategy;
mod table;
pub mod tokens;
pub mod total;

use std::ops::Range;

use grundy_base::ascii::ascii_of;
use grundy_base::{Diagnostic, Kind, message};
use num_rational::BigRational;

use crate::matrix::Matrix;

use builder::MatrixBuilder;
pub use strategy::strategy;

/// A matrix game, with all that a text says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixGame {
    /// The payoffs to the row player.
    pub matrix: Matrix,
    /// The sum of the payoffs to both players, which is the same for all entries. `None` if the
    /// text contains only the payoffs to the row player.
    pub constant: Option<BigRational>,
    /// The names of the rows, if they have names.
    pub row_names: Option<Vec<String>>,
    /// The names of the columns, if they have names.
    pub column_names: Option<Vec<String>>,
    /// Remarks about how the text was read.
    pub notes: Vec<Note>,
}

/// A remark about how a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Commas are decimal points.
    DecimalCommas,
    /// The first line is the size of the matrix, and no row of it.
    SizeLine,
    /// The first line is a row of the matrix, although it could be its size.
    SizeOrRow,
}

/// Parses a matrix game, and returns the payoffs to the row player.
///
/// # Errors
/// As [`read_game`].
///
/// # Complexity
/// O(length) time and memory for numbers of bounded length.
///
/// # Examples
/// ```
/// let game = grundy_matrix::read::read(b"[[1, \"1/2\"], [0.25, -3e2]]").unwrap();
/// assert_eq!(game.entry(1, 0).to_string(), "1/4");
/// let error = grundy_matrix::read::read(b"1,2\n3\n").unwrap_err();
/// assert_eq!(error.span, Some(4..5));
/// ```
pub fn read(bytes: &[u8]) -> Result<Matrix, Diagnostic> {
    read_game(bytes).map(|game| game.matrix)
}

/// Parses a matrix game with the names of its rows and columns.
///
/// A text that begins with `NFG` is in Gambit's normal form. A text with a LaTeX environment such
/// as `pmatrix` or `tabular` is a LaTeX table. A text that begins with a bracket is a list, as
/// JSON, Python, `NumPy`, MATLAB and Mathematica print it. Any other text is a table with one row
/// on each line, whose entries are separated by `;`, tabs, `|`, `,` or spaces. In a table, empty
/// lines and lines that begin with `#` are skipped.
///
/// The first row of a table may contain the names of the columns, and the first column those of the
/// rows. The first line may also be the size of the matrix: `2 3`, or `3` if it is square. Digits
/// and marks may be full-width characters.
///
/// # Errors
/// The first error, with its position in the text. Two payoffs in an entry must have the same sum
/// in all entries.
///
/// # Complexity
/// O(length) time and memory for numbers of bounded length.
///
/// # Examples
/// ```
/// use grundy_matrix::read::read_game;
/// let game = read_game(b",left,right\nup,1,-1\ndown,-1,1\n").unwrap();
/// assert_eq!(game.row_names.unwrap(), ["up", "down"]);
/// // Both players share 2.
/// let game = read_game(b"[[[2, 0], [0, 2]], [[0, 2], [1, 1]]]").unwrap();
/// assert_eq!(game.constant.unwrap().to_string(), "2");
/// ```
pub fn read_game(bytes: &[u8]) -> Result<MatrixGame, Diagnostic> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Kind::Encoding, message!("the input is not UTF-8")).at(at..at + 1)
    })?;
    if text.contains(is_full_width) {
        let narrow = |letter: char| ascii_of(letter).filter(|_| is_full_width(letter));
        let ascii: String = text
            .chars()
            .map(|letter| narrow(letter).unwrap_or(letter))
            .collect();
        return read_text(&ascii).map_err(|error| {
            // The error refers to the text with shorter characters.
            let place = |at: usize| {
                let letters = ascii.get(..at).unwrap_or(&ascii).chars().count();
                let mut places = text.char_indices().map(|(at, _)| at);
                places.nth(letters).unwrap_or(text.len())
            };
            let span = error
                .span
                .clone()
                .map(|span| place(span.start)..place(span.end));
            Diagnostic { span, ..error }
        });
    }
    read_text(text)
}

/// Returns whether a character is a full-width digit or a full-width mark, but not a letter.
fn is_full_width(letter: char) -> bool {
    matches!(letter, '\u{ff01}'..='\u{ff5e}' | '\u{3000}')
        && ascii_of(letter).is_some_and(|ascii| !ascii.is_ascii_alphabetic())
}

/// Parses a matrix game as [`read_game`] does.
fn read_text(text: &str) -> Result<MatrixGame, Diagnostic> {
    let body = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - body.len();
    let mut builder = MatrixBuilder::new(text.len());
    if body.is_empty() {
        return Err(empty(0..text.len()));
    }
    let first_word = body.split(char::is_whitespace).next().unwrap_or_default();
    if first_word == "NFG" {
        nfg::read(text, start, &mut builder)?;
    } else if first_word == "EFG" {
        let message = message!("this is a game in extensive form, not a matrix");
        let error = Diagnostic::new(Kind::Syntax, message).at(start..start + 3);
        return Err(error.help(message!(
            "a file that begins with `EFG` contains a game tree"
        )));
    } else if latex::is_latex(body) {
        latex::grid(text, start)?.fill(&mut builder)?;
    } else if object::is_object(body) {
        object::read(text, start, &mut builder)?;
    } else if let Some(start) = brackets::start(text, start) {
        brackets::read(text, start, &mut builder)?;
    } else {
        // The corner of a table with names may be empty, so the table starts with its line.
        let mark = text.len() - text.trim_start_matches('\u{feff}').len();
        let line = text[mark..start].rfind('\n');
        let line = line.map_or(mark, |at| mark + at + 1);
        table::grid(text, line)?.fill(&mut builder)?;
    }
    builder.finish()
}

fn empty(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::IllegalPosition, message!("the matrix has no entries"))
        .at(span)
        .help(message!(
            "write one row per line, with spaces between the entries, such as 1 0"
        ))
}
