//! Tables of games whose rules number the positions. Such a table stores no keys.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::manifest::{About, Extras, OptionalColumns};
use crate::ordered::{RowWriter, write_rows};
use crate::schedule::CheckpointSchedule;

/// The contents of a tablebase of a ranked game, that is, a game whose rules number the positions.
#[derive(Clone, Copy, Debug)]
pub struct RankedTable<F, N> {
    /// Number of positions. In an impartial game row i belongs to the position of rank i. In a
    /// partizan game the position of rank i has row 2i with Left to move, and 2i + 1 with Right to
    /// move.
    pub positions: u64,
    /// `true` if values are known.
    pub has_values: bool,
    /// The function that returns the record of a row. Best moves are not stored, since the rules
    /// find them.
    pub record: F,
    /// The function that returns the printed form of the position with a given rank.
    pub name: N,
}

/// Writes a tablebase of a ranked game to `folder` atomically. The callback `extras` creates the
/// additional files. It receives the manifest, which is complete except for these files.
///
/// # Complexity
/// Calls `record` once for each row. Takes memory for a batch of 32 blocks of each column, and for
/// the distinct sets of infinite values.
///
/// # Errors
/// An error of the disk, an existing folder, a limit that was reached, or an error of `record`,
/// `name` or `extras`.
pub fn write_ranked(
    folder: &Path,
    about: &About,
    ranked: &RankedTable<
        impl Fn(u64) -> Result<Record, Diagnostic>,
        impl Fn(u64) -> Result<String, Diagnostic>,
    >,
    extras: Extras<'_>,
    limits: &Limits<'_>,
    schedule: Option<&CheckpointSchedule>,
) -> Result<(), Diagnostic> {
    let turns = u64::from(about.kind.turns());
    let optional = OptionalColumns {
        values: ranked.has_values,
        ..OptionalColumns::default()
    };
    let fill = |writer: &mut RowWriter<'_>| {
        (writer.positions()..ranked.positions).try_for_each(|rank| {
            // `push` takes an iterator of records, which cannot return an error. So an error is
            // stored in `failed` and returned afterwards.
            let mut failed = None;
            let entries = turns * rank..turns * (rank + 1);
            let records = entries.map_while(|entry| match (ranked.record)(entry) {
                Ok(record) => Some(record),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            });
            let pushed = writer.push(|| (ranked.name)(rank).map(Cow::Owned), records, []);
            failed.map_or(pushed, Err)
        })
    };
    write_rows(folder, about, optional, fill, extras, limits, schedule)
}

/// Estimates the size in bytes on disk of a column with the given numbers.
pub fn estimated_size(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut encoder = ZlibEncoder::new(ByteCounter(0), Compression::default());
    for number in numbers {
        let bytes = number.to_le_bytes();
        // The width is chosen for each number instead of for each block. The size is only an
        // estimate, but no block needs to be stored.
        let width = bytes.len() - number.leading_zeros() as usize / 8;
        // Writing to a `ByteCounter` cannot fail.
        let _ = encoder.write_all(&bytes[..width.max(1)]);
    }
    encoder.finish().map_or(0, |counted| counted.0)
}

/// A writer that counts the bytes written to it and discards them.
struct ByteCounter(u64);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
