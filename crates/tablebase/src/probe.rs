//! Lookup in a tablebase. A lookup reads only a few blocks.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use grundy_base::{Diagnostic, Kind, Limits, Loopy, Outcome, message};
use rustc_hash::FxHashMap;

use crate::blocks::ROWS;
use crate::column::{self, ColumnReader, VisitName};
use crate::manifest::{self, ExtraFile, Keys, Manifest};
use crate::storage::{Disk, Storage};
use crate::{Record, damaged, keys};

/// The callback that receives each record.
pub type VisitRecord<'a> = &'a mut dyn FnMut(Record) -> Result<(), Diagnostic>;

/// The callback that receives the options of each position, as row numbers.
pub type VisitOptions<'a> = &'a mut dyn FnMut(&[u64]) -> Result<(), Diagnostic>;

/// An open tablebase.
#[derive(Debug)]
pub struct Tablebase {
    storage: Arc<dyn Storage>,
    manifest: Manifest,
    levels: Vec<ColumnReader>,
    columns: FxHashMap<&'static str, Option<ColumnReader>>,
}

impl Tablebase {
    /// Opens the tablebase in a folder and reads its manifest.
    ///
    /// # Errors
    /// A folder that contains no tablebase or a damaged one.
    pub fn open(folder: &Path) -> Result<Self, Diagnostic> {
        Self::at(Arc::new(Disk::new(folder)))
    }

    /// Opens the tablebase in a storage. Only its manifest is read.
    ///
    /// # Errors
    /// A storage that contains no tablebase or a damaged one.
    pub fn at(storage: Arc<dyn Storage>) -> Result<Self, Diagnostic> {
        let manifest = Manifest::read(&*storage)?;
        let levels = match &manifest.keys {
            Keys::Sorted { levels } => *levels,
            Keys::Ranked => 0,
        };
        let mut new = Self {
            storage,
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
            new.levels
                .push(ColumnReader::new(&new.storage, column, seed));
        }
        Ok(new)
    }

    /// Returns the manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the number of blocks read since the tablebase was opened.
    #[must_use]
    pub fn reads(&self) -> u64 {
        let columns = self.columns.values().flatten();
        columns.chain(&self.levels).map(ColumnReader::reads).sum()
    }

    /// Returns the checksum that identifies a column.
    fn seed(&self, column: &str) -> u32 {
        let ranked = self.manifest.keys == Keys::Ranked;
        self.manifest.about.seed(ranked, column)
    }

    fn unknown(&self, number: u64) -> Diagnostic {
        let what = message!("a column contains the unknown code {number}", number);
        damaged(&self.storage.name(manifest::FILE), &what)
    }

    fn missing(&self, column: &str) -> Diagnostic {
        let what = message!("the column {column} is missing", column);
        damaged(&self.storage.name(manifest::FILE), &what)
    }

    /// Returns the record of a position, which is given by its exact text. Returns `None` if the
    /// tablebase does not contain it. In a partizan game the record is for Left to move.
    ///
    /// # Complexity
    /// Reads one block for each level of the search tree of keys, and one block for each column of
    /// a record.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub fn probe(&mut self, position: &str) -> Result<Option<Record>, Diagnostic> {
        match self.number_of(position)? {
            Some(position) => self.record(self.turns() * position).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the number of rows of each position: 2 in a partizan game, one for each player to
    /// move, and otherwise 1.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.manifest.about.kind.turns().into()
    }

