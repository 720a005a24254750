//! Writing a tablebase of rows that come in the order in which they are kept, so that none of them
//! has to be held.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use grundy_base::{Diagnostic, Limits};
use serde::{Deserialize, Serialize};

use crate::Record;
use crate::blocks::{Texts, TextsMark};
use crate::folder::{Folder, Written};
use crate::keys::{KeyWriter, KeysMark};
use crate::manifest::{About, Extras, Kept, Keys};
use crate::pauses::Pauses;
use crate::records::{Records, RecordsMark};

/// Rows after which the limits are looked at.
const SOME: u64 = 1 << 12;

/// Writes rows, one after the other.
pub struct RowWriter<'a> {
    keys: Option<KeyWriter<'a>>,
    records: Records<'a>,
    options: Option<Texts>,
    /// The hardest entries so far, with the texts of their positions.
    hardest: Vec<(u64, String)>,
    entries: u64,
    positions: u64,
    text: String,
    limits: &'a Limits<'a>,
    pauses: Option<(&'a Pauses, &'a Folder<'a>)>,
}

/// How much of a table is on the disk.
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
    /// How many positions there are already: where an earlier run is gone on from, more than none
    /// at the beginning.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the text of the last position, where texts are kept.
    #[must_use]
    pub fn last_name(&self) -> Option<&str> {
        std::str::from_utf8(self.keys.as_ref()?.last()?).ok()
    }

    /// Puts all rows on the disk and says so beside, if it is time.
    fn pause_if_due(&mut self) -> Result<(), Diagnostic> {
        let Some((pauses, folder)) = self.pauses else {
            return Ok(());
        };
        pauses.if_due(|| {
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

    /// Returns the next position: its text, what is known of each of its entries, and the rows that
    /// it has moves to. Where names are kept each text is greater than the one before, by its
    /// bytes; else the text is asked for only where it stands in the manifest. A best move is the
    /// number of a row.
    ///
    /// # Errors
    /// What could not be written, what stopped it, and what `name` fails with.
    pub fn push<'n>(
        &mut self,
        name: impl FnOnce() -> Result<Cow<'n, str>, Diagnostic>,
        records: impl IntoIterator<Item = Record>,
        options: impl IntoIterator<Item = u64>,
    ) -> Result<(), Diagnostic> {
        if self.positions.is_multiple_of(SOME) {
            self.limits.poll()?;
            self.pause_if_due()?;
        }
        self.positions += 1;
        let before = self.entries;
        for record in records {
            self.records.push(record)?;
            self.entries += 1;
        }
        let hardest = self.records.hardest();
        let new = hardest.last().is_some_and(|&last| last >= before);
        if self.keys.is_some() || new {
            let name = name()?;
            if let Some(keys) = &mut self.keys {
                keys.push(name.as_bytes())?;
            }
            if new {
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

/// Writes a tablebase to `folder`, as a whole or not at all, of the rows that `fill` hands over in
/// the order in which they are kept. Where there are `pauses`, an earlier run that was cut off may
/// be gone on from: then the first rows are there already, which [`RowWriter::positions`] tells,
/// and `fill` hands over those after them.
///
/// # Complexity
/// A block of memory for each column.
///
/// # Errors
/// What could not be written, what is in the way, what stopped it, and what `fill` or `extras`
/// refuse.
pub fn write_rows(
    folder: &Path,
    about: &About,
    kept: Kept,
    fill: impl FnOnce(&mut RowWriter<'_>) -> Result<(), Diagnostic>,
    extras: Extras<'_>,
    limits: &Limits<'_>,
    pauses: Option<&Pauses>,
) -> Result<(), Diagnostic> {
    let (target, mark): (_, Mark) = Folder::new(folder, about, kept, pauses)?;
    let keys = kept
        .names
        .then(|| KeyWriter::open(&target, mark.keys.unwrap_or_default()));
    let options = mark.options.unwrap_or_default();
    let options = kept
        .options
        .then(|| Texts::open(&target, "options", 1, options));
    let mut rows = RowWriter {
        keys: keys.transpose()?,
        records: Records::open(&target, (kept.values, kept.moves), mark.records)?,
        options: options.transpose()?,
        hardest: mark.hardest,
        entries: mark.entries,
        positions: mark.positions,
        text: String::new(),
        limits,
        pauses: pauses.map(|pauses| (pauses, &target)),
    };
    fill(&mut rows)?;
    let mut columns = rows.keys.map_or(Ok(Vec::new()), KeyWriter::finish)?;
    let keys = if kept.names {
        Keys::Sorted {
            levels: columns.len(),
        }
    } else {
        Keys::Ranked
    };
    let (filled, census) = rows.records.finish()?;
    columns.extend(filled);
    columns.extend(rows.options.map(Texts::finish).transpose()?);
    let written = Written {
        positions: rows.positions,
        hardest: rows.hardest.into_iter().map(|(_, name)| name).collect(),
        census,
        keys,
        columns,
    };
    target.finish(written, extras)
}
