//! Marks of partial tables. A mark is a file next to the table. It records how much of the table is
//! on disk, so that an interrupted write resumes there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use grundy_base::files::{commit_file, hidden_sibling};
use grundy_core::Diagnostic;
use grundy_tablebase::{CheckpointSchedule, MarkFile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use grundy_job::files;
use grundy_tables::label::output::{self, Format};
use grundy_tables::label::rows::Rows;

/// The version of this program. Another version may encode rows differently, so marks of other
/// versions are rejected.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// Number of rows that are written between two checks of the checkpoint timer.
pub(super) const ROWS_PER_CHECK: u64 = 1 << 12;

/// Access to the marks of one labelling. A mark is a file next to a table that records how much of
/// the table is on disk.
pub(super) struct Marks<'m> {
    pub(super) schedule: &'m CheckpointSchedule,
    /// The random number that identifies the labelling. Marks with another number are ignored.
    pub(super) labelling: u64,
}

/// The program version and the labelling that a partial table belongs to.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    program: String,
    labelling: u64,
}

/// The number of rows and bytes of a table that are on disk.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct WrittenPart {
    rows: u64,
    bytes: u64,
    /// `true` if the table is complete and has its final name.
    whole: bool,
}

fn mark_file(table: &Path) -> MarkFile {
    MarkFile::new(hidden_sibling(table, ".mark.json"))
}

