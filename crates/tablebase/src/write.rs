//! Writing a tablebase of positions in any order, which are sorted by their texts.

use std::path::Path;

use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::manifest::About;
use crate::ordered::{Extras, Kept, Ordered, VisitName, VisitOptions, VisitRecord, write_ordered};

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

/// Rows with the order of their texts.
struct Sorted<'a, R> {
    rows: &'a R,
    /// The number of the position that each row belongs to, and the row of each position.
    order: Vec<u32>,
    row_of: Vec<u32>,
    turns: u32,
}

impl<R: Rows> Ordered for Sorted<'_, R> {
    fn positions(&self) -> u64 {
        self.order.len() as u64
    }

    fn has_names(&self) -> bool {
        true
    }

    fn kept(&self) -> Kept {
        Kept {
            values: self.rows.has_values(),
            moves: self.rows.has_moves(),
            options: self.rows.has_options(),
        }
    }

    fn each_name(&mut self, visit: VisitName<'_>) -> Result<(), Diagnostic> {
        let mut names = self.order.iter().map(|&number| self.rows.key(number));
        names.try_for_each(|name| visit(name.as_bytes()))
    }

    fn each_record(&mut self, visit: VisitRecord<'_>) -> Result<(), Diagnostic> {
        let turns = self.turns;
        let entries = self.order.iter();
        let mut entries =
            entries.flat_map(|&number| (0..turns).map(move |turn| turns * number + turn));
        entries.try_for_each(|entry| {
            let record = self.rows.record(entry);
            let best = record.best.map(|entry| {
                let (number, turn) = (entry / u64::from(turns), entry % u64::from(turns));
                u64::from(turns) * u64::from(self.row_of[number as usize]) + turn
            });
            visit(Record { best, ..record })
        })
    }

    fn each_options(&mut self, visit: VisitOptions<'_>) -> Result<(), Diagnostic> {
        let mut rows = Vec::new();
        for &number in &self.order {
            let options = self.rows.options(number).iter();
            rows.clear();
            rows.extend(options.map(|&option| u64::from(self.row_of[option as usize])));
            visit(&rows)?;
        }
        Ok(())
    }

    fn name(&mut self, number: u64) -> Result<String, Diagnostic> {
        Ok(self.rows.key(self.order[number as usize]).to_owned())
    }
}

/// Writes a tablebase to `folder`, as a whole or not at all. `extras` makes the further files of a manifest that is whole but for them.
///
/// # Complexity
/// O(n log n) comparisons of texts, one call of [`Rows::record`] for each position; 8 bytes a position, and a block of memory for
/// each column.
///
/// # Errors
/// What could not be written, what is in the way, what stopped it, or what `extras` refuses.
pub fn write(
    folder: &Path,
    about: &About,
    rows: &impl Rows,
    extras: Extras<'_>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let mut order: Vec<u32> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&number| rows.key(number).as_bytes());
    let mut row_of = vec![0u32; order.len()];
    for (row, &number) in order.iter().enumerate() {
        row_of[number as usize] = row as u32;
    }
    let mut sorted = Sorted {
        rows,
        order,
        row_of,
        turns: about.kind.turns(),
    };
    write_ordered(folder, about, &mut sorted, extras, limits)
}
