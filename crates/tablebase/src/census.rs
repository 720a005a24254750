//! How many entries have which label: what a table looks like as a whole.

use grundy_base::{Loopy, Outcome};
use serde::{Deserialize, Serialize};

/// Most bars of a histogram; a power of two.
const BARS: u64 = 1 << 10;
/// Hardest positions that are named.
const HARDEST: usize = 5;

/// How many numbers fall into each of some equal intervals: bar i counts those from `i * step` on,
/// below `(i + 1) * step`.
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
    /// How wide an interval is: a power of two, 1 unless there are numbers beyond 1023.
    pub step: u64,
    /// How many numbers are in each, up to the last that has one.
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
    /// Counts a number. Where it lies beyond the bars, these become twice as wide until it does
    /// not.
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

    /// How many numbers were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bars.iter().sum()
    }
}

/// How many entries have which label, and the hardest of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// Won by the player to move, by the moves that takes.
    #[serde(rename = "N")]
    pub won: Histogram,
    /// Lost, by the moves.
    #[serde(rename = "P")]
    pub lost: Histogram,
    /// Drawn.
    #[serde(rename = "D")]
    pub drawn: u64,
    /// Finite values, where values are kept.
    pub grundy: Histogram,
    /// Infinite ones.
    pub infinite: u64,
    /// Entries that take the most moves, the first few of them.
    pub hardest: Vec<u64>,
    /// How many moves these take.
    pub longest: u64,
}

impl Census {
    /// Counts the next label. Where remoteness is not kept it counts as 0.
    #[inline]
    pub(crate) fn label(&mut self, entry: u64, outcome: Outcome, remoteness: Option<u32>) {
        let moves = remoteness.map_or(0, u64::from);
        match outcome {
            Outcome::N => self.won.count(moves),
            Outcome::P => self.lost.count(moves),
            Outcome::D => {
                self.drawn += 1;
                return;
            }
        }
        if moves > self.longest {
            self.hardest.clear();
            self.longest = moves;
        }
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
