//! Writing a tablebase.

use std::path::Path;

use grundy_base::{Diagnostic, Limits};

use crate::blocks::Texts;
use crate::folder::{Folder, Written};
use crate::manifest::{About, Column, Extra, Keys, Manifest};
use crate::records::Records;
use crate::{Record, keys};

/// A labelled game with a text for each position.
pub trait Rows {
    /// How many positions there are.
    fn len(&self) -> u32;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a position; no two have the same.
    fn key(&self, number: u32) -> &str;

    /// What is known of an entry: a position, or in a partizan game 2i for position i with Left to move, and 2i + 1 with Right.
    /// `best` is the number of another entry.
    fn record(&self, entry: u32) -> Record;

    /// Whether values are known.
    fn has_values(&self) -> bool;

    /// Whether best moves are to be kept.
    fn has_moves(&self) -> bool;

    /// Whether the moves themselves are to be kept: those of a graph, which no rules tell.
    fn has_options(&self) -> bool {
        false
    }

    /// The numbers of the positions that a position has moves to, where they are to be kept.
    fn options(&self, number: u32) -> &[u32] {
        let _ = number;
        &[]
    }
}

/// The column of moves: for each row the rows that it has moves to.
fn options(
    folder: &Folder<'_>,
    rows: &impl Rows,
    order: &[u32],
    row_of: &[u32],
    limits: &Limits<'_>,
) -> Result<Column, Diagnostic> {
    let mut column = Texts::create(folder, "options", 1)?;
    let mut text = String::new();
    for (row, &number) in order.iter().enumerate() {
        if row % (1 << 12) == 0 {
            limits.poll()?;
        }
        text.clear();
        for &option in rows.options(number) {
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(&row_of[option as usize].to_string());
        }
        column.push(text.as_bytes())?;
    }
    column.finish()
}

/// Writes a tablebase to `folder`, as a whole or not at all. `extras` makes the further files of a manifest that is whole but for them.
///
/// # Complexity
/// O(n log n) comparisons of texts, one call of [`Rows::record`] for each position; 8 bytes a position, and a block of memory for
/// each column.
///
/// # Errors
/// What could not be written, what is in the way, or what stopped it.
pub fn write(
    folder: &Path,
    about: &About,
    rows: &impl Rows,
    extras: &dyn Fn(&Manifest) -> Vec<Extra>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let target = Folder::new(folder, about, false)?;
    let place = &target;
    let mut order: Vec<u32> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&number| rows.key(number).as_bytes());
    let mut row_of = vec![0u32; order.len()];
    for (row, &number) in order.iter().enumerate() {
        row_of[number as usize] = row as u32;
    }
    let texts = order.iter().map(|&number| rows.key(number).as_bytes());
    let mut columns = keys::write(place, texts, || limits.poll())?;
    let levels = columns.len();
    let mut records = Records::create(place, rows.has_values(), rows.has_moves())?;
    let turns = about.kind.turns();
    let entries = order
        .iter()
        .flat_map(|&number| (0..turns).map(move |turn| turns * number + turn));
    for (row, entry) in entries.enumerate() {
        if row % (1 << 12) == 0 {
            limits.poll()?;
        }
        let record = rows.record(entry);
        let best = record.best.map(|entry| {
            let (number, turn) = (entry / u64::from(turns), entry % u64::from(turns));
            u64::from(turns) * u64::from(row_of[number as usize]) + turn
        });
        records.push(Record { best, ..record })?;
    }
    let (kept, census) = records.finish()?;
    columns.extend(kept);
    if rows.has_options() {
        columns.push(options(place, rows, &order, &row_of, limits)?);
    }
    let named = |&entry: &u64| {
        rows.key(order[(entry / u64::from(turns)) as usize])
            .to_owned()
    };
    let written = Written {
        positions: order.len() as u64,
        hardest: census.hardest.iter().map(named).collect(),
        census,
        keys: Keys::Sorted { levels },
        columns,
    };
    target.finish(written, extras)
}
