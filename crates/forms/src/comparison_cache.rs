//! A hash table of known comparisons, with one 64-bit word for each entry. Computing an answer
//! again takes little more time than a CPU cache miss. So the table is useful only if it is small.

use std::ops::Range;

use crate::form::Form;

/// The known answers to the question whether a <= b, for pairs of forms (a, b).
#[derive(Debug, Default)]
pub(crate) struct ComparisonCache {
    /// The slots of the table. A slot contains either a pair of forms with the answer of their
    /// comparison, or `FREE`. The number of slots is 0 or a power of two.
    slots: Vec<u64>,
    /// The number of slots that are not free.
    count: usize,
}

/// A comparison a <= b that is being computed. It has the options that remain to be tested. It
/// holds if no a^L is at least b and no b^R is at most a.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) a: Form,
    pub(crate) b: Form,
    pub(crate) lefts: Range<u32>,
    pub(crate) rights: Range<u32>,
}

/// The mark of a free slot. It differs from the keys of all pairs, because the indices of forms are
/// below 2^31.
const FREE: u64 = u64::MAX;

/// Returns the key of the pair (a, b) in the table. Its lowest bit is 0, and is replaced by the
/// answer.
fn key(a: Form, b: Form) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0) << 1
}

impl ComparisonCache {
    /// Returns the cached answer to the question whether a <= b, or `None` if the answer is not in
    /// the cache.
    pub(crate) fn get(&self, a: Form, b: Form) -> Option<bool> {
        if self.slots.is_empty() {
            return None;
        }
        let key = key(a, b);
        let slot = self.slots[self.find_slot(key)];
        (slot != FREE).then_some(slot & 1 == 1)
    }

    /// Stores `answer` as the answer to the question whether a <= b.
    pub(crate) fn insert(&mut self, a: Form, b: Form, answer: bool) {
        // At most five eighths of the slots are in use, so that a search by linear probing is
        // short.
        if 8 * self.count >= 5 * self.slots.len() {
            let larger = vec![FREE; (2 * self.slots.len()).max(1024)];
            for old in std::mem::replace(&mut self.slots, larger) {
                if old != FREE {
                    let slot = self.find_slot(old & !1);
                    self.slots[slot] = old;
                }
            }
        }
        let key = key(a, b);
        let slot = self.find_slot(key);
        self.count += usize::from(self.slots[slot] == FREE);
        self.slots[slot] = key | u64::from(answer);
    }

    /// Returns the size of the table in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        8 * self.slots.len() as u64
    }

    /// Returns the index of the slot with the key `key`. If there is none, returns the index of
    /// the free slot for it.
    fn find_slot(&self, key: u64) -> usize {
        /// The constant of Fibonacci hashing: 2^64 divided by the golden ratio (D. E. Knuth, The
        /// Art of Computer Programming 3, section 6.4).
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let last = self.slots.len() - 1;
        // The upper bits of the product are mixed best, so they give the slot. With the shift, `a`
        // also influences the lower bits.
        let product = (key ^ key >> 29).wrapping_mul(MULTIPLIER);
        let mut slot = (product >> (64 - self.slots.len().trailing_zeros())) as usize;
        while self.slots[slot] != FREE && self.slots[slot] & !1 != key {
            slot = (slot + 1) & last;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn stored_answers_are_found() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut cache, mut expected) = (ComparisonCache::default(), HashMap::new());
        for _ in 0..20_000 {
            let [a, b] = [0, 1].map(|_| Form(random.u32(..150)));
            let answer = random.bool();
            assert_eq!(cache.get(a, b), expected.get(&(a, b)).copied());
            cache.insert(a, b, answer);
            expected.insert((a, b), answer);
        }
        assert_eq!(cache.count, expected.len());
        assert!(cache.bytes() < 1 << 20);
        // The key of the largest form is closest to `FREE`.
        let last = Form(u32::MAX >> 1);
        cache.insert(last, last, false);
        assert_eq!(cache.get(last, last), Some(false));
    }
}
