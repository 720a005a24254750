//! Conversion of a tablebase to Parquet files.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::Path;

use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Outcome};
use grundy_tablebase::{Manifest, Record};

use super::outcomes::Outcomes;
use super::{ConvertOptions, MANIFEST, PART, fields, joined, optional_columns, part_name};
use crate::probe::OpenTable;
use crate::sheet::{Sheet, SheetCell};
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;
use grundy_job::files::{self, failed};

/// Number of rows in a row group. All rows of a group are held in memory.
const GROUP: u64 = 1 << 17;

/// Writes a tablebase as Parquet files (parts). Returns the manifest of the tablebase and the
/// number of files.
pub(super) fn write(
    options: &ConvertOptions<'_>,
    reader: &Reader,
    job: &Job,
) -> Result<(Manifest, u64), Diagnostic> {
    let mut table = OpenTable::open(options.from, reader, job)?;
    let manifest = table.manifest().clone();
    let rows = options.rows.get();
    // An empty tablebase gets one part without rows, because the parts contain the manifest.
    let parts = manifest.positions.div_ceil(rows).max(1);
    files::write_folder(options.to, |folder| {
        for part in 0..parts {
            let positions = part * rows..((part + 1) * rows).min(manifest.positions);
            let file = folder.join(part_name(part));
            let about = [
                (MANIFEST, manifest.text()),
                (PART, format!("{part} of {parts}")),
            ];
            // Only a ranked game can be restored without names.
            let named = !options.no_positions || table.ranked().is_none();
            let part_writer = PartWriter {
                sheet: new_sheet(&file, &manifest, named, &about)
                    .map_err(|error| failed(options.to, &error))?,
                outcomes: Outcomes::of(manifest.about.kind),
                manifest: &manifest,
                named,
                to: options.to,
            };
            part_writer.part(&mut table, positions, job)?;
        }
        Ok(())
    })?;
    Ok((manifest, parts))
}

fn new_sheet(
    file: &Path,
    manifest: &Manifest,
    named: bool,
    about: &[(&str, String)],
) -> io::Result<Sheet<BufWriter<File>>> {
    let out = BufWriter::with_capacity(1 << 17, File::create_new(file)?);
    Sheet::new(out, fields(manifest, named), GROUP as usize, about)
}

/// A Parquet file (part of a tablebase) that is being written.
struct PartWriter<'a> {
    sheet: Sheet<BufWriter<File>>,
    outcomes: Outcomes,
    manifest: &'a Manifest,
    named: bool,
    to: &'a Path,
}

impl PartWriter<'_> {
    fn part(
        mut self,
        table: &mut OpenTable,
        positions: Range<u64>,
        job: &Job,
    ) -> Result<(), Diagnostic> {
        let mut begin = positions.start;
        // Each call of `group` fills exactly one row group, so the sheet never buffers more.
        while begin < positions.end {
            let end = (begin + GROUP).min(positions.end);
            self.group(table, begin..end, job)?;
            begin = end;
            job.report(&Progress::Computing {
                computed: begin,
                of: self.manifest.positions,
                note: None,
            });
        }
        let to = self.to;
        let written = self.sheet.finish().and_then(|file| {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()
        });
        written.map_err(|error| failed(to, &error))
    }

    /// Writes the rows of the given positions as one row group of the Parquet file. All rows of the
    /// group are held in memory.
    fn group(
        &mut self,
        table: &mut OpenTable,
        positions: Range<u64>,
        job: &Job,
    ) -> Result<(), Diagnostic> {
        let limits = job.long_limits();
        let turns = table.table().turns();
        let columns = optional_columns(self.manifest);
        // Data is read column by column, since each column is stored in blocks.
        let mut records = Vec::new();
        let rows = turns * positions.start..turns * positions.end;
        table.table().each_record(rows, &limits, &mut |record| {
            records.push(record);
            Ok(())
        })?;
        let mut names = Vec::new();
        if self.named {
            table.each_name(positions.clone(), &limits, &mut |name| {
                names.push(name);
                Ok(())
            })?;
        }
        let mut options = Vec::new();
        if columns.options {
            table.table().each_options(positions.clone(), &mut |row| {
                options.push(joined(row));
                Ok(())
            })?;
        }
        let mut names = names.into_iter();
        let mut options = options.into_iter();
        for (rank, entries) in positions.zip(records.chunks(turns as usize)) {
            let mut row = vec![SheetCell::Number(Some(rank))];
            if self.named {
                row.push(SheetCell::Text(names.next().map(Cow::Owned)));
            }
            let outcomes: Vec<Outcome> = entries.iter().map(|entry| entry.outcome).collect();
            row.push(SheetCell::Text(Some(Cow::Borrowed(
                self.outcomes.text(&outcomes),
            ))));
            let moves = |entry: &Record| SheetCell::Number(entry.remoteness.map(u64::from));
            row.extend(entries.iter().map(moves));
            if columns.values {
                let (number, set) = match &entries[0].value {
                    None => (None, None),
                    Some(Loopy::Finite(value)) => (Some(*value), None),
                    Some(Loopy::Infinite(set)) => (None, Some(joined(set))),
                };
                row.push(SheetCell::Number(number));
                row.push(SheetCell::Text(set.map(Cow::Owned)));
            }
            if columns.moves {
                row.extend(entries.iter().map(|entry| SheetCell::Number(entry.best)));
            }
            if columns.options {
                row.push(SheetCell::Text(options.next().map(Cow::Owned)));
            }
            self.sheet
                .push(row)
                .map_err(|error| failed(self.to, &error))?;
        }
        Ok(())
    }
}
