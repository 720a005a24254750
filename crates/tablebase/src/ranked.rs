//! Tables of games whose rules number the positions: no keys, a rank.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::folder::{Folder, Written};
use crate::manifest::{About, Extra, Keys, Manifest};
use crate::records::Records;

/// What is known of all positions of a game by ranks.
#[derive(Clone, Copy, Debug)]
pub struct RankedTable<F, N> {
    /// How many positions there are. Row i belongs to the position of rank i, in a partizan game rows 2i with Left to move and 2i + 1
    /// with Right.
    pub positions: u64,
    /// Whether values are known.
    pub has_values: bool,
    /// What is known of a row. A best move is not kept: it is found by the rules.
    pub record: F,
    /// The position of a rank, as it is printed.
    pub name: N,
}

/// Writes a tablebase of a ranked game to `folder`, as a whole or not at all. `extras` makes further files of the manifest.
///
/// # Complexity
/// One call of `record` for each row, and a block of memory for each column.
///
/// # Errors
/// What could not be written, what is in the way, or what stopped it.
pub fn write_ranked(
    folder: &Path,
    about: &About,
    ranked: &RankedTable<impl Fn(u64) -> Record, impl Fn(u64) -> Result<String, Diagnostic>>,
    extras: &dyn Fn(&Manifest) -> Vec<Extra>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let target = Folder::new(folder, about, true)?;
    let mut records = Records::create(&target, ranked.has_values, false)?;
    for row in 0..u64::from(about.kind.turns()) * ranked.positions {
        if row.is_multiple_of(1 << 16) {
            limits.poll()?;
        }
        records.push((ranked.record)(row))?;
    }
    let (columns, census) = records.finish()?;
    let turns = u64::from(about.kind.turns());
    let named = |&row: &u64| (ranked.name)(row / turns);
    let written = Written {
        positions: ranked.positions,
        hardest: census.hardest.iter().map(named).collect::<Result<_, _>>()?,
        census,
        keys: Keys::Ranked,
        columns,
    };
    target.finish(written, extras)
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
