//! The census of a tablebase: the number of entries with each label. An entry is a position
//! together with the player to move. Its label is the outcome with the remoteness.

use grundy_base::{Loopy, Outcome};
use serde::{Deserialize, Serialize};

/// Largest number of bars in a histogram. It is a power of two, so that bars can be merged in pairs
/// without a remainder.
const BARS: u64 = 1 << 10;
/// Largest number of entries (positions with a player to move) that are listed as hardest, that is,
/// of greatest remoteness.
const HARDEST: usize = 5;

/// A histogram of numbers with intervals of equal width: bar i counts the numbers n with i * step
/// <= n < (i + 1) * step.
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
    /// The width of an interval. It is a power of two, and 1 unless a number exceeds 1023.
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
    /// Counts a number. While the number is too large for the last of the 1024 possible bars,
    /// merges the bars in pairs, which doubles their width.
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

    /// Returns how many numbers have been counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bars.iter().sum()
    }
}

/// The number of entries with each label, and the hardest entries, which have the greatest
/// remoteness. An entry is a position with a player to move, and its label is its outcome with its
/// remoteness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// A histogram of the remoteness of the entries (positions with a player to move) that the
    /// player to move wins.
    #[serde(rename = "N")]
    pub won: Histogram,
    /// A histogram of the remoteness of the entries (positions with a player to move) that the
    /// player to move loses.
    #[serde(rename = "P")]
    pub lost: Histogram,
    /// Number of drawn entries, that is, positions with a player to move.
    #[serde(rename = "D")]
    pub drawn: u64,
    /// A histogram of the finite Grundy values of the entries, if values are stored.
    pub grundy: Histogram,
    /// Number of entries with an infinite value.
    pub infinite: u64,
    /// The numbers of the entries with the greatest remoteness. If there are more than five, only
    /// the first five are listed.
    pub hardest: Vec<u64>,
    /// The greatest remoteness of any entry, or 0 if remoteness is not stored.
    pub longest: u64,
}

impl Census {
    /// Counts the label of an entry, that is, its outcome with its remoteness. If the table stores
    /// no remoteness, the remoteness is counted as 0.
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
        // Remoteness 0 is excluded. So a table that stores no remoteness has no hardest entries.
        if moves == self.longest && moves > 0 && self.hardest.len() < HARDEST {
            self.hardest.push(entry);
        }
    }

    /// Counts the Grundy value of an entry, if it has one.
    #[inline]
    pub(crate) fn value(&mut self, value: Option<&Loopy>) {
        match value {
            Some(Loopy::Finite(value)) => self.grundy.count(*value),
            Some(Loopy::Infinite(_)) => self.infinite += 1,
            None => (),
        }
    }
}
