//! Tables of games whose positions are a box of numbers, such as heaps of at most so many chips: no keys, a rank.

use std::path::Path;

use grundy::implicit::dense::Outcomes;
use grundy::{Diagnostic, Limits, Play};
use serde::{Deserialize, Serialize};

use crate::blocks::Numbers;
use crate::manifest::{GameKind, Keys, Manifest, Tally};
use crate::write::{Folder, code};

/// A box of positions: `call(a, b, ...)` with a below the first size, b below the second and so on. The rank of a position is
/// a + b * size of a + ..., so that the first number runs quickest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranks {
    /// The name of the constructor.
    pub call: String,
    /// The number of sizes that each number may have, 0 being one.
    pub sizes: Vec<u64>,
}

impl Ranks {
    /// A box.
    #[must_use]
    pub fn new(call: &str, sizes: Vec<u64>) -> Self {
        let call = call.to_owned();
        Self { call, sizes }
    }

    /// How many positions there are; nothing when they are more than 2^64.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        self.sizes
            .iter()
            .try_fold(1u64, |all, &size| all.checked_mul(size))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The rank of a position written as `call(a, b, ...)`; nothing when it is not in the box.
    #[must_use]
    pub fn rank(&self, position: &str) -> Option<u64> {
        let inner = position.trim().strip_prefix(self.call.as_str())?;
        let inner = inner.trim().strip_prefix('(')?.strip_suffix(')')?;
        let numbers: Option<Vec<u64>> = inner
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() == self.sizes.len())?;
        let (mut rank, mut unit) = (0u64, 1u64);
        for (number, &size) in numbers.into_iter().zip(&self.sizes) {
            if number >= size {
                return None;
            }
            rank = rank.checked_add(number.checked_mul(unit)?)?;
            unit = unit.checked_mul(size)?;
        }
        Some(rank)
    }

    /// The position of a rank.
    #[must_use]
    pub fn position(&self, mut rank: u64) -> String {
        let numbers: Vec<String> = self
            .sizes
            .iter()
            .map(|&size| {
                let number = rank % size.max(1);
                rank /= size.max(1);
                number.to_string()
            })
            .collect();
        format!("{}({})", self.call, numbers.join(", "))
    }
}

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
    play: Play,
    ranked: &RankedTable<'_>,
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
    let target = Folder::new(folder)?;
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
    target.finish(&Manifest {
        game: keys.position(length.saturating_sub(1)),
        kind: GameKind::Impartial,
        play,
        positions: length,
        outcomes: counts,
        keys: Keys::Ranked(keys.clone()),
        columns: kept,
    })
}
