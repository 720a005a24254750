//! Parsing of matrix games. The formats are CSV, tables separated by white space, JSON, and
//! Gambit's `.nfg`. The beginning of the text determines the format.
//!
//! Numbers are exact in all formats: integers, fractions a/b, decimals, and numbers with an
//! exponent of ten.

mod json;
mod nfg;
pub mod number;
mod strategy;
mod table;
pub mod tokens;

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Stop, message};

use crate::matrix::{MAX_ENTRIES, MAX_STRATEGIES, Matrix, Number};

pub use strategy::strategy;

/// Parses a matrix game.
///
/// A text that begins with `NFG` is in Gambit's normal form. A text that begins with `[` is a JSON
/// array of arrays. Any other text is a table with one row on each line, whose entries are
/// separated by `;`, `,`, tabs or spaces. In a table, empty lines and lines that begin with `#` are
/// skipped.
///
/// # Errors
/// The first error, with its position in the text.
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
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Kind::Encoding, message!("the input is not UTF-8")).at(at..at + 1)
    })?;
    let body = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - body.len();
    let mut builder = MatrixBuilder::new(text.len());
    if body.is_empty() {
        return Err(empty(0..text.len()));
    }
    if body.starts_with("NFG") {
        nfg::read(text, start, &mut builder)?;
    } else if body.starts_with('[') {
        json::read(text, start, &mut builder)?;
    } else if body.starts_with('{') {
        return Err(Diagnostic::new(
            Kind::Syntax,
            message!("expected an array of rows, found a JSON object"),
        )
        .at(start..start + 1)
        .help(message!("write an array of arrays: [[1, 0], [0, 2]]")));
    } else {
        table::read(text, start, &mut builder)?;
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

/// Largest number of bits of all entries together.
const MAX_BITS: u64 = 1 << 28;

/// The entries of a matrix in row-major order, while they are parsed.
struct MatrixBuilder {
    entries: Vec<Number>,
    /// Total number of bits of the entries that are not small integers.
    bits: u64,
    columns: Option<usize>,
    row_start: usize,
    rows: usize,
    length: usize,
}

impl MatrixBuilder {
    fn new(length: usize) -> Self {
        Self {
            entries: Vec::new(),
            bits: 0,
            columns: None,
            row_start: 0,
            rows: 0,
            length,
        }
    }

    /// Appends the entry `text`, which is at `span` in the input.
    fn push_text(&mut self, text: &str, span: Range<usize>) -> Result<(), Diagnostic> {
        let entry = number::number(text).map_err(|reason| number_error(text, reason, &span))?;
        self.push(entry, span)
    }

    fn push(&mut self, entry: Number, span: Range<usize>) -> Result<(), Diagnostic> {
        let index = self.entries.len() - self.row_start;
        // The error is reported at the first entry beyond the length of the other rows. So the rest
        // of a very long row is not parsed.
        if let Some(columns) = self.columns
            && index == columns
        {
            return Err(Self::row_length_error(index + 1, columns, true, span));
        }
        if index == MAX_STRATEGIES {
            let message = message!(
                "a row has more than {most_strategies} entries",
                most_strategies = MAX_STRATEGIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        if self.entries.len() == MAX_ENTRIES {
            let message = message!(
                "the matrix has more than {most_entries} entries",
                most_entries = MAX_ENTRIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        if let Number::Ratio(ratio) = &entry {
            self.bits += ratio.numer().bits() + ratio.denom().bits();
            if self.bits > MAX_BITS {
                let message = message!("the entries together have too many digits");
                return Err(Diagnostic::new(Kind::Limit, message).at(span));
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Completes the current row. An error message refers to `span`, a range of bytes in the input.
    fn end_row(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
        let count = self.entries.len() - self.row_start;
        match self.columns {
            _ if count == 0 => {
                return Err(Diagnostic::new(
                    Kind::IllegalPosition,
                    message!("a row has no entries"),
                )
                .at(span));
            }
            Some(columns) if count != columns => {
                return Err(Self::row_length_error(count, columns, false, span));
            }
            _ => self.columns = Some(count),
        }
        self.rows += 1;
        self.row_start = self.entries.len();
        if self.rows > MAX_STRATEGIES {
            let message = message!(
                "the matrix has more than {most_strategies} rows",
                most_strategies = MAX_STRATEGIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        Ok(())
    }

    /// Returns the error for a row whose length differs from that of the first row. `cut` is `true`
    /// if the row was not parsed to its end.
    fn row_length_error(count: usize, columns: usize, cut: bool, span: Range<usize>) -> Diagnostic {
        let message = if cut {
            message!(
                "the length of this row is at least {count}, and that of the first row is {columns}",
                count,
                columns
            )
        } else {
            message!(
                "the length of this row is {count}, and that of the first row is {columns}",
                count,
                columns
            )
        };
        Diagnostic::new(Kind::IllegalPosition, message)
            .at(span)
            .help(message!("all rows of a matrix must have the same length"))
    }

    fn finish(self) -> Result<Matrix, Diagnostic> {
        let Some(columns) = self.columns else {
            return Err(empty(0..self.length));
        };
        Matrix::new(columns, &self.entries).map_err(|stop: Stop| {
            Diagnostic::new(
                Kind::Limit,
                message!(
                    "the common denominator of the entries is too large: {why}",
                    why = stop.message()
                ),
            )
            .at(0..self.length)
        })
    }
}

/// Returns the error for an invalid number.
fn number_error(text: &str, (kind, reason): number::NotANumber, span: &Range<usize>) -> Diagnostic {
    let mut shown: String = text.chars().take(24).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    let error =
        Diagnostic::new(kind, message!("`{shown}` {reason}", shown, reason)).at(span.clone());
    if kind == Kind::Syntax {
        error.help(message!(
            "entries must be integers, fractions a/b or decimals such as -1.5e3"
        ))
    } else {
        error
    }
}
