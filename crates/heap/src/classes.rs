//! Sparse spaces: rules by which most heaps are common and few are rare.
//!
//! In many octal games there is a mask such that, for almost every value, the bits in the mask have
//! odd parity. Heaps with such values are *common*, and the others are *rare*. Classes add like
//! parities: common + common is rare, and rare + common is common. In some games the parity of the
//! heap size must be included. This requires that the numbers of chips taken by breaks, the moves
//! that leave two heaps, all have the same parity. (Winning Ways, ch. 4, "Sparse spaces and common
//! cosets".) A badly chosen rule makes the computation slower, but never changes a value.

use super::compact_values::Entry;

/// The rule that decides whether a heap is common or rare. A heap of n with value g is common if `g
/// & mask` has an odd number of 1 bits. If the field `position` is `true`, the heap is common if
/// the parity of this number differs from the parity of n - t. Here t is the number of chips taken
/// by a break, that is, a move that splits the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The mask: a heap with value g is classified by the parity of the number of 1 bits in `g &
    /// mask`.
    pub mask: u64,
    /// `true` if the parity of the heap size, together with the mask, decides whether a heap is
    /// common.
    pub position: bool,
    /// `true` if the field `position` is `true`, and the moves that split a heap take odd numbers
    /// of chips.
    pub odd: bool,
}

impl Classes {
    /// Returns whether a heap of `n` with value `value` is common.
    ///
    /// ```
    /// use grundy_heap::Classes;
    /// // In Kayles, the values 1, 2, 4, 7 and 8 belong to common heaps.
    /// let kayles = Classes { mask: 15, position: false, odd: false };
    /// let common: Vec<u64> = (0..10).filter(|&value| kayles.common(100, value)).collect();
    /// assert_eq!(common, [1, 2, 4, 7, 8]);
    /// ```
    #[must_use]
    pub fn common(self, n: usize, value: u64) -> bool {
        let odd = (value & self.mask).count_ones() % 2 == 1;
        odd ^ (self.position && (n % 2 == 1) ^ self.odd)
    }

    /// Returns the rule for which the fewest heaps are rare. `values` are the values of the heaps
    /// 0, 1, 2, ..., of which heap 0 is ignored. `breaks` lists the numbers of chips that a move
    /// may take if it splits the heap.
    ///
    /// A Walsh–Hadamard transform of the counts of values gives the number of rare heaps for all
    /// masks at once. The parity of the heap is treated as an additional bit.
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
        // After the transform, the entry of a mask is the number of heaps with even parity minus
        // the number with odd parity. So the mask with the least entry has the most common heaps.
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
