//! Writing a tablebase.

use std::path::Path;

use grundy_base::{Diagnostic, Limits, Loopy, Outcome};
use rustc_hash::FxHashMap;

use crate::blocks::{Numbers, Texts};
use crate::folder::{Folder, Written};
use crate::manifest::{About, Column, Extra, Keys, Manifest, Tally};
use crate::{Record, keys};

/// How values are written as numbers.
pub(crate) mod code {
    /// A number.
    pub(crate) fn number(value: u64) -> u64 {
        2 * value + 1
    }

    /// Infinity, with the set of this number.
    pub(crate) fn infinity(set: u64) -> u64 {
        2 * set + 2
    }
}

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
    let mut outcomes = Numbers::create(place, "outcome")?;
    let mut remoteness = Numbers::create(place, "remoteness")?;
    let mut values = rows
        .has_values()
        .then(|| ValueColumn::create(place))
        .transpose()?;
    let moves = rows.has_moves().then(|| Numbers::create(place, "move"));
    let mut moves = moves.transpose()?;
    let mut counts = Tally::default();
    let turns = about.kind.turns();
    let entries = order
        .iter()
        .flat_map(|&number| (0..turns).map(move |turn| turns * number + turn));
    for (row, entry) in entries.enumerate() {
        if row % (1 << 12) == 0 {
            limits.poll()?;
        }
        let record = rows.record(entry);
        let (code, count) = match record.outcome {
            Outcome::N => (1, &mut counts.n),
            Outcome::P => (0, &mut counts.p),
            Outcome::D => (2, &mut counts.d),
        };
        *count += 1;
        outcomes.push(code)?;
        remoteness.push(record.remoteness.map_or(0, |moves| u64::from(moves) + 1))?;
        if let Some(values) = &mut values {
            values.push(record.value)?;
        }
        if let Some(moves) = &mut moves {
            let best = record.best.map(|entry| {
                let (number, turn) = (entry / u64::from(turns), entry % u64::from(turns));
                u64::from(turns) * u64::from(row_of[number as usize]) + turn
            });
            moves.push(best.map_or(0, |row| row + 1))?;
        }
    }
    columns.extend([outcomes.finish()?, remoteness.finish()?]);
    if let Some(moves) = moves {
        columns.push(moves.finish()?);
    }
    if let Some(values) = values {
        columns.extend(values.finish()?);
    }
    let written = Written {
        positions: order.len() as u64,
        outcomes: counts,
        keys: Keys::Sorted { levels },
        columns,
    };
    target.finish(written, extras)
}

/// The column of values, and the sets of the infinite ones: each is written once, when it is first met.
struct ValueColumn<'a> {
    folder: &'a Folder<'a>,
    numbers: Numbers,
    known: FxHashMap<Vec<u64>, u64>,
    sets: Option<Texts>,
}

impl<'a> ValueColumn<'a> {
    fn create(folder: &'a Folder<'a>) -> Result<Self, Diagnostic> {
        Ok(Self {
            folder,
            numbers: Numbers::create(folder, "grundy")?,
            known: FxHashMap::default(),
            sets: None,
        })
    }

    fn push(&mut self, value: Option<Loopy>) -> Result<(), Diagnostic> {
        let code = match value {
            None => 0,
            Some(Loopy::Finite(value)) => code::number(value),
            Some(Loopy::Infinite(set)) => code::infinity(self.set(set)?),
        };
        self.numbers.push(code)
    }

    fn set(&mut self, set: Vec<u64>) -> Result<u64, Diagnostic> {
        if let Some(&number) = self.known.get(&set) {
            return Ok(number);
        }
        let column = match &mut self.sets {
            Some(column) => column,
            none => none.insert(Texts::create(self.folder, "sets", 1)?),
        };
        let text: Vec<String> = set.iter().map(u64::to_string).collect();
        column.push(text.join(",").as_bytes())?;
        let number = self.known.len() as u64;
        self.known.insert(set, number);
        Ok(number)
    }

    fn finish(self) -> Result<Vec<Column>, Diagnostic> {
        let sets = self.sets.map(Texts::finish).transpose()?;
        let numbers = self.numbers.finish()?;
        Ok([numbers].into_iter().chain(sets).collect())
    }
}
