//! What was read last: a few blocks are kept, so that neighbours are not read again.

use std::collections::VecDeque;

/// Values by number, of which those asked last are kept as long as all together are not too large.
#[derive(Debug)]
pub(crate) struct Recent<T> {
    /// With the size of each; those asked last come first.
    kept: VecDeque<(u64, T, usize)>,
    bytes: usize,
    most: usize,
}

impl<T> Recent<T> {
    /// Keeps at most so many bytes, but always what was asked last.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            bytes: 0,
            most,
        }
    }

    /// Returns the value of a number: as it is kept, or else as it is `read`, which says how many
    /// bytes it takes.
    pub(crate) fn get<E>(
        &mut self,
        number: u64,
        read: impl FnOnce() -> Result<(T, usize), E>,
    ) -> Result<&T, E> {
        let found = self.kept.iter().position(|(kept, ..)| *kept == number);
        if let Some(found) = found.and_then(|at| self.kept.remove(at)) {
            self.kept.push_front(found);
        } else {
            let (value, size) = read()?;
            self.bytes += size;
            self.kept.push_front((number, value, size));
        }
        while self.bytes > self.most && self.kept.len() > 1 {
            let last = self.kept.pop_back();
            self.bytes -= last.map_or(0, |(_, _, size)| size);
        }
        Ok(&self.kept[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_asked_last_are_kept() {
        let mut recent = Recent::new(10);
        let mut reads = Vec::new();
        for number in [1, 2, 1, 3, 2, 1, 9, 9, 1] {
            // Nine is too large to stand beside another.
            let size = if number == 9 { 30 } else { 5 };
            let read = || {
                reads.push(number);
                Ok::<_, ()>((10 * number, size))
            };
            assert_eq!(recent.get(number, read), Ok(&(10 * number)));
        }
        assert_eq!(reads, [1, 2, 3, 2, 1, 9, 1]);
        assert_eq!(recent.get(4, || Err("nothing")), Err("nothing"));
    }
}
