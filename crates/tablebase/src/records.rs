//! The columns that store the records of a tablebase. They are written row by row.

use grundy_base::{Diagnostic, Loopy};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::Record;
use crate::blocks::{Numbers, NumbersMark, Texts, TextsMark};
use crate::census::Census;
use crate::folder::Folder;
use crate::manifest::Column;

/// The encoding of records as numbers.
mod code {
    use grundy_base::Outcome;

    pub(super) fn outcome(outcome: Outcome) -> u64 {
        match outcome {
            Outcome::P => 0,
            Outcome::N => 1,
            Outcome::D => 2,
        }
    }

    /// Returns the code of a finite Grundy value.
    pub(super) fn number(value: u64) -> u64 {
        2 * value + 1
    }

    /// Returns the code of an infinite value, which is infinity with a set of Grundy values. `set`
    /// is the row of this set in the column of sets.
    pub(super) fn infinity(set: u64) -> u64 {
        2 * set + 2
    }
}

/// The name of the column that stores the sets of infinite values.
const SETS: &str = "sets";

/// A writer of the columns that store the records of a tablebase: outcome, remoteness, value and
/// best move.
pub(crate) struct RecordWriter<'a> {
    outcomes: Numbers,
    remoteness: Numbers,
    values: Option<ValueColumn<'a>>,
    moves: Option<Numbers>,
    census: Census,
    rows: u64,
}

/// The state of the columns of records at a checkpoint.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecordsMark {
    outcomes: NumbersMark,
    remoteness: NumbersMark,
    values: Option<ValuesMark>,
    moves: Option<NumbersMark>,
    census: Census,
    rows: u64,
}

impl<'a> RecordWriter<'a> {
    /// Creates the columns, or opens them to continue after the checkpoint that `mark` describes.
    /// The two flags request the columns for values and for best moves.
    pub(crate) fn open(
        folder: &'a Folder<'a>,
        (values, moves): (bool, bool),
        mark: RecordsMark,
    ) -> Result<Self, Diagnostic> {
        let values = values.then(|| ValueColumn::open(folder, mark.values.unwrap_or_default()));
        let moves = moves.then(|| Numbers::open(folder, "move", mark.moves.unwrap_or_default()));
        Ok(Self {
            outcomes: Numbers::open(folder, "outcome", mark.outcomes)?,
            remoteness: Numbers::open(folder, "remoteness", mark.remoteness)?,
            values: values.transpose()?,
            moves: moves.transpose()?,
            census: mark.census,
            rows: mark.rows,
        })
    }

    pub(crate) fn mark(&mut self) -> Result<RecordsMark, Diagnostic> {
        Ok(RecordsMark {
            outcomes: self.outcomes.mark()?,
            remoteness: self.remoteness.mark()?,
            values: self.values.as_mut().map(ValueColumn::mark).transpose()?,
            moves: self.moves.as_mut().map(Numbers::mark).transpose()?,
            census: self.census.clone(),
            rows: self.rows,
        })
    }

    /// Appends a record. Its best move, if there is one, is given as a row.
    pub(crate) fn push(&mut self, record: Record) -> Result<(), Diagnostic> {
        self.census
            .label(self.rows, record.outcome, record.remoteness);
        self.census.value(record.value.as_ref());
        self.rows += 1;
        self.outcomes.push(code::outcome(record.outcome))?;
        let moves = record.remoteness.map_or(0, |moves| u64::from(moves) + 1);
        self.remoteness.push(moves)?;
        if let Some(values) = &mut self.values {
            values.push(record.value)?;
        }
        if let Some(moves) = &mut self.moves {
            moves.push(record.best.map_or(0, |row| row + 1))?;
        }
        Ok(())
    }

    /// Returns the rows of greatest remoteness among the records so far, but at most five.
    pub(crate) fn hardest(&self) -> &[u64] {
        &self.census.hardest
    }

    /// Writes what is left of each column. Returns the columns, and the census, which counts the
    /// rows by outcome, remoteness and value.
    pub(crate) fn finish(self) -> Result<(Vec<Column>, Census), Diagnostic> {
        let mut columns = vec![self.outcomes.finish()?, self.remoteness.finish()?];
        if let Some(moves) = self.moves {
            columns.push(moves.finish()?);
        }
        if let Some(values) = self.values {
            columns.extend(values.finish()?);
        }
        Ok((columns, self.census))
    }
}

/// The column of values, and the column of the sets of infinite values. Equal sets are stored once.
struct ValueColumn<'a> {
    folder: &'a Folder<'a>,
    numbers: Numbers,
    set_numbers: FxHashMap<Vec<u64>, u64>,
    sets: Option<Texts>,
}

/// The state of the column of values at a checkpoint. It includes the known sets, in the order of
/// their rows in the column of sets.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ValuesMark {
    numbers: NumbersMark,
    known: Vec<Vec<u64>>,
    sets: Option<TextsMark>,
}

impl<'a> ValueColumn<'a> {
    fn open(folder: &'a Folder<'a>, mark: ValuesMark) -> Result<Self, Diagnostic> {
        let sets = mark.sets.map(|mark| Texts::open(folder, SETS, 1, mark));
        Ok(Self {
            folder,
            numbers: Numbers::open(folder, "grundy", mark.numbers)?,
            // The number of a set is its index in the list, as written by `mark`.
            set_numbers: mark.known.into_iter().zip(0..).collect(),
            sets: sets.transpose()?,
        })
    }

    fn mark(&mut self) -> Result<ValuesMark, Diagnostic> {
        let mut known: Vec<(&Vec<u64>, u64)> = self
            .set_numbers
            .iter()
            .map(|(set, &number)| (set, number))
            .collect();
        // The map has a random order, but the index in the list must be the number of the set.
        known.sort_unstable_by_key(|&(_, number)| number);
        Ok(ValuesMark {
            known: known.into_iter().map(|(set, _)| set.clone()).collect(),
            numbers: self.numbers.mark()?,
            sets: self.sets.as_mut().map(Texts::mark).transpose()?,
        })
    }

    fn push(&mut self, value: Option<Loopy>) -> Result<(), Diagnostic> {
        let code = match value {
            None => 0,
            Some(Loopy::Finite(value)) => code::number(value),
            Some(Loopy::Infinite(set)) => code::infinity(self.set(set)?),
        };
        self.numbers.push(code)
    }

    fn set(&mut self, set: Vec<u64>) -> Result<u64, Diagnostic> {
        if let Some(&number) = self.set_numbers.get(&set) {
            return Ok(number);
        }
        // The column of sets is created with the first infinite value, so that most tables do not
        // have it.
        let column = match &mut self.sets {
            Some(column) => column,
            none => none.insert(Texts::open(self.folder, SETS, 1, TextsMark::default())?),
        };
        let text: Vec<String> = set.iter().map(u64::to_string).collect();
        column.push(text.join(",").as_bytes())?;
        let number = self.set_numbers.len() as u64;
        self.set_numbers.insert(set, number);
        Ok(number)
    }

    fn finish(self) -> Result<Vec<Column>, Diagnostic> {
        let sets = self.sets.map(Texts::finish).transpose()?;
        let numbers = self.numbers.finish()?;
        Ok([numbers].into_iter().chain(sets).collect())
    }
}
