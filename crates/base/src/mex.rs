//! The minimal excluded number.

/// Returns the least non-negative integer that is not among `values`.
///
/// # Complexity
/// O(k) time and O(k) bits for k values: values of k or more cannot matter.
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

/// A set of small numbers that can say which number it lacks first.
///
/// Values are kept as bits. A value that is so large that no list of options of practical length
/// could reach it is not kept at all, because it cannot change the answer: the mex of k values is
/// at most k.
#[derive(Clone, Debug, Default)]
pub struct MexSet {
    words: Vec<u64>,
    /// Words that may hold a bit; the rest is zero.
    used: usize,
    /// Values inserted but too large to keep, with how many there were in all.
    inserted: u64,
    large: Vec<u64>,
}

/// Values from here on are kept aside: a bit each would cost too much memory.
const LARGE: u64 = 1 << 24;

impl MexSet {
    /// Empties the set and keeps its memory.
    pub fn clear(&mut self) {
        self.words[..self.used].fill(0);
        self.used = 0;
        self.inserted = 0;
        self.large.clear();
    }

    /// Adds a value.
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

    /// Returns the least number not in the set.
    #[must_use]
    pub fn mex(&self) -> u64 {
        for (index, word) in self.words[..self.used].iter().enumerate() {
            if *word != u64::MAX {
                return index as u64 * 64 + u64::from(word.trailing_ones());
            }
        }
        let mut candidate = self.used as u64 * 64;
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
