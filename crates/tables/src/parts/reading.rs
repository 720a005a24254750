//! Conversion of Parquet files back to a tablebase.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};

use grundy_core::message::Command;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Kind, Limits, message};
use grundy_tablebase::{Extra, Manifest, Record, RowWriter, write_rows};
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::outcomes::Outcomes;
use super::{MANIFEST, PART, fields, optional_columns, part_name};
use crate::label::card;
use grundy_job::Job;
use grundy_job::parquet::{Column, broken, catch_panic, check_compression, failed};

/// The Parquet files (parts) to which a tablebase was converted. Their footers have been checked:
/// all files belong to the same tablebase, and none is missing.
pub(super) struct Parts {
    files: Vec<PathBuf>,
    manifest: Manifest,
    outcomes: Outcomes,
}

/// A reader of the Parquet files (parts) of a tablebase, with the limits for reading them.
struct PartsReader<'a> {
    parts: &'a Parts,
    limits: &'a Limits<'a>,
}

impl Parts {
    /// Opens the Parquet files (parts) of a tablebase in a folder, and reads their footers.
    pub(super) fn open(folder: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let limits = job.long_limits();
        let (first, manifest, count) = footer(&folder.join(part_name(0)))?;
        if first != 0 {
            return Err(misplaced(&folder.join(part_name(0))));
        }
        let read = Manifest::of_text(&folder.join(part_name(0)).display().to_string(), &manifest)?;
        let mut files = Vec::new();
        // The number of parts comes from a file. If it is wrong, the loop ends at the first missing
        // part.
        for number in 0..count {
            limits.poll()?;
            let file = folder.join(part_name(number));
            let (own, text, of) = footer(&file)?;
            if own != number || of != count || text != manifest {
                return Err(misplaced(&file));
            }
            files.push(file);
        }
        Ok(Self {
            files,
            outcomes: Outcomes::of(read.about.kind),
            manifest: read,
        })
    }

    /// Returns the number of parts.
    pub(super) fn count(&self) -> u64 {
        self.files.len() as u64
    }

    /// Writes the tablebase and returns its manifest. Returns an error if the manifest that results
    /// differs from the manifest stored in the Parquet files.
    pub(super) fn write(&self, to: &Path, job: &Job) -> Result<Manifest, Diagnostic> {
        let limits = job.long_limits();
        let parts_reader = PartsReader {
            parts: self,
            limits: &limits,
        };
        // The check runs before the folder gets its final name, so a rejected tablebase is not left
        // behind.
        let checked = |written: &Manifest| -> Result<Vec<Extra>, Diagnostic> {
            self.check(written)?;
            Ok(card::files(written))
        };
        let fill = |writer: &mut RowWriter<'_>| parts_reader.fill(writer);
        let columns = optional_columns(&self.manifest);
        write_rows(
            to,
            &self.manifest.about,
            columns,
            fill,
            &checked,
            &limits,
            None,
        )?;
        Ok(self.manifest.clone())
    }

    /// Returns an error if the tablebase that is written differs from the original, from which the
    /// Parquet files were made.
    fn check(&self, written: &Manifest) -> Result<(), Diagnostic> {
        let original = &self.manifest;
        // A column is compared by its checksums, which cover every value. Columns are compared
        // first, so that the message names the column that was changed.
        let names = original.columns.iter().map(|column| &column.name);
        let other = names
            .map(String::as_str)
            .find(|name| original.column(name) != written.column(name));
        let same = original.positions == written.positions
            && original.keys == written.keys
            && original.census == written.census
            && original.columns.len() == written.columns.len();
        let message = match other {
            Some(column) => message!(
                "the column {column} of the parts differs from that of the original tablebase",
                column
            ),
            None if !same => {
                message!("the rows of the parts differ from those of the original tablebase")
            }
            None => return Ok(()),
        };
        Err(Diagnostic::new(Kind::Io, message).help(message!(
            "write the parts again: {command}",
            command = Command::command_line("convert")
        )))
    }
}

