//! Marks of partial tables. A mark is a file next to the table. It records how much of the table is
//! on disk, so that an interrupted write resumes there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use grundy::Diagnostic;
use grundy_base::files::{commit_file, hidden_sibling};
use grundy_tablebase::{MarkFile, Pauses};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use grundy_job::files;
use grundy_tables::label::output::{self, Format};
use grundy_tables::label::rows::Rows;

/// The version of this program. Another version may encode rows differently, so marks of other
/// versions are rejected.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// Number of rows after which the timer is checked again.
pub(super) const SOME: u64 = 1 << 12;

/// The marks of one labelling.
pub(super) struct Marks<'m> {
    pub(super) pauses: &'m Pauses,
    /// The random number that identifies the labelling. Marks with another number are ignored.
    pub(super) labelling: u64,
}

/// The program version and the labelling that a partial table belongs to.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    program: String,
    labelling: u64,
}

/// The part of a table of rows that is on disk.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Written {
    rows: u64,
    bytes: u64,
    /// `true` if the table is complete and has its final name.
    whole: bool,
}

fn mark_of(table: &Path) -> MarkFile {
    MarkFile::new(hidden_sibling(table, ".mark.json"))
}

impl Marks<'_> {
    /// Returns the content of the mark of a table. Returns nothing if there is no mark, or if this
    /// run does not resume.
    pub(super) fn read<T: DeserializeOwned>(&self, table: &Path) -> Option<T> {
        let mark = mark_of(table).read(&self.identity());
        mark.filter(|_| self.pauses.goes_on())
    }

    fn identity(&self) -> Identity {
        Identity {
            program: PROGRAM.to_owned(),
            labelling: self.labelling,
        }
    }

    /// Writes the mark of a table. It records how much of the table is on disk.
    pub(super) fn write<T: Serialize>(&self, table: &Path, written: T) -> Result<(), Diagnostic> {
        let mark = mark_of(table);
        let put = mark.write(&self.identity(), &written);
        put.map_err(|error| files::failed(mark.path(), &error))
    }

    /// Removes the mark of a complete table.
    pub(super) fn remove(table: &Path) {
        // An error is ignored: a mark that could not be removed belongs to a labelling that no
        // later run resumes.
        let _ = mark_of(table).remove();
    }

    /// Writes a table of rows to a file, with marks from which another run can resume.
    pub(super) fn rows(
        &self,
        table: &impl Rows,
        format: Format,
        file: &Path,
    ) -> Result<(), Diagnostic> {
        let failed = |error: io::Error| files::failed(file, &error);
        let begun: Written = self.read(file).unwrap_or_default();
        // The previous run may have ended after renaming the table to its final name and before
        // removing the mark.
        if begun.whole && file.exists() {
            return Ok(());
        }
        let cut = hidden_sibling(file, ".cut.partial");
        let there = fs::metadata(&cut).map_or(0, |about| about.len());
        // A mark may describe more bytes than the file has, for example after a loss of data that
        // was not synchronized. Then the table is written from the start.
        let possible = begun.bytes <= there && begun.rows <= table.positions();
        let begun = Some(begun).filter(|begun| !begun.whole && possible);
        let Written { rows, bytes, .. } = begun.unwrap_or_default();
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
                let end = table.positions().min(next + SOME);
                output::rows(table, format, next..end, &mut out).map_err(failed)?;
                next = end;
                if end == table.positions() {
                    break;
                }
                // Data is synchronized before the mark is written. Otherwise a crash could lose
                // bytes that the mark describes.
                marked |= self.pauses.if_due(|| {
                    let there = out.flush().and_then(|()| {
                        out.get_ref().sync_data()?;
                        out.stream_position()
                    });
                    let so_far = Written {
                        rows: next,
                        bytes: there.map_err(failed)?,
                        whole: false,
                    };
                    self.write(file, so_far)
                })?;
            }
            out.flush()
                .and_then(|()| commit_file(out.get_ref(), &cut, file))
                .map_err(failed)?;
            let whole = Written {
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

    use grundy::{Kind, Play, message};

    use super::*;
    use grundy_tables::label::rows::Cell as Said;

    /// A table of `rows` rows in which reading fails after `left` rows.
    struct Broken {
        rows: u64,
        left: Cell<u64>,
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

        fn row<'c>(&'c self, position: u64, row: &mut Vec<Said<'c>>) -> Result<(), Diagnostic> {
            let left = self.left.get().checked_sub(1);
            let cut = || Diagnostic::new(Kind::Io, message!("cut off"));
            self.left.set(left.ok_or_else(cut)?);
            row.clear();
            row.extend([
                Said::Text(Some(format!("position {position}").into())),
                Said::Text(Some("N".into())),
                Said::Number(Some(position as u32 % 9)),
                Said::Grundy(None),
            ]);
            Ok(())
        }
    }

    #[test]
    fn an_interrupted_table_resumes_from_its_mark() -> Result<(), Diagnostic> {
        let folder = std::env::temp_dir().join(format!("grundy-marks-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let all = |rows, left| Broken {
            rows,
            left: Cell::new(left),
        };
        for format in [Format::Csv, Format::Json] {
            // Row counts below, at, and just above one interval of marks, and one of many intervals
            // with a remainder.
            for rows in [1, SOME, SOME + 1, 9 * SOME + 17] {
                let mut whole = Vec::new();
                output::write(&all(rows, rows), format, &mut whole).unwrap();
                let file = folder.join(format!("{format:?}-{rows}"));
                let (mut goes, mut again) = (0, 0);
                loop {
                    let pauses = Pauses::new(Duration::ZERO, true);
                    let marks = Marks {
                        pauses: &pauses,
                        labelling: 7,
                    };
                    // Each run can read slightly more than one interval, so that it writes a mark
                    // before it fails.
                    let table = all(rows, SOME + 100 + 2_000 * goes);
                    let done = marks.rows(&table, format, &file);
                    goes += 1;
                    again += SOME + 100 + 2_000 * (goes - 1) - table.left.get();
                    if done.is_ok() {
                        break;
                    }
                    assert!(!file.exists());
                    if goes == 2 {
                        // A mark of another labelling is ignored.
                        let other = Marks {
                            pauses: &pauses,
                            labelling: 8,
                        };
                        assert!(other.read::<Written>(&file).is_none());
                    }
                }
                assert!(fs::read(&file).unwrap() == whole, "{format:?} {rows}");
                // Each run writes again at most one interval of rows that the previous run had
                // written.
                assert!(again <= rows + goes * SOME, "{again} of {rows} in {goes}");
                let pauses = Pauses::new(Duration::ZERO, true);
                let marks = Marks {
                    pauses: &pauses,
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
