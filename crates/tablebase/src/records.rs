//! The columns of records, filled row by row.

use grundy_base::{Diagnostic, Loopy};
use rustc_hash::FxHashMap;

use crate::Record;
use crate::blocks::{Numbers, Texts};
use crate::census::Census;
use crate::folder::Folder;
use crate::manifest::Column;

/// How values are written as numbers.
mod code {
    use grundy_base::Outcome;

    pub(super) fn outcome(outcome: Outcome) -> u64 {
        match outcome {
            Outcome::P => 0,
            Outcome::N => 1,
            Outcome::D => 2,
        }
    }

    /// A number.
    pub(super) fn number(value: u64) -> u64 {
        2 * value + 1
    }

    /// Infinity, with the set of this number.
    pub(super) fn infinity(set: u64) -> u64 {
        2 * set + 2
    }
}

/// Writes what is known of rows, one after the other.
pub(crate) struct Records<'a> {
    outcomes: Numbers,
    remoteness: Numbers,
    values: Option<ValueColumn<'a>>,
    moves: Option<Numbers>,
    census: Census,
    rows: u64,
}

impl<'a> Records<'a> {
    /// Begins; values and best moves have columns where there are any.
    pub(crate) fn create(
        folder: &'a Folder<'a>,
        values: bool,
        moves: bool,
    ) -> Result<Self, Diagnostic> {
        let values = values.then(|| ValueColumn::create(folder));
        let moves = moves.then(|| Numbers::create(folder, "move"));
        Ok(Self {
            outcomes: Numbers::create(folder, "outcome")?,
            remoteness: Numbers::create(folder, "remoteness")?,
            values: values.transpose()?,
            moves: moves.transpose()?,
            census: Census::default(),
            rows: 0,
        })
    }

    /// The next row; its best move is the number of a row.
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

    /// The hardest rows so far.
    pub(crate) fn hardest(&self) -> &[u64] {
        &self.census.hardest
    }

    /// The columns, and how many rows have which label.
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

/// The column of values, and the sets of the infinite ones: each is written once, when it is first met.
struct ValueColumn<'a> {
    folder: &'a Folder<'a>,
    numbers: Numbers,
    known: FxHashMap<Vec<u64>, u64>,
    sets: Option<Texts>,
}

impl<'a> ValueColumn<'a> {
    fn create(folder: &'a Folder<'a>) -> Result<Self, Diagnostic> {
        Ok(Self {
            folder,
            numbers: Numbers::create(folder, "grundy")?,
            known: FxHashMap::default(),
            sets: None,
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
        if let Some(&number) = self.known.get(&set) {
            return Ok(number);
        }
        let column = match &mut self.sets {
            Some(column) => column,
            none => none.insert(Texts::create(self.folder, "sets", 1)?),
        };
        let text: Vec<String> = set.iter().map(u64::to_string).collect();
        column.push(text.join(",").as_bytes())?;
        let number = self.known.len() as u64;
        self.known.insert(set, number);
        Ok(number)
    }

    fn finish(self) -> Result<Vec<Column>, Diagnostic> {
        let sets = self.sets.map(Texts::finish).transpose()?;
        let numbers = self.numbers.finish()?;
        Ok([numbers].into_iter().chain(sets).collect())
    }
}
