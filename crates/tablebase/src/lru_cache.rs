//! A cache of recently read blocks. Reading neighbouring rows does not read their block again.

use std::collections::VecDeque;

/// A least-recently-used cache with a limit on the total size of its values. Each value has a
/// number as its key.
#[derive(Debug)]
pub(crate) struct LruCache<T> {
    /// The values with their keys and sizes, the most recently used first.
    entries: VecDeque<(u64, T, usize)>,
    bytes: usize,
    most: usize,
}

impl<T> LruCache<T> {
    /// Creates a cache of at most `most` bytes. The most recent value is kept even if it is larger.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            bytes: 0,
            most,
        }
    }

    /// Returns the value with the key `number`. If it is not in the cache, `read` supplies the
    /// value and its size in bytes.
    pub(crate) fn get<E>(
        &mut self,
        number: u64,
        read: impl FnOnce() -> Result<(T, usize), E>,
    ) -> Result<&T, E> {
        // A linear search suffices: the cache has about a hundred blocks or a thousand pages of an
        // index. Reading a missing one from disk or from a server takes far longer.
        let found = self.entries.iter().position(|(key, ..)| *key == number);
        if let Some(found) = found.and_then(|at| self.entries.remove(at)) {
            self.entries.push_front(found);
        } else {
            let (value, size) = read()?;
            self.bytes += size;
            self.entries.push_front((number, value, size));
        }
        // Old values are removed after the insertion, so the new value itself is never removed.
        while self.bytes > self.most && self.entries.len() > 1 {
            let last = self.entries.pop_back();
            self.bytes -= last.map_or(0, |(_, _, size)| size);
        }
        Ok(&self.entries[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recent_entries_are_evicted() {
        let mut cache = LruCache::new(10);
        let mut reads = Vec::new();
        for number in [1, 2, 1, 3, 2, 1, 9, 9, 1] {
            // Larger than the whole cache, so that all other values are removed.
            let size = if number == 9 { 30 } else { 5 };
            let read = || {
                reads.push(number);
                Ok::<_, ()>((10 * number, size))
            };
            assert_eq!(cache.get(number, read), Ok(&(10 * number)));
        }
        assert_eq!(reads, [1, 2, 3, 2, 1, 9, 1]);
        assert_eq!(cache.get(4, || Err("nothing")), Err("nothing"));
    }
}
