//! The census of a tablebase: how many entries have each label.

use grundy_base::{Loopy, Outcome};
use serde::{Deserialize, Serialize};

/// Number of bars of a histogram at most. A power of two, so that bars merge in pairs without a
/// rest.
const BARS: u64 = 1 << 10;
/// Number of hardest positions that are named.
const HARDEST: usize = 5;

/// The number of values in equal intervals: bar i counts the values from `i * step` up to `(i + 1)
/// * step`, exclusive.
///
/// ```
/// use grundy_tablebase::Histogram;
/// let mut moves = Histogram::default();
/// [0, 2, 2, 5].into_iter().for_each(|number| moves.count(number));
/// assert_eq!((moves.step, moves.bars.as_slice()), (1, &[1, 0, 2, 0, 0, 1][..]));
/// moves.count(3_000);
/// assert_eq!((moves.step, moves.bars[0], moves.bars.iter().sum::<u64>()), (4, 3, 5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// The width of an interval: a power of two, and 1 unless a value exceeds 1023.
    pub step: u64,
    /// The count of each interval, up to the last one that is not empty.
    pub bars: Vec<u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            step: 1,
            bars: Vec::new(),
        }
    }
}

impl Histogram {
    /// Counts a value. If it lies beyond the last bar, pairs of bars are merged until it does not.
    #[inline]
    pub fn count(&mut self, number: u64) {
        while number / self.step >= BARS {
            self.bars = self.bars.chunks(2).map(|two| two.iter().sum()).collect();
            self.step *= 2;
        }
        let bar = (number / self.step) as usize;
        if bar >= self.bars.len() {
            self.bars.resize(bar + 1, 0);
        }
        self.bars[bar] += 1;
    }

    /// Returns the number of counted values.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bars.iter().sum()
    }
}

/// The number of entries with each label, and the hardest entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// Entries won by the player to move, by remoteness.
    #[serde(rename = "N")]
    pub won: Histogram,
    /// Entries lost by the player to move, by remoteness.
    #[serde(rename = "P")]
    pub lost: Histogram,
    /// Number of drawn entries.
    #[serde(rename = "D")]
    pub drawn: u64,
    /// Finite Grundy values, if values are stored.
    pub grundy: Histogram,
    /// Number of infinite values.
    pub infinite: u64,
    /// The first few entries of the greatest remoteness.
    pub hardest: Vec<u64>,
    /// The remoteness of these entries.
    pub longest: u64,
}

impl Census {
    /// Counts the label of an entry. A remoteness that is not stored counts as 0.
    #[inline]
    pub(crate) fn label(&mut self, entry: u64, outcome: Outcome, remoteness: Option<u32>) {
        let moves = remoteness.map_or(0, u64::from);
        match outcome {
            Outcome::N => self.won.count(moves),
            Outcome::P => self.lost.count(moves),
            Outcome::D => {
                // Draws have no remoteness, so they are never the hardest.
                self.drawn += 1;
                return;
            }
        }
        if moves > self.longest {
            self.hardest.clear();
            self.longest = moves;
        }
        // Ends are left out: a table without remoteness has no hardest entries.
        if moves == self.longest && moves > 0 && self.hardest.len() < HARDEST {
            self.hardest.push(entry);
        }
    }

    /// Counts a value.
    #[inline]
    pub(crate) fn value(&mut self, value: Option<&Loopy>) {
        match value {
            Some(Loopy::Finite(value)) => self.grundy.count(*value),
            Some(Loopy::Infinite(_)) => self.infinite += 1,
            None => (),
        }
    }
}
