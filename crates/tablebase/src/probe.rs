//! Asking a tablebase: a few blocks are read for each question, and nothing else.

use std::path::Path;
use std::sync::Arc;

use grundy_base::{Diagnostic, Loopy, Outcome, message};
use rustc_hash::FxHashMap;

use crate::column::{self, ColumnReader};
use crate::manifest::{self, Keys, Manifest};
use crate::place::{Disk, Place};
use crate::{Record, damaged, keys};

/// A tablebase that is open.
#[derive(Debug)]
pub struct Tablebase {
    place: Arc<dyn Place>,
    manifest: Manifest,
    levels: Vec<ColumnReader>,
    columns: FxHashMap<&'static str, Option<ColumnReader>>,
}

impl Tablebase {
    /// Opens the tablebase in a folder: reads its manifest.
    ///
    /// # Errors
    /// A folder that holds no tablebase, or a damaged one.
    pub fn open(folder: &Path) -> Result<Self, Diagnostic> {
        Self::at(Arc::new(Disk::new(folder)))
    }

    /// Opens the tablebase in a place: reads its manifest, and nothing else.
    ///
    /// # Errors
    /// A place that holds no tablebase, or a damaged one.
    pub fn at(place: Arc<dyn Place>) -> Result<Self, Diagnostic> {
        let manifest = Manifest::read(&*place)?;
        let levels = match &manifest.keys {
            Keys::Sorted { levels } => *levels,
            Keys::Ranked => 0,
        };
        let mut new = Self {
            place,
            manifest,
            levels: Vec::new(),
            columns: FxHashMap::default(),
        };
        for level in 0..levels {
            let name = keys::name(level);
            let column = new
                .manifest
                .column(&name)
                .ok_or_else(|| new.missing(&name))?;
            let seed = new.seed(&name);
            new.levels.push(ColumnReader::new(&new.place, column, seed));
        }
        Ok(new)
    }

    /// What it is of.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many blocks have been read since it was opened.
    #[must_use]
    pub fn reads(&self) -> u64 {
        let columns = self.columns.values().flatten();
        columns.chain(&self.levels).map(ColumnReader::reads).sum()
    }

    /// What the checksums of the blocks of a column go on from.
    fn seed(&self, column: &str) -> u32 {
        let ranked = self.manifest.keys == Keys::Ranked;
        self.manifest.about.seed(ranked, column)
    }

    fn unknown(&self, number: u64) -> Diagnostic {
        let what = message!("{number} stands for nothing that is known", number);
        damaged(&self.place.name(manifest::FILE), &what)
    }

    fn missing(&self, column: &str) -> Diagnostic {
        let what = message!("the column {column} is missing", column);
        damaged(&self.place.name(manifest::FILE), &what)
    }

    /// What is known of a position, by its text as it was written, in a partizan game with Left to move; nothing when it is not
    /// there.
    ///
    /// # Complexity
    /// One block for each level of keys, and one for each column.
    ///
    /// # Errors
    /// A file that cannot be read, or is not what was written.
    pub fn probe(&mut self, position: &str) -> Result<Option<Record>, Diagnostic> {
        match self.number_of(position)? {
            Some(position) => self.record(self.turns() * position).map(Some),
            None => Ok(None),
        }
    }

    /// How many rows there are for each position.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.manifest.about.kind.turns().into()
    }

    /// The number of a position; its first row is [`Tablebase::turns`] times as much. Where positions have ranks the rules of the game
    /// say it, and here it is not known.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn number_of(&mut self, position: &str) -> Result<Option<u64>, Diagnostic> {
        keys::find(&mut self.levels, position.as_bytes())
    }

    /// The text of the position with a number, where positions have keys.
    ///
    /// # Errors
    /// As [`Tablebase::probe`], and a tablebase without keys.
    pub fn position(&mut self, number: u64) -> Result<String, Diagnostic> {
        let missing = self.missing("keys0");
        let keys = self.levels.first_mut().ok_or(missing)?;
        let text = keys.text(number)?;
        String::from_utf8(text).map_err(|_| keys.damaged(&message!("a position is not UTF-8")))
    }

    /// What is known of a row: of the position with this number, or in a partizan game of half the number, Left to move where it is
    /// even and Right where it is odd.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn record(&mut self, row: u64) -> Result<Record, Diagnostic> {
        let outcome = match self.number("outcome", row)? {
            Some(0) => Outcome::P,
            Some(1) => Outcome::N,
            Some(2) => Outcome::D,
            Some(other) => return Err(self.unknown(other)),
            None => return Err(self.missing("outcome")),
        };
        let remoteness = self.number("remoteness", row)?;
        let remoteness = match remoteness.and_then(|moves| moves.checked_sub(1)) {
            Some(moves) => Some(u32::try_from(moves).map_err(|_| self.unknown(moves))?),
            None => None,
        };
        let value = match self.number("grundy", row)? {
            None | Some(0) => None,
            Some(odd) if odd % 2 == 1 => Some(Loopy::Finite(odd / 2)),
            Some(even) => Some(Loopy::Infinite(self.set(even / 2 - 1)?)),
        };
        let best = self.number("move", row)?.and_then(|row| row.checked_sub(1));
        Ok(Record {
            outcome,
            remoteness,
            value,
            best,
        })
    }

    fn reader(&mut self, name: &'static str) -> Option<&mut ColumnReader> {
        if !self.columns.contains_key(name) {
            let (column, seed) = (self.manifest.column(name), self.seed(name));
            let reader = column.map(|column| ColumnReader::new(&self.place, column, seed));
            self.columns.insert(name, reader);
        }
        self.columns.get_mut(name).and_then(Option::as_mut)
    }

    fn number(&mut self, name: &'static str, row: u64) -> Result<Option<u64>, Diagnostic> {
        match self.reader(name) {
            Some(reader) => reader.number(row).map(Some),
            None => Ok(None),
        }
    }

    fn set(&mut self, number: u64) -> Result<Vec<u64>, Diagnostic> {
        let missing = self.missing("sets");
        let reader = self.reader("sets").ok_or(missing)?;
        let text = reader.text(number)?;
        let text = String::from_utf8(text).unwrap_or_default();
        let numbers = text.split(',').filter(|number| !number.is_empty());
        let set: Option<Vec<u64>> = numbers.map(|number| number.parse().ok()).collect();
        set.ok_or_else(|| reader.damaged(&message!("a set is no list of numbers")))
    }

    /// Reads all files and compares their checksums.
    ///
    /// # Errors
    /// The first file that is not what was written.
    pub fn check(&self) -> Result<(), Diagnostic> {
        let Manifest { columns, files, .. } = &self.manifest;
        for column in columns {
            column::check_column(&*self.place, column)?;
        }
        files
            .iter()
            .try_for_each(|file| column::check(&*self.place, &file.name, file.bytes, file.sum))
    }
}
