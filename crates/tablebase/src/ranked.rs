//! Tables of games whose positions are a box of numbers, such as heaps of at most so many chips: no keys, a rank.

use std::path::Path;

use grundy_base::{Diagnostic, Limits, Outcomes};

use crate::blocks::Numbers;
use crate::folder::{Folder, Written};
use crate::manifest::{About, Extra, Keys, Manifest, Tally};
use crate::ranks::Ranks;
use crate::write::code;

/// What is known of all positions of a box.
#[derive(Debug)]
pub struct RankedTable<'a> {
    /// The positions.
    pub keys: Ranks,
    /// Outcomes with remoteness, if they were computed.
    pub labels: Option<&'a Outcomes>,
    /// Grundy values of normal play, if they were computed.
    pub values: Option<&'a [u8]>,
}

/// Writes a tablebase of a ranked game to `folder`, as a whole or not at all. Outcomes are those of the labels, or else whether
/// the value is 0. A remoteness of 127 is not kept, because it stands for more moves too.
///
/// # Complexity
/// One pass over the tables, and a block of memory for each column.
///
/// # Errors
/// What could not be written, or what stopped it.
///
/// # Panics
/// When a table is not as long as the box is large, or there is none.
pub fn write_ranked(
    folder: &Path,
    about: &About,
    ranked: &RankedTable<'_>,
    extras: &dyn Fn(&Manifest) -> Vec<Extra>,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let RankedTable {
        keys,
        labels,
        values,
    } = ranked;
    let length = keys.len().expect("a box that fits 64 bits");
    assert!(
        labels.is_some() || values.is_some(),
        "there is something to write"
    );
    assert!(labels.is_none_or(|labels| labels.bytes().len() as u64 == length));
    assert!(values.is_none_or(|values| values.len() as u64 == length));
    let target = Folder::new(folder, about, true)?;
    let place = &target;
    let mut outcomes = Numbers::create(place, "outcome")?;
    let mut remoteness = Numbers::create(place, "remoteness")?;
    let mut grundy = Numbers::create(place, "grundy")?;
    let mut counts = Tally::default();
    for row in 0..length {
        if row.is_multiple_of(1 << 16) {
            limits.poll()?;
        }
        let wins = match (labels, values) {
            (Some(labels), _) => labels.wins(row),
            (None, Some(values)) => values[row as usize] != 0,
            (None, None) => false,
        };
        *if wins { &mut counts.n } else { &mut counts.p } += 1;
        outcomes.push(u64::from(wins))?;
        if let Some(labels) = labels {
            let known = Some(labels.remoteness(row)).filter(|&moves| moves < 127);
            remoteness.push(known.map_or(0, |moves| u64::from(moves) + 1))?;
        }
        if let Some(values) = values {
            grundy.push(code::number(values[row as usize].into()))?;
        }
    }
    let columns = [
        (outcomes, true),
        (remoteness, labels.is_some()),
        (grundy, values.is_some()),
    ];
    let mut kept = Vec::new();
    for (column, wanted) in columns {
        let column = column.finish()?;
        if wanted {
            kept.push(column);
        } else {
            target.remove(&column.name)?;
        }
    }
    let written = Written {
        positions: length,
        outcomes: counts,
        keys: Keys::Ranked,
        columns: kept,
    };
    target.finish(written, extras)
}
