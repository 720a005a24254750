//! Sparse spaces: a rule that calls most values common and few rare.
//!
//! In many octal games almost every value has odd parity of its bits under some mask. Such values
//! are *common*, the others *rare*; classes add up like parities: common + common is rare, rare +
//! common is common. In some games the parity of the heap itself has to be counted in, which works
//! when all chips that go with a break have the same parity. (Winning Ways, ch. 4, "Sparse spaces
//! and common cosets".) A bad rule costs time, never correctness.

use super::narrow::Entry;

/// The rule: a heap of n with value g is common when the parity of `g & mask` is odd, or, with
/// `position`, when that parity and the parity of n - t differ, where t is the number of chips that
/// go with a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The bits of a value that count.
    pub mask: u64,
    /// `true` if the parity of the heap counts.
    pub position: bool,
    /// The parity of the chips that go with a break, where the heap counts.
    pub odd: bool,
}

impl Classes {
    /// Returns whether a heap of `n` with value `value` is common.
    #[must_use]
    pub fn common(self, n: usize, value: u64) -> bool {
        let odd = (value & self.mask).count_ones() % 2 == 1;
        odd ^ (self.position && (n % 2 == 1) ^ self.odd)
    }

    /// Returns the rule that leaves the fewest heaps from 1 on rare. `breaks` are the numbers of
    /// chips that go with a break.
    ///
    /// The number of rare heaps for every mask at once is a Walsh–Hadamard transform of the counts
    /// of the values, with one more bit for the parity of the heap.
    ///
    /// # Complexity
    /// O(n + V log V) for n values below V.
    pub(crate) fn best<E: Entry>(values: &[E], breaks: &[usize]) -> Self {
        let size = values.iter().map(|value| value.get()).max().unwrap_or(0) + 1;
        let size = size.next_power_of_two().max(2) as usize;
        let mut counts = vec![0i64; 2 * size];
        for (n, value) in values.iter().enumerate().skip(1) {
            counts[value.get() as usize + n % 2 * size] += 1;
        }
        let mut half = 1;
        while half < counts.len() {
            for pair in counts.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
        let odd = breaks.first().is_some_and(|take| take % 2 == 1);
        let one_parity = breaks.iter().all(|take| (take % 2 == 1) == odd);
        let plain = (1..size).map(|mask| (counts[mask], mask, false));
        let positional = (1..size)
            .filter(|_| one_parity)
            .map(|mask| (counts[mask + size] * if odd { -1 } else { 1 }, mask, true));
        let (_, mask, position) = plain.chain(positional).min().unwrap_or((0, 1, false));
        Self {
            mask: mask as u64,
            position,
            odd: position && odd,
        }
    }
}