impl Marks<'_> {
    /// Returns the content of the mark file of a table, which records how far the table was
    /// written. Returns nothing if there is no mark file, or if this run does not resume.
    pub(super) fn read<T: DeserializeOwned>(&self, table: &Path) -> Option<T> {
        let mark = mark_file(table).read(&self.identity());
        mark.filter(|_| self.schedule.resumes())
    }

    fn identity(&self) -> Identity {
        Identity {
            program: PROGRAM.to_owned(),
            labelling: self.labelling,
        }
    }

    /// Writes the mark file of a table. `written` says how much of the table is on disk, or how far
    /// its checksum has been computed.
    pub(super) fn write<T: Serialize>(&self, table: &Path, written: T) -> Result<(), Diagnostic> {
        let mark = mark_file(table);
        let put = mark.write(&self.identity(), &written);
        put.map_err(|error| files::failed(mark.path(), &error))
    }

    /// Removes the mark file of a table, once the table is complete.
    pub(super) fn remove(table: &Path) {
        // An error is ignored: a mark that could not be removed belongs to a labelling that no
        // later run resumes.
        let _ = mark_file(table).remove();
    }

    /// Writes the rows of a table to a file. At intervals it writes a mark, a file that records how
    /// much of the table is on disk. Another run can resume from the mark.
    pub(super) fn rows(
        &self,
        table: &impl Rows,
        format: Format,
        file: &Path,
    ) -> Result<(), Diagnostic> {
        let failed = |error: io::Error| files::failed(file, &error);
        let resumed: WrittenPart = self.read(file).unwrap_or_default();
        // The previous run may have ended after renaming the table to its final name and before
        // removing the mark.
        if resumed.whole && file.exists() {
            return Ok(());
        }
        let cut = hidden_sibling(file, ".cut.partial");
        let length = fs::metadata(&cut).map_or(0, |about| about.len());
        // A mark may describe more bytes than the file has, for example after a loss of data that
        // was not synchronized. Then the table is written from the start.
        let possible = resumed.bytes <= length && resumed.rows <= table.positions();
        let resumed = Some(resumed).filter(|resumed| !resumed.whole && possible);
        let WrittenPart { rows, bytes, .. } = resumed.unwrap_or_default();
        let open = || -> io::Result<File> {
            let mut out = File::options()
                .create(true)
                .write(true)
                .truncate(false)
                .open(&cut)?;
            // Bytes after the mark may be incomplete rows, so they are discarded.
            out.set_len(bytes)?;
            out.seek(SeekFrom::End(0))?;
            Ok(out)
        };
        let mut out = BufWriter::with_capacity(1 << 16, open().map_err(failed)?);
        let (mut next, mut marked) = (rows, rows > 0);
        let mut write = || -> Result<(), Diagnostic> {
            loop {
                let end = table.positions().min(next + ROWS_PER_CHECK);
                output::rows(table, format, next..end, &mut out).map_err(failed)?;
                next = end;
                if end == table.positions() {
                    break;
                }
                // Data is synchronized before the mark is written. Otherwise a crash could lose
                // bytes that the mark describes.
                marked |= self.schedule.if_due(|| {
                    let length = out.flush().and_then(|()| {
                        out.get_ref().sync_data()?;
                        out.stream_position()
                    });
                    let so_far = WrittenPart {
                        rows: next,
                        bytes: length.map_err(failed)?,
                        whole: false,
                    };
                    self.write(file, so_far)
                })?;
            }
            out.flush()
                .and_then(|()| commit_file(out.get_ref(), &cut, file))
                .map_err(failed)?;
            let whole = WrittenPart {
                rows: next,
                bytes: 0,
                whole: true,
            };
            self.write(file, whole)
        };
        let written = write();
        // Without a mark the partial file is useless and is removed. An error of the removal must
        // not hide the first error.
        if written.is_err() && !marked {
            let _ = fs::remove_file(&cut);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use grundy_core::{Kind, Play, message};

    use super::*;
    use grundy_tables::label::rows::Cell as RowCell;

    /// A table of `rows` rows in which reading fails after `remaining` rows.
    struct Broken {
        rows: u64,
        remaining: Cell<u64>,
    }

    impl Rows for Broken {
        fn positions(&self) -> u64 {
            self.rows
        }

        fn edges(&self) -> Option<usize> {
            Some(7)
        }

        fn play(&self) -> Play {
            Play::Normal
        }

        fn by_player(&self) -> bool {
            false
        }

        fn best_move(&self) -> bool {
            false
        }

        fn row<'c>(&'c self, position: u64, row: &mut Vec<RowCell<'c>>) -> Result<(), Diagnostic> {
            let remaining = self.remaining.get().checked_sub(1);
            let cut = || Diagnostic::new(Kind::Io, message!("cut off"));
            self.remaining.set(remaining.ok_or_else(cut)?);
            row.clear();
            row.extend([
                RowCell::Text(Some(format!("position {position}").into())),
                RowCell::Text(Some("N".into())),
                RowCell::Number(Some(position as u32 % 9)),
                RowCell::Grundy(None),
            ]);
            Ok(())
        }
    }

    #[test]
    fn an_interrupted_table_resumes_from_its_mark() -> Result<(), Diagnostic> {
        let folder = std::env::temp_dir().join(format!("grundy-marks-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let all = |rows, remaining| Broken {
            rows,
            remaining: Cell::new(remaining),
        };
        for format in [Format::Csv, Format::Json] {
            // Row counts below, at, and just above one interval of marks, and one of many intervals
            // with a remainder.
            for rows in [
                1,
                ROWS_PER_CHECK,
                ROWS_PER_CHECK + 1,
                9 * ROWS_PER_CHECK + 17,
            ] {
                let mut whole = Vec::new();
                output::write(&all(rows, rows), format, &mut whole).unwrap();
                let file = folder.join(format!("{format:?}-{rows}"));
                let (mut runs, mut rows_read) = (0, 0);
                loop {
                    let schedule = CheckpointSchedule::new(Duration::ZERO, true);
                    let marks = Marks {
                        schedule: &schedule,
                        labelling: 7,
                    };
                    // Each run can read slightly more than one interval, so that it writes a mark
                    // before it fails.
                    let table = all(rows, ROWS_PER_CHECK + 100 + 2_000 * runs);
                    let done = marks.rows(&table, format, &file);
                    runs += 1;
                    rows_read += ROWS_PER_CHECK + 100 + 2_000 * (runs - 1) - table.remaining.get();
                    if done.is_ok() {
                        break;
                    }
                    assert!(!file.exists());
                    if runs == 2 {
                        // A mark of another labelling is ignored.
                        let other = Marks {
                            schedule: &schedule,
                            labelling: 8,
                        };
                        assert!(other.read::<WrittenPart>(&file).is_none());
                    }
                }
                assert!(fs::read(&file).unwrap() == whole, "{format:?} {rows}");
                // Each run writes again at most one interval of rows that the previous run had
                // written.
                assert!(
                    rows_read <= rows + runs * ROWS_PER_CHECK,
                    "{rows_read} of {rows} in {runs}"
                );
                let schedule = CheckpointSchedule::new(Duration::ZERO, true);
                let marks = Marks {
                    schedule: &schedule,
                    labelling: 7,
                };
                // A complete table is not written again: the call succeeds even though every read
                // of a row would fail.
                marks.rows(&all(rows, 0), format, &file)?;
                Marks::remove(&file);
                marks.rows(&all(rows, 0), format, &file).unwrap_err();
            }
        }
        fs::remove_dir_all(&folder).unwrap();
        Ok(())
    }
}