fn misplaced(file: &Path) -> Diagnostic {
    let message = message!(
        "{file}: the part has the wrong number, or belongs to another tablebase",
        file = file.display()
    );
    Diagnostic::new(Kind::Io, message)
}

/// Returns the error with the name of the file in front of its message.
fn of_file(file: &Path, error: Diagnostic) -> Diagnostic {
    let message = message!(
        "{file}: {what}",
        file = file.display(),
        what = error.message
    );
    Diagnostic { message, ..error }
}

fn open(file: &Path) -> Result<SerializedFileReader<File>, Diagnostic> {
    let input = File::open(file).map_err(|error| Diagnostic::io(file.display(), &error))?;
    // The Parquet reader can panic on a damaged file (see `catch_panic`).
    let reader = catch_panic(|| SerializedFileReader::new(input).map_err(failed));
    reader
        .unwrap_or_else(|| Err(damaged_pages()))
        .map_err(|error| of_file(file, error))
}

fn damaged_pages() -> Diagnostic {
    broken(&message!("the pages are inconsistent"))
}

/// Reads the footer of a Parquet file of a tablebase. Returns the index of the file, the text of
/// the manifest, and the number of files of the tablebase.
fn footer(file: &Path) -> Result<(u64, String, u64), Diagnostic> {
    let reader = open(file)?;
    let about = reader.metadata().file_metadata().key_value_metadata();
    let metadata = |key: &str| {
        let found = about?.iter().find(|pair| pair.key == key)?;
        found.value.clone()
    };
    let part = metadata(PART).and_then(|part| {
        let (number, of) = part.split_once(" of ")?;
        Some((number.parse().ok()?, of.parse().ok()?))
    });
    let metadata = part.zip(metadata(MANIFEST));
    metadata
        .map(|((number, of), manifest)| (number, manifest, of))
        .ok_or_else(|| {
            let message = message!("{file}: not a part of a tablebase", file = file.display());
            Diagnostic::new(Kind::Io, message).help(message!(
                "to convert a tablebase to a folder of parts, use {command}",
                command = Command::command_line("convert").word("DIR").word("PARTS")
            ))
        })
}

