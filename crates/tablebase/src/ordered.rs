//! Writing a tablebase of rows that come in the order in which they are kept, so that none of them has to be held.

use std::path::Path;

use grundy_base::{Diagnostic, Limits};

use crate::Record;
use crate::blocks::Texts;
use crate::folder::{Folder, Written};
use crate::keys::KeyWriter;
use crate::manifest::{About, Column, Extra, Keys, Manifest};
use crate::records::Records;

/// Rows after which the limits are looked at.
const SOME: u64 = 1 << 12;

/// What is kept of a position beside who wins and in how many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Values.
    pub values: bool,
    /// Best moves.
    pub moves: bool,
    /// The moves themselves: those of a graph, which no rules tell.
    pub options: bool,
}

/// What takes the bytes of a name.
pub type VisitName<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Diagnostic>;

/// What takes a record.
pub type VisitRecord<'a> = &'a mut dyn FnMut(Record) -> Result<(), Diagnostic>;

/// What takes the rows that a row has moves to.
pub type VisitOptions<'a> = &'a mut dyn FnMut(&[u64]) -> Result<(), Diagnostic>;

/// Makes the further files of a manifest that is whole but for them, or refuses it.
pub type Extras<'a> = &'a dyn Fn(&Manifest) -> Result<Vec<Extra>, Diagnostic>;

/// A labelled game whose rows come in the order in which they are kept: by their texts, sorted by their bytes, or by their ranks. They
/// are gone through once for each thing that is kept.
pub trait Ordered {
    /// How many positions there are.
    fn positions(&self) -> u64;

    /// Whether positions are found by their texts, and not by their ranks.
    fn has_names(&self) -> bool;

    /// What is kept beside labels.
    fn kept(&self) -> Kept;

    /// Visits the texts of the positions, where they are found by them: each is greater than the one before.
    ///
    /// # Errors
    /// What keeps a row from being told; what `visit` answers. So in all of these.
    fn each_name(&mut self, visit: VisitName<'_>) -> Result<(), Diagnostic>;

    /// Visits what is known of each row: of a position, or in a partizan game of rows 2i for position i with Left to move, and 2i + 1
    /// with Right. A best move is the number of a row.
    ///
    /// # Errors
    /// As [`Ordered::each_name`].
    fn each_record(&mut self, visit: VisitRecord<'_>) -> Result<(), Diagnostic>;

    /// Visits the rows that each position has moves to, where they are kept.
    ///
    /// # Errors
    /// As [`Ordered::each_name`].
    fn each_options(&mut self, visit: VisitOptions<'_>) -> Result<(), Diagnostic>;

    /// The text of one position.
    ///
    /// # Errors
    /// As [`Ordered::each_name`].
    fn name(&mut self, number: u64) -> Result<String, Diagnostic>;
}

/// Writes a tablebase to `folder`, as a whole or not at all.
///
/// # Complexity
/// One visit of each name, record and list of options; a block of memory for each column.
///
/// # Errors
/// What could not be written, what is in the way, what stopped it, and what `rows` or `extras` refuse.
pub fn write_ordered(
    folder: &Path,
    about: &About,
    rows: &mut dyn Ordered,
    extras: Extras<'_>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let (named, kept) = (rows.has_names(), rows.kept());
    let target = Folder::new(folder, about, !named)?;
    let mut seen = 0;
    let mut poll = || {
        seen += 1;
        if seen % SOME == 0 {
            limits.poll()
        } else {
            Ok(())
        }
    };
    let mut columns = Vec::new();
    if named {
        let mut keys = KeyWriter::create(&target)?;
        rows.each_name(&mut |name| {
            poll()?;
            keys.push(name)
        })?;
        columns = keys.finish()?;
    }
    let levels = columns.len();
    let mut records = Records::create(&target, kept.values, kept.moves)?;
    rows.each_record(&mut |record| {
        poll()?;
        records.push(record)
    })?;
    let (filled, census) = records.finish()?;
    columns.extend(filled);
    if kept.options {
        columns.push(options(&target, rows, &mut poll)?);
    }
    let turns = u64::from(about.kind.turns());
    let mut hardest = Vec::new();
    for &row in &census.hardest {
        hardest.push(rows.name(row / turns)?);
    }
    let written = Written {
        positions: rows.positions(),
        hardest,
        census,
        keys: if named {
            Keys::Sorted { levels }
        } else {
            Keys::Ranked
        },
        columns,
    };
    target.finish(written, extras)
}

/// The column of moves: for each row the rows that it has moves to.
fn options(
    folder: &Folder<'_>,
    rows: &mut dyn Ordered,
    poll: &mut dyn FnMut() -> Result<(), grundy_base::Stop>,
) -> Result<Column, Diagnostic> {
    let mut column = Texts::create(folder, "options", 1)?;
    let mut text = String::new();
    rows.each_options(&mut |options| {
        poll()?;
        text.clear();
        for option in options {
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(&option.to_string());
        }
        column.push(text.as_bytes()).map(|_| ())
    })?;
    column.finish()
}
