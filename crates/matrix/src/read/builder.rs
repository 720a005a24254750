//! The matrix that the parsers build, entry by entry. All limits are checked here.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, Stop, message};
use num_rational::BigRational;

use super::total::{CommonTotal, brief};
use super::{MatrixGame, Note, empty, number};
use crate::matrix::{MAX_ENTRIES, MAX_STRATEGIES, Matrix, Number};

/// Largest number of bits of all entries together.
const MAX_BITS: u64 = 1 << 28;

/// Largest length of the name of a row or a column, in bytes.
const MAX_NAME_BYTES: usize = 1_000;

/// The entries of a matrix in row-major order, while they are parsed.
pub(super) struct MatrixBuilder {
    entries: Vec<Number>,
    /// Total number of bits of the entries that are not small integers.
    bits: u64,
    columns: Option<usize>,
    row_start: usize,
    rows: usize,
    length: usize,
    names: [Option<Vec<String>>; 2],
    /// The sum of the two payoffs of each entry, with the entry that was read first.
    total: CommonTotal<[usize; 2]>,
    /// `true` if the entries are pairs of payoffs. `None` before the first entry.
    paired: Option<bool>,
    notes: Vec<Note>,
}

/// The rows or the columns of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Rows,
    Columns,
}

impl MatrixBuilder {
    pub(super) fn new(length: usize) -> Self {
        Self {
            entries: Vec::new(),
            bits: 0,
            columns: None,
            row_start: 0,
            rows: 0,
            length,
            names: [None, None],
            total: CommonTotal::default(),
            paired: None,
            notes: Vec::new(),
        }
    }

