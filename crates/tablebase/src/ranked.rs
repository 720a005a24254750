//! Tables of games whose rules number the positions: no keys, a rank.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::manifest::{About, Extras, Kept};
use crate::ordered::{RowWriter, write_rows};
use crate::pauses::Pauses;

/// What is known of all positions of a game by ranks.
#[derive(Clone, Copy, Debug)]
pub struct RankedTable<F, N> {
    /// How many positions there are. Row i belongs to the position of rank i, in a partizan game
    /// rows 2i with Left to move and 2i + 1 with Right.
    pub positions: u64,
    /// `true` if values are known.
    pub has_values: bool,
    /// What is known of a row. A best move is not kept: it is found by the rules.
    pub record: F,
    /// The position of a rank, as it is printed.
    pub name: N,
}

/// Writes a tablebase of a ranked game to `folder`, as a whole or not at all. `extras` makes
/// further files of the manifest.
///
/// # Complexity
/// One call of `record` for each row, and a block of memory for each column.
///
/// # Errors
/// What could not be written, what is in the way, what stopped it, or what `extras` refuses.
pub fn write_ranked(
    folder: &Path,
    about: &About,
    ranked: &RankedTable<
        impl Fn(u64) -> Result<Record, Diagnostic>,
        impl Fn(u64) -> Result<String, Diagnostic>,
    >,
    extras: Extras<'_>,
    limits: &Limits<'_>,
    pauses: Option<&Pauses>,
) -> Result<(), Diagnostic> {
    let turns = u64::from(about.kind.turns());
    let kept = Kept {
        values: ranked.has_values,
        ..Kept::default()
    };
    let fill = |writer: &mut RowWriter<'_>| {
        (writer.positions()..ranked.positions).try_for_each(|rank| {
            // At most two, of which one is handed over at a time.
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
    write_rows(folder, about, kept, fill, extras, limits, pauses)
}

/// About how many bytes a column of these numbers takes on disk.
pub fn packed(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut encoder = ZlibEncoder::new(Counted(0), Compression::default());
    for number in numbers {
        let bytes = number.to_le_bytes();
        let width = bytes.len() - number.leading_zeros() as usize / 8;
        // Counting does not fail.
        let _ = encoder.write_all(&bytes[..width.max(1)]);
    }
    encoder.finish().map_or(0, |counted| counted.0)
}

/// Counts what is written.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
