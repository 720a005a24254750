//! A random number generator with the same numbers in every run.

/// Marsaglia's xorshift generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // The state of xorshift must not be 0, hence the lowest bit is set.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    /// Returns a number from `least` to `most`.
    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as usize) as i64
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns `few` to `many` numbers from `least` to `most`.
    pub(crate) fn numbers(&mut self, few: i64, many: i64, least: i64, most: i64) -> Vec<i64> {
        let count = self.between(few, many);
        (0..count).map(|_| self.between(least, most)).collect()
    }

    /// Returns up to `many` different numbers from `least` to `most`, in ascending order. The list
    /// is seldom empty.
    pub(crate) fn subset(&mut self, least: i64, most: i64, many: i64) -> Vec<i64> {
        let few = self.between(0, 3).min(many);
        let mut numbers = self.numbers(few, many, least, most);
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