    /// Records a remark about how the text was read.
    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Adds the name of the next row or column.
    pub(super) fn push_name(
        &mut self,
        named: Named,
        name: &str,
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        if name.len() > MAX_NAME_BYTES {
            let message = message!(
                "the name of a row or column is longer than {most} bytes",
                most = MAX_NAME_BYTES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        let names = self.names[named as usize].get_or_insert_default();
        if names.len() == MAX_STRATEGIES {
            return Err(match named {
                Named::Rows => too_many_rows(span),
                Named::Columns => too_many_columns(span),
            });
        }
        // A name is printed in a terminal, so control characters are replaced.
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        names.push(name.trim().chars().map(printable).collect());
        Ok(())
    }

    /// Appends the entry `text`, which is at `span` in the input.
    pub(super) fn push_text(&mut self, text: &str, span: Range<usize>) -> Result<(), Diagnostic> {
        self.push(number(text, &span)?, span)
    }

    /// Appends an entry that consists of the payoff to the row player.
    pub(super) fn push(&mut self, entry: Number, span: Range<usize>) -> Result<(), Diagnostic> {
        self.set_paired(false, &span)?;
        self.append(entry, span)
    }

    /// Appends an entry that consists of the payoffs to both players.
    pub(super) fn push_pair(
        &mut self,
        payoffs: [BigRational; 2],
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        let place = [self.rows, self.entries.len() - self.row_start];
        let entry = self.check_total(place, payoffs, span.clone())?;
        self.append(entry, span)
    }

    /// Compares the sum of the payoffs of an entry with the sums of the others. Returns the payoff
    /// to the row player.
    pub(super) fn check_total(
        &mut self,
        place: [usize; 2],
        payoffs: [BigRational; 2],
        span: Range<usize>,
    ) -> Result<Number, Diagnostic> {
        self.set_paired(true, &span)?;
        let total = &payoffs[0] + &payoffs[1];
        if let Err(difference) = self.total.add(total, || place) {
            let cell = |[row, column]: [usize; 2]| {
                let name = |named: Named, index: usize| match &self.names[named as usize] {
                    Some(names) if index < names.len() => brief(&names[index], 40),
                    _ => index.to_string(),
                };
                message!(
                    "row {row}, column {column}",
                    row = name(Named::Rows, row),
                    column = name(Named::Columns, column)
                )
            };
            let message = message!(
                "the payoffs in {cell} add up to {total}, and those in {first} add up to {common}",
                cell = cell(place),
                total = difference.total_text(),
                first = cell(*difference.place),
                common = difference.common_text()
            );
            return Err(Diagnostic::new(Kind::IllegalPosition, message).at(span).help(message!(
                "the two payoffs of each entry must add up to the same number; equilibria of other games (two payoff matrices, general-sum) are not computed"
            )));
        }
        let [entry, _] = payoffs;
        Ok(entry.into())
    }

    /// Checks that all entries have the same number of payoffs.
    fn set_paired(&mut self, paired: bool, span: &Range<usize>) -> Result<(), Diagnostic> {
        if *self.paired.get_or_insert(paired) == paired {
            return Ok(());
        }
        let message = if paired {
            message!("this entry has two payoffs, and the entries before it have one")
        } else {
            message!("this entry has one payoff, and the entries before it have two")
        };
        let error = Diagnostic::new(Kind::IllegalPosition, message).at(span.clone());
        Err(error.help(message!(
            "write one payoff in each entry, or the payoffs of both players in each entry"
        )))
    }

    /// Appends an entry, after its payoffs have been checked.
    pub(super) fn append(&mut self, entry: Number, span: Range<usize>) -> Result<(), Diagnostic> {
        let index = self.entries.len() - self.row_start;
        // The error is reported at the first entry beyond the length of the other rows. So the rest
        // of a very long row is not parsed.
        if let Some(columns) = self.columns
            && index == columns
        {
            return Err(Self::row_length_error(index + 1, columns, true, span));
        }
        if index == MAX_STRATEGIES {
            return Err(too_many_columns(span));
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
    pub(super) fn end_row(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
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
            return Err(too_many_rows(span));
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

    pub(super) fn finish(self) -> Result<MatrixGame, Diagnostic> {
        let Some(columns) = self.columns else {
            return Err(empty(0..self.length));
        };
        for (names, count) in self.names.iter().zip([self.rows, columns]) {
            if let Some(names) = names
                && names.len() != count
            {
                let message = message!(
                    "there are {names} names for {count} rows or columns",
                    names = names.len(),
                    count
                );
                return Err(Diagnostic::new(Kind::IllegalPosition, message).at(0..self.length));
            }
        }
        let matrix = Matrix::new(columns, &self.entries).map_err(|stop: Stop| {
            Diagnostic::new(
                Kind::Limit,
                message!(
                    "the common denominator of the entries is too large: {why}",
                    why = stop.message()
                ),
            )
            .at(0..self.length)
        })?;
        let [row_names, column_names] = self.names;
        Ok(MatrixGame {
            matrix,
            constant: (self.paired == Some(true)).then(|| self.total.into_total()),
            row_names,
            column_names,
            notes: self.notes,
        })
    }
}

fn too_many_columns(span: Range<usize>) -> Diagnostic {
    let message = message!(
        "a row has more than {most_strategies} entries",
        most_strategies = MAX_STRATEGIES
    );
    Diagnostic::new(Kind::Limit, message).at(span)
}

fn too_many_rows(span: Range<usize>) -> Diagnostic {
    let message = message!(
        "the matrix has more than {most_strategies} rows",
        most_strategies = MAX_STRATEGIES
    );
    Diagnostic::new(Kind::Limit, message).at(span)
}

/// Parses a number at `span` in the input.
fn number(text: &str, span: &Range<usize>) -> Result<Number, Diagnostic> {
    number::number(text).map_err(|reason| number_error(text, reason, span))
}

/// Returns the error for an invalid number.
pub(super) fn number_error(
    text: &str,
    (kind, reason): number::NotANumber,
    span: &Range<usize>,
) -> Diagnostic {
    let shown = brief(text, 24);
    let error =
        Diagnostic::new(kind, message!("`{shown}` {reason}", shown, reason)).at(span.clone());
    if kind == Kind::Syntax {
        error.help(entry_help())
    } else {
        error
    }
}

fn entry_help() -> Message {
    message!("entries must be integers, fractions a/b or decimals such as -1.5e3")
}