    /// Returns the number by which the tablebase identifies a position, if it contains the
    /// position. The first row of the position is this number times [`Tablebase::turns`]. Returns
    /// `None` in a ranked tablebase, which cannot compute ranks without the rules of the game.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn number_of(&mut self, position: &str) -> Result<Option<u64>, Diagnostic> {
        keys::find(&mut self.levels, position.as_bytes())
    }

    /// Returns the text of the position with number `number`.
    ///
    /// # Errors
    /// As [`Tablebase::probe`], or a tablebase without keys.
    pub fn position(&mut self, number: u64) -> Result<String, Diagnostic> {
        let missing = self.missing("keys0");
        let keys = self.levels.first_mut().ok_or(missing)?;
        let text = keys.text(number)?;
        String::from_utf8(text).map_err(|_| keys.damaged(&message!("a position is not UTF-8")))
    }

    /// Returns the record in row `row`. In a partizan game Left is to move in even rows, and Right
    /// in odd rows.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn record(&mut self, row: u64) -> Result<Record, Diagnostic> {
        let missing = self.missing("outcome");
        let outcome = self.number("outcome", row)?.ok_or(missing)?;
        let mut optional = |name| Ok::<_, Diagnostic>(self.number(name, row)?.unwrap_or(0));
        let codes = [
            outcome,
            optional("remoteness")?,
            optional("grundy")?,
            optional("move")?,
        ];
        self.decoded(codes)
    }

    /// Decodes a row into a record, given its numbers in the columns of outcomes, remoteness,
    /// values and best moves.
    fn decoded(&mut self, [outcome, moves, value, best]: [u64; 4]) -> Result<Record, Diagnostic> {
        let outcome = match outcome {
            0 => Outcome::P,
            1 => Outcome::N,
            2 => Outcome::D,
            other => return Err(self.unknown(other)),
        };
        let remoteness = moves.checked_sub(1).map(u32::try_from).transpose();
        // In every column 0 means that there is no value, so the values are shifted by 1 or 2.
        let value = match value {
            0 => None,
            odd if odd % 2 == 1 => Some(Loopy::Finite(odd / 2)),
            even => Some(Loopy::Infinite(self.set(even / 2 - 1)?)),
        };
        Ok(Record {
            outcome,
            remoteness: remoteness.map_err(|_| self.unknown(moves))?,
            value,
            best: best.checked_sub(1),
        })
    }

    fn reader(&mut self, name: &'static str) -> Option<&mut ColumnReader> {
        // A reader is created when its column is first used. So a lookup reads no other columns.
        if !self.columns.contains_key(name) {
            let (column, seed) = (self.manifest.column(name), self.seed(name));
            let reader = column.map(|column| ColumnReader::new(&self.storage, column, seed));
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

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.manifest.positions.saturating_mul(self.turns())
    }

    /// Calls `visit` for each row in `rows`, in order, with the numbers of the row in the columns
    /// `names`. A missing column has 0 in every row.
    pub(crate) fn each<const COLUMNS: usize>(
        &mut self,
        rows: Range<u64>,
        names: [&'static str; COLUMNS],
        limits: &Limits<'_>,
        mut visit: impl FnMut(&mut Self, u64, [u64; COLUMNS]) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let all = self.rows();
        let mut numbers = [const { Vec::new() }; COLUMNS];
        // In all columns of numbers, block i contains the same rows. So one loop over the blocks
        // serves all of these columns.
        let mut row = rows.start - rows.start % ROWS as u64;
        while row < rows.end.min(all) {
            limits.poll()?;
            let length = ROWS.min(usize::try_from(all - row).unwrap_or(ROWS));
            for (numbers, name) in numbers.iter_mut().zip(names) {
                numbers.clear();
                match self.reader(name) {
                    Some(reader) => reader.numbers(row, length, numbers)?,
                    None => numbers.resize(length, 0),
                }
            }
            let block = (row..).take(length).enumerate();
            for (within, row) in block.filter(|(_, row)| rows.contains(row)) {
                visit(
                    self,
                    row,
                    std::array::from_fn(|column| numbers[column][within]),
                )?;
            }
            row += length as u64;
        }
        Ok(())
    }

    /// Calls `visit` for the record of each row in `rows`, in order.
    ///
    /// # Complexity
    /// Each block is read once.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged, an error of `visit`, or the limit that was
    /// reached.
    pub fn each_record(
        &mut self,
        rows: Range<u64>,
        limits: &Limits<'_>,
        visit: VisitRecord<'_>,
    ) -> Result<(), Diagnostic> {
        if self.manifest.column("outcome").is_none() {
            return Err(self.missing("outcome"));
        }
        let columns = ["outcome", "remoteness", "grundy", "move"];
        self.each(rows, columns, limits, |table, _, codes| {
            visit(table.decoded(codes)?)
        })
    }

    /// Calls `visit` for the name of each position in `positions`, in order, if names are stored.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged, or an error of `visit`.
    pub fn each_name(
        &mut self,
        positions: Range<u64>,
        visit: VisitName<'_>,
    ) -> Result<(), Diagnostic> {
        match self.levels.first_mut() {
            Some(names) => names.each_text(positions, visit),
            None => Ok(()),
        }
    }

    /// Calls `visit` for the options of each position in `positions`. The tablebase must store a
    /// graph.
    ///
    /// # Errors
    /// As [`Tablebase::each_name`], or a tablebase that stores no graph.
    pub fn each_options(
        &mut self,
        positions: Range<u64>,
        visit: VisitOptions<'_>,
    ) -> Result<(), Diagnostic> {
        let missing = self.missing("options");
        let reader = self.reader("options").ok_or(missing)?;
        let bad = reader.damaged(&message!(
            "in the column of moves, an entry is not a list of numbers"
        ));
        reader.each_text(positions, &mut |text| {
            visit(&numbers(text).ok_or_else(|| bad.clone())?)
        })
    }

    /// Returns the row numbers of the options of the position in row `row`. The tablebase must
    /// store a graph.
    ///
    /// # Errors
    /// As [`Tablebase::each_options`].
    pub fn options(&mut self, row: u64) -> Result<Vec<u64>, Diagnostic> {
        let missing = self.missing("options");
        let reader = self.reader("options").ok_or(missing)?;
        let text = reader.text(row)?;
        numbers(&text).ok_or_else(|| {
            reader.damaged(&message!(
                "in the column of moves, an entry is not a list of numbers"
            ))
        })
    }

    pub(crate) fn set(&mut self, number: u64) -> Result<Vec<u64>, Diagnostic> {
        let missing = self.missing("sets");
        let reader = self.reader("sets").ok_or(missing)?;
        let text = reader.text(number)?;
        let set = numbers(&text);
        set.ok_or_else(|| {
            reader.damaged(&message!(
                "in the column of sets, an entry is not a list of numbers"
            ))
        })
    }

    /// Returns the content of an additional file of the folder, such as a README.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub fn extra(&self, file: &ExtraFile) -> Result<Vec<u8>, Diagnostic> {
        let bytes = self.storage.read(&file.name, file.bytes, 0..file.bytes)?;
        if crc32fast::hash(&bytes) == file.sum {
            return Ok(bytes);
        }
        let what = message!("the file is damaged: its checksum is wrong");
        Err(damaged(&self.storage.name(&file.name), &what))
    }

    /// Checks that each column has the number of rows that the manifest states, and the number that
    /// follows from the number of positions.
    ///
    /// # Complexity
    /// Reads each block of texts, and the last block of each column of numbers.
    ///
    /// # Errors
    /// The first column with a different number of rows, or the limit that was reached.
    pub(crate) fn check_rows(&self, limits: &Limits<'_>) -> Result<(), Diagnostic> {
        for column in &self.manifest.columns {
            // A separate reader is used, since reading the whole column would remove from the cache
            // the blocks that lookups use.
            let mut reader = ColumnReader::new(&self.storage, column, self.seed(&column.name));
            let (found, expected) = match Rows::of(&column.name) {
                Rows::Entries => (reader.count_numbers()?, self.rows()),
                Rows::Positions => (reader.count_texts(limits)?, self.manifest.positions),
                Rows::Any => (reader.count_texts(limits)?, column.rows),
            };
            for said in [column.rows, expected] {
                if found != said {
                    let name = &column.name;
                    let message = message!(
                        "the manifest counts {said} rows of the column {name}, but there are {found}",
                        said,
                        name,
                        found
                    );
                    return Err(Diagnostic::new(Kind::Io, message));
                }
            }
        }
        Ok(())
    }

    /// Reads all files and compares their checksums with the manifest.
    ///
    /// # Errors
    /// The first damaged file.
    pub fn check(&self) -> Result<(), Diagnostic> {
        let Manifest { columns, files, .. } = &self.manifest;
        for column in columns {
            column::check_column(&*self.storage, column)?;
        }
        files
            .iter()
            .try_for_each(|file| column::check(&*self.storage, &file.name, file.bytes, file.sum))
    }
}

/// The number of rows that a column must have, which depends on the kind of the column.
enum Rows {
    /// One number for each entry.
    Entries,
    /// One text for each position.
    Positions,
    /// Any number of texts.
    Any,
}

impl Rows {
    fn of(column: &str) -> Self {
        match column {
            "outcome" | "remoteness" | "grundy" | "move" => Self::Entries,
            "keys0" | "options" => Self::Positions,
            // The column of sets, and the levels above the keys.
            _ => Self::Any,
        }
    }
}

/// Parses numbers that are separated by commas.
fn numbers(text: &[u8]) -> Option<Vec<u64>> {
    let text = str::from_utf8(text).ok()?;
    let numbers = text.split(',').filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}
