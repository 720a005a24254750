//! The minimal excluded number.

/// Returns the least non-negative integer that is not among `values`.
///
/// # Complexity
/// For k values, O(k + m / 64) time and O(m) bits of memory, where m is the largest value below
/// 2^24.
///
/// # Examples
/// ```
/// use grundy_base::mex;
/// assert_eq!(mex([2, 2, 0]), 1);
/// assert_eq!(mex([]), 0);
/// assert_eq!(mex([0, 1, u64::MAX]), 2);
/// ```
#[must_use]
pub fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut set = MexSet::default();
    for value in values {
        set.insert(value);
    }
    set.mex()
}

/// A set of integers that returns its mex quickly.
///
/// Values below `LARGE` are stored as bits, and the others in a list. The mex of k values is at
/// most k. So the list matters only if at least `LARGE` values were inserted.
#[derive(Clone, Debug, Default)]
pub struct MexSet {
    words: Vec<u64>,
    /// Number of leading words of the bit set that may be nonzero. All later words are 0.
    used: usize,
    /// Number of values inserted, repetitions included.
    inserted: u64,
    /// The values of `LARGE` or more, in order of insertion.
    large: Vec<u64>,
}

/// Values below this bound are stored as bits. The bound limits the memory, since a value needs one
/// bit for each smaller integer.
const LARGE: u64 = 1 << 24;

impl MexSet {
    /// Removes all values, and keeps the allocated memory.
    ///
    /// ```
    /// let mut options = grundy_base::mex::MexSet::default();
    /// options.insert(0);
    /// assert_eq!(options.mex(), 1);
    /// options.clear();
    /// assert_eq!(options.mex(), 0);
    /// ```
    pub fn clear(&mut self) {
        // Clear only the used words. Otherwise a single large value would slow down all later
        // calls.
        self.words[..self.used].fill(0);
        self.used = 0;
        self.inserted = 0;
        self.large.clear();
    }

    /// Inserts a value.
    ///
    /// ```
    /// let mut options = grundy_base::mex::MexSet::default();
    /// options.insert(1);
    /// assert_eq!(options.mex(), 0);
    /// options.insert(0);
    /// assert_eq!(options.mex(), 2);
    /// ```
    pub fn insert(&mut self, value: u64) {
        self.inserted += 1;
        if value >= LARGE {
            self.large.push(value);
            return;
        }
        let word = (value / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.used = self.used.max(word + 1);
        self.words[word] |= 1 << (value % 64);
    }

    /// Returns the least number that is not in the set.
    ///
    /// ```
    /// let mut options = grundy_base::mex::MexSet::default();
    /// [0, 1, 3].map(|value| options.insert(value));
    /// assert_eq!(options.mex(), 2);
    /// ```
    #[must_use]
    pub fn mex(&self) -> u64 {
        for (index, word) in self.words[..self.used].iter().enumerate() {
            // Test 64 integers at once. The answer is usually in the first word.
            if *word != u64::MAX {
                return index as u64 * 64 + u64::from(word.trailing_ones());
            }
        }
        let mut candidate = self.used as u64 * 64;
        // If all integers below `LARGE` are in the set, the values in the list count too.
        if candidate == LARGE && self.inserted > LARGE {
            let mut large = self.large.clone();
            large.sort_unstable();
            large.dedup();
            for value in large {
                if value == candidate {
                    candidate += 1;
                }
            }
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn mex_is_the_least_number_not_in_the_set(values: Vec<u8>) {
            let set: BTreeSet<u64> = values.iter().map(|&v| u64::from(v)).collect();
            let naive = (0..).find(|n| !set.contains(n)).unwrap();
            prop_assert_eq!(mex(set), naive);
        }
    }
}
