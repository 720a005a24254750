//! Writing of a tablebase from rows in their final order. No row has to be kept in memory.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use grundy_base::{Diagnostic, Limits};
use serde::{Deserialize, Serialize};

use crate::Record;
use crate::blocks::{Texts, TextsMark};
use crate::folder::{Folder, TableSummary};
use crate::keys::{KeyWriter, KeysMark};
use crate::manifest::{About, Extras, Keys, OptionalColumns};
use crate::records::{RecordWriter, RecordsMark};
use crate::schedule::CheckpointSchedule;

/// Number of positions between two checks of the limits.
const POSITIONS_PER_CHECK: u64 = 1 << 12;

/// A writer of the rows of a tablebase.
pub struct RowWriter<'a> {
    keys: Option<KeyWriter<'a>>,
    records: RecordWriter<'a>,
    options: Option<Texts>,
    /// The entries of greatest remoteness so far, each given by its number and the name of its
    /// position.
    hardest: Vec<(u64, String)>,
    entries: u64,
    positions: u64,
    text: String,
    limits: &'a Limits<'a>,
    schedule: Option<(&'a CheckpointSchedule, &'a Folder<'a>)>,
}

/// The state of a table at a checkpoint.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mark {
    keys: Option<KeysMark>,
    records: RecordsMark,
    options: Option<TextsMark>,
    hardest: Vec<(u64, String)>,
    entries: u64,
    positions: u64,
}

impl fmt::Debug for RowWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowWriter")
            .field("positions", &self.positions)
            .finish_non_exhaustive()
    }
}

impl RowWriter<'_> {
    /// Returns the number of positions written so far. If an earlier run is resumed, this includes
    /// its positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the name of the last position written, if names are stored.
    #[must_use]
    pub fn last_name(&self) -> Option<&str> {
        std::str::from_utf8(self.keys.as_ref()?.last()?).ok()
    }

    /// Writes a checkpoint if one is due.
    fn checkpoint_if_due(&mut self) -> Result<(), Diagnostic> {
        let Some((schedule, folder)) = self.schedule else {
            return Ok(());
        };
        // `put_mark` is called after every column has synced its files, since the mark must not
        // refer to bytes that are not on disk.
        schedule.if_due(|| {
            folder.put_mark(&Mark {
                keys: self.keys.as_mut().map(KeyWriter::mark).transpose()?,
                records: self.records.mark()?,
                options: self.options.as_mut().map(Texts::mark).transpose()?,
                hardest: self.hardest.clone(),
                entries: self.entries,
                positions: self.positions,
            })
        })?;
        Ok(())
    }

    /// Appends a position with its name, the records of its entries and the rows of its options. A
    /// best move in a record is given by the row of its target.
    ///
    /// If names are stored, they must be in strictly ascending order of their bytes. If names are
    /// not stored, `name` is called only for the positions of greatest remoteness so far, which the
    /// manifest may name.
    ///
    /// # Errors
    /// An error of the disk, a limit that was reached, or an error of `name`.
    pub fn push<'n>(
        &mut self,
        name: impl FnOnce() -> Result<Cow<'n, str>, Diagnostic>,
        records: impl IntoIterator<Item = Record>,
        options: impl IntoIterator<Item = u64>,
    ) -> Result<(), Diagnostic> {
        // The timer is checked only between two positions, so that a mark always contains whole
        // positions.
        if self.positions.is_multiple_of(POSITIONS_PER_CHECK) {
            self.limits.poll()?;
            self.checkpoint_if_due()?;
        }
        self.positions += 1;
        let before = self.entries;
        for record in records {
            self.records.push(record)?;
            self.entries += 1;
        }
        let hardest = self.records.hardest();
        // Rows are written in order, so an entry whose number is at least `before` belongs to this
        // position.
        let new = hardest.last().is_some_and(|&last| last >= before);
        if self.keys.is_some() || new {
            let name = name()?;
            if let Some(keys) = &mut self.keys {
                keys.push(name.as_bytes())?;
            }
            if new {
                // The new entry may have replaced entries of smaller remoteness.
                self.hardest.retain(|(entry, _)| hardest.contains(entry));
                let entries = hardest.iter().filter(|&&entry| entry >= before);
                self.hardest
                    .extend(entries.map(|&entry| (entry, name.clone().into_owned())));
            }
        }
        let Some(column) = &mut self.options else {
            return Ok(());
        };
        self.text.clear();
        for option in options {
            if !self.text.is_empty() {
                self.text.push(',');
            }
            self.text.push_str(&option.to_string());
        }
        column.push(self.text.as_bytes()).map(|_| ())
    }
}

/// Writes a tablebase to `folder` atomically. `fill` appends the rows in their final order.
///
/// With `schedule`, an earlier run that was interrupted may be resumed. Then the rows of the first
/// [`RowWriter::positions`] positions are already written, and `fill` appends only the rows of
/// later positions.
///
/// # Complexity
/// Takes memory for a batch of 32 blocks of each column. The first key of each block, shortened to
/// a separator, is kept in memory, too. So are the distinct sets of infinite values.
///
/// # Errors
/// An error of the disk, an existing folder, a limit that was reached, or an error of `fill` or
/// `extras`.
pub fn write_rows(
    folder: &Path,
    about: &About,
    optional: OptionalColumns,
    fill: impl FnOnce(&mut RowWriter<'_>) -> Result<(), Diagnostic>,
    extras: Extras<'_>,
    limits: &Limits<'_>,
    schedule: Option<&CheckpointSchedule>,
) -> Result<(), Diagnostic> {
    let (target, mark): (_, Mark) = Folder::new(folder, about, optional, schedule)?;
    let keys = optional
        .names
        .then(|| KeyWriter::open(&target, mark.keys.unwrap_or_default()));
    let options = mark.options.unwrap_or_default();
    let options = optional
        .options
        .then(|| Texts::open(&target, "options", 1, options));
    let mut rows = RowWriter {
        keys: keys.transpose()?,
        records: RecordWriter::open(&target, (optional.values, optional.moves), mark.records)?,
        options: options.transpose()?,
        hardest: mark.hardest,
        entries: mark.entries,
        positions: mark.positions,
        text: String::new(),
        limits,
        schedule: schedule.map(|schedule| (schedule, &target)),
    };
    fill(&mut rows)?;
    // The key columns come first in the manifest, so that the order of columns is fixed.
    let mut columns = rows.keys.map_or(Ok(Vec::new()), KeyWriter::finish)?;
    let keys = if optional.names {
        Keys::Sorted {
            levels: columns.len(),
        }
    } else {
        Keys::Ranked
    };
    let (filled, census) = rows.records.finish()?;
    columns.extend(filled);
    columns.extend(rows.options.map(Texts::finish).transpose()?);
    let summary = TableSummary {
        positions: rows.positions,
        hardest: rows.hardest.into_iter().map(|(_, name)| name).collect(),
        census,
        keys,
        columns,
    };
    target.finish(summary, extras)
}
