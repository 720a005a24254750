//! Writing of a tablebase from positions in any order. The rows of the tablebase are sorted by the
//! texts of the positions.

use std::path::Path;

use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::manifest::{About, Extras, OptionalColumns};
use crate::ordered::{RowWriter, write_rows};

/// A labelled game with a text for each position.
pub trait Rows {
    /// Returns the number of positions.
    fn len(&self) -> u32;

    /// Returns whether there are no positions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a position. All texts are distinct.
    fn key(&self, number: u32) -> &str;

    /// Returns the record of an entry, which is a position with a player to move. In a partizan
    /// game position i has entry 2i with Left to move, and 2i + 1 with Right to move. The field
    /// `best` of the record is the entry that the best move leads to.
    fn record(&self, entry: u32) -> Record;

    /// Returns whether values are known.
    fn has_values(&self) -> bool;

    /// Returns whether best moves are stored.
    fn has_moves(&self) -> bool;

    /// Returns whether the options of each position are stored. They are stored for a graph, which
    /// has no rules.
    fn has_options(&self) -> bool {
        false
    }

    /// Returns the options of a position, if they are stored.
    fn options(&self, number: u32) -> &[u32] {
        let _ = number;
        &[]
    }
}

/// Writes a tablebase to `folder` atomically. The callback `extras` creates the additional files.
/// It receives the manifest, which is complete except for these files.
///
/// # Complexity
/// O(n log n) comparisons of texts, and one call of [`Rows::record`] for each entry. Takes 8 bytes
/// for each position, and memory for a batch of 32 blocks of each column.
///
/// # Errors
/// An error of the disk, an existing folder, a limit that was reached, or an error of `extras`.
pub fn write(
    folder: &Path,
    about: &About,
    rows: &impl Rows,
    extras: Extras<'_>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let mut order: Vec<u32> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&number| rows.key(number).as_bytes());
    // The inverse permutation, from positions to rows: best moves and options are given as
    // positions, but the table refers to sorted rows.
    let mut row_of = vec![0u32; order.len()];
    for (row, &number) in order.iter().enumerate() {
        row_of[number as usize] = row as u32;
    }
    let turns = about.kind.turns();
    let row = |entry: u64| {
        let (number, turn) = (entry / u64::from(turns), entry % u64::from(turns));
        u64::from(turns) * u64::from(row_of[number as usize]) + turn
    };
    let optional = OptionalColumns {
        names: true,
        values: rows.has_values(),
        moves: rows.has_moves(),
        options: rows.has_options(),
    };
    let fill = |writer: &mut RowWriter<'_>| {
        order.iter().try_for_each(|&number| {
            let records = (0..turns).map(|turn| {
                let record = rows.record(turns * number + turn);
                let best = record.best.map(row);
                Record { best, ..record }
            });
            let options = rows.options(number).iter();
            let options = options.map(|&option| row_of[option as usize].into());
            writer.push(|| Ok(rows.key(number).into()), records, options)
        })
    };
    write_rows(folder, about, optional, fill, extras, limits, None)
}
