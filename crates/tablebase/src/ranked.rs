//! Tables of games whose rules number the positions: no keys, a rank.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::manifest::About;
use crate::ordered::{Extras, Kept, Ordered, VisitName, VisitOptions, VisitRecord, write_ordered};

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

/// The rows, as many for each position as there are turns.
struct Cells<'a, F, N> {
    table: &'a RankedTable<F, N>,
    turns: u64,
}

impl<F, N> Ordered for Cells<'_, F, N>
where
    F: Fn(u64) -> Record,
    N: Fn(u64) -> Result<String, Diagnostic>,
{
    fn positions(&self) -> u64 {
        self.table.positions
    }

    fn has_names(&self) -> bool {
        false
    }

    fn kept(&self) -> Kept {
        Kept {
            values: self.table.has_values,
            ..Kept::default()
        }
    }

    fn each_name(&mut self, _: VisitName<'_>) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn each_record(&mut self, visit: VisitRecord<'_>) -> Result<(), Diagnostic> {
        let rows = self.turns * self.table.positions;
        (0..rows).try_for_each(|row| visit((self.table.record)(row)))
    }

    fn each_options(&mut self, _: VisitOptions<'_>) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn name(&mut self, number: u64) -> Result<String, Diagnostic> {
        (self.table.name)(number)
    }
}

/// Writes a tablebase of a ranked game to `folder`, as a whole or not at all. `extras` makes further files of the manifest.
///
/// # Complexity
/// One call of `record` for each row, and a block of memory for each column.
///
/// # Errors
/// What could not be written, what is in the way, what stopped it, or what `extras` refuses.
pub fn write_ranked(
    folder: &Path,
    about: &About,
    ranked: &RankedTable<impl Fn(u64) -> Record, impl Fn(u64) -> Result<String, Diagnostic>>,
    extras: Extras<'_>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let mut cells = Cells {
        table: ranked,
        turns: about.kind.turns().into(),
    };
    write_ordered(folder, about, &mut cells, extras, limits)
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