impl PartsReader<'_> {
    /// Calls `visit` for each row of the Parquet files, in order. The arguments of `visit` are one
    /// batch of rows of the columns `names`, and the index of the row in this batch.
    fn each(
        &self,
        names: &[&'static str],
        visit: &mut dyn FnMut(&[Column], usize) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut rank = 0;
        for file in &self.parts.files {
            // The guard against panics includes `visit`, because a damaged page is found only when
            // it is read.
            let reader = open(file)?;
            let read = catch_panic(|| self.each_of(&reader, names, &mut rank, visit));
            read.unwrap_or_else(|| Err(damaged_pages()))
                .map_err(|error| of_file(file, error))?;
        }
        Ok(())
    }

    fn each_of(
        &self,
        reader: &SerializedFileReader<File>,
        names: &[&'static str],
        rank: &mut u64,
        visit: &mut dyn FnMut(&[Column], usize) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        check_compression(reader)?;
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let place = |name: &&str| {
            let mut columns = schema.columns().iter();
            let found = columns.position(|column| column.name() == *name);
            found.ok_or_else(|| {
                let message = message!("there is no column `{name}`", name);
                Diagnostic::new(Kind::Syntax, message)
            })
        };
        // The rank is always read. It shows whether a row is missing or repeated.
        let names = [&["rank"], names].concat();
        let places: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(failed)?;
            let columns = places.iter().zip(&names);
            let mut columns = columns
                .map(|(&place, name)| Column::open(&*group, place, name))
                .collect::<Result<Vec<Column>, _>>()?;
            loop {
                self.limits.poll()?;
                let read = columns.iter_mut().map(Column::read);
                let read: Vec<usize> = read.collect::<Result<_, _>>()?;
                // All columns must have batches of equal length, so that the rows correspond. In a
                // damaged file they may differ.
                if read.iter().any(|&length| length != read[0]) {
                    return Err(broken(&message!("the columns differ in length")));
                }
                if read[0] == 0 {
                    break;
                }
                for row in 0..read[0] {
                    if columns[0].number(row)? != Some(*rank) {
                        let message = message!("the row of rank {rank} is missing", rank = *rank);
                        return Err(Diagnostic::new(Kind::Io, message));
                    }
                    *rank += 1;
                    visit(&columns[1..], row)?;
                }
            }
        }
        Ok(())
    }

    /// Appends the rows of all Parquet files to the writer of the tablebase.
    fn fill(&self, writer: &mut RowWriter<'_>) -> Result<(), Diagnostic> {
        let manifest = &self.parts.manifest;
        let columns = optional_columns(manifest);
        let fields = fields(manifest, columns.names);
        let names: Vec<&str> = fields[1..].iter().map(|field| field.name).collect();
        let mut number = 0;
        self.each(&names, &mut |cells, row| {
            let mut cells = cells.iter();
            let mut next = || cells.next().ok_or_else(missing);
            let name = if columns.names { Some(next()?) } else { None };
            let records = self.records(&mut next, row)?;
            let options = if columns.options {
                numbers(&next()?.text(row)?.unwrap_or_default())?
            } else {
                Vec::new()
            };
            let name = || match name {
                Some(name) => name.text(row)?.ok_or_else(missing),
                // The writer requests names only for the positions of greatest remoteness.
                None => Ok(self.hardest_name(number)),
            };
            writer.push(name, records, options)?;
            number += 1;
            Ok(())
        })
    }

    /// Reads the records of a position from row `row` of the loaded columns. Each call of `next`
    /// returns the next column. Returns one record for each player who may move first.
    fn records<'c>(
        &self,
        next: &mut dyn FnMut() -> Result<&'c Column, Diagnostic>,
        row: usize,
    ) -> Result<Vec<Record>, Diagnostic> {
        let columns = optional_columns(&self.parts.manifest);
        let text = next()?.text(row)?.ok_or_else(missing)?;
        let mut records = Vec::new();
        for &outcome in self.parts.outcomes.read(&text)? {
            let moves = next()?.number(row)?.map(u32::try_from).transpose();
            records.push(Record {
                outcome,
                remoteness: moves.map_err(|_| missing())?,
                value: None,
                best: None,
            });
        }
        if columns.values {
            let value = match (next()?.number(row)?, next()?.text(row)?) {
                (Some(number), None) => Some(Loopy::Finite(number)),
                (None, Some(set)) => Some(Loopy::Infinite(numbers(&set)?)),
                (None, None) => None,
                (Some(_), Some(_)) => {
                    return Err(broken(&message!("a value is both a number and infinite")));
                }
            };
            for record in &mut records {
                record.value.clone_from(&value);
            }
        }
        if columns.moves {
            for record in &mut records {
                record.best = next()?.number(row)?;
            }
        }
        Ok(records)
    }

    /// Returns the name of position `number` from the manifest, for parts that do not contain
    /// names. The writer requests only the names of the positions that are the hardest so far. If
    /// the manifest lacks the name, a harder position follows, and the result is empty.
    fn hardest_name(&self, number: u64) -> Cow<'_, str> {
        let Manifest {
            census,
            hardest,
            about,
            ..
        } = &self.parts.manifest;
        let turns = u64::from(about.kind.turns());
        let mut known = census.hardest.iter().zip(hardest);
        let name = known.find(|(row, _)| *row / turns == number);
        // The writer requests names of the hardest positions so far. If a name is not in the
        // manifest, a harder position follows, and the name is discarded.
        name.map_or(Cow::Borrowed(""), |(_, name)| name.into())
    }
}

fn missing() -> Diagnostic {
    broken(&message!("a required cell is empty"))
}

/// Parses numbers that are separated by commas.
fn numbers(text: &str) -> Result<Vec<u64>, Diagnostic> {
    let numbers = text.split(',').filter(|number| !number.is_empty());
    let numbers = numbers.map(|number| number.parse().ok());
    numbers
        .collect::<Option<Vec<u64>>>()
        .ok_or_else(|| broken(&message!("`{text}` is not a list of numbers", text)))
}
