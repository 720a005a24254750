//! Interners of strings and of lists of integers. Each sequence gets an index, counted from 0 in
//! order of insertion. The content of each sequence is stored once. In addition, a sequence takes 8
//! bytes for the position of its end and about 16 bytes for its slot in the hash index.
//!
//! A lookup of a sequence in a large interner has three cache misses: for its slot, for the end of
//! its content, and for the content. A slot contains a part of the hash, so that other sequences
//! are rarely compared. In addition, [`SequenceInterner::intern_all`] looks up many sequences at
//! once, so that their cache misses overlap.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::hint::black_box;
use std::ops::Range;

use grundy_base::index::{Index, hash};

/// An interner of names. Each name gets an index, counted from 0 in order of insertion.
///
/// ```
/// use grundy_core::graph::Names;
/// let mut names = Names::default();
/// assert_eq!((names.intern("a"), names.intern("b"), names.intern("a")), (0, 1, 0));
/// assert_eq!((names.get(1), names.find("b"), names.find("c")), ("b", Some(1), None));
/// ```
pub type Names = SequenceInterner<String>;

/// An interner of lists of integers. Each list gets an index, counted from 0 in order of insertion.
///
/// ```
/// use grundy_core::graph::Lists;
/// let mut lists = Lists::default();
/// assert_eq!((lists.intern(&[3, 5]), lists.intern(&[]), lists.intern(&[3, 5])), (0, 1, 0));
/// assert_eq!(lists.get(0), [3, 5]);
/// ```
pub type Lists = SequenceInterner<Vec<u32>>;

/// A buffer that stores sequences one after the other.
pub trait SequenceBuffer: Clone + Debug + Default + Eq + Hash {
    /// The unsized type of a stored sequence: `str` for names and `[u32]` for lists.
    type Sequence: Eq + Hash + ?Sized;

    /// Appends a sequence and returns the position of its end.
    fn push(&mut self, sequence: &Self::Sequence) -> usize;

    /// Returns the sequence that is stored at a range of positions.
    ///
    /// # Panics
    /// If the range is out of bounds.
    fn get(&self, range: Range<usize>) -> &Self::Sequence;

    /// Returns one byte of the element that ends at a position, or 0 at the beginning of the
    /// buffer. The element is a byte of a string or an integer of a list. The only purpose is to
    /// load the cache line.
    fn prefetch(&self, position: usize) -> u8;

    /// Returns the number of allocated bytes.
    fn bytes(&self) -> usize;
}

impl SequenceBuffer for String {
    type Sequence = str;

    fn push(&mut self, sequence: &str) -> usize {
        self.push_str(sequence);
        self.len()
    }

    fn get(&self, range: Range<usize>) -> &str {
        &self[range]
    }

    fn prefetch(&self, position: usize) -> u8 {
        let before = self.as_bytes().get(position.wrapping_sub(1));
        before.copied().unwrap_or(0)
    }

    fn bytes(&self) -> usize {
        self.capacity()
    }
}

impl SequenceBuffer for Vec<u32> {
    type Sequence = [u32];

    fn push(&mut self, sequence: &[u32]) -> usize {
        self.extend_from_slice(sequence);
        self.len()
    }

    fn get(&self, range: Range<usize>) -> &[u32] {
        &self[range]
    }

    fn prefetch(&self, position: usize) -> u8 {
        let before = self[..].get(position.wrapping_sub(1));
        before.map_or(0, |&number| number as u8)
    }

    fn bytes(&self) -> usize {
        4 * self.capacity()
    }
}

/// An interner of sequences, see [`Names`] and [`Lists`]. Each sequence gets an index, counted from
/// 0 in order of insertion.
#[derive(Clone, Debug, Default)]
pub struct SequenceInterner<A> {
    buffer: A,
    ends: Vec<usize>,
    index: Index,
}

/// Number of sequences that are looked up at the same time.
const BATCH: usize = 64;

impl<A: SequenceBuffer> PartialEq for SequenceInterner<A> {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.buffer == other.buffer
    }
}

impl<A: SequenceBuffer> Eq for SequenceInterner<A> {}

impl<A: SequenceBuffer> Hash for SequenceInterner<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.buffer, &self.ends).hash(state);
    }
}

impl<A: SequenceBuffer> SequenceInterner<A> {
    /// Returns the number of sequences in the interner.
    ///
    /// ```
    /// use grundy_core::graph::Names;
    /// let mut names = Names::default();
    /// for name in ["a", "b", "a"] {
    ///     names.intern(name);
    /// }
    /// assert_eq!(names.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the interner has no sequences.
    ///
    /// ```
    /// use grundy_core::graph::Lists;
    /// let mut lists = Lists::default();
    /// assert!(lists.is_empty());
    /// // The empty list is also a sequence.
    /// lists.intern(&[]);
    /// assert!(!lists.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the sequence with index `number`.
    ///
    /// # Panics
    /// If there is no such sequence.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Lists;
    /// let mut lists = Lists::default();
    /// let number = lists.intern(&[1, 4, 5]);
    /// assert_eq!(lists.get(number), [1, 4, 5]);
    /// ```
    #[must_use]
    pub fn get(&self, number: u32) -> &A::Sequence {
        get(&self.buffer, &self.ends, number)
    }

    /// Returns the index of a sequence, or `None` if it has not been inserted.
    ///
    /// ```
    /// use grundy_core::graph::Lists;
    /// let mut lists = Lists::default();
    /// lists.intern(&[1, 4, 5]);
    /// assert_eq!((lists.find(&[1, 4, 5]), lists.find(&[1, 4])), (Some(0), None));
    /// ```
    #[must_use]
    pub fn find(&self, sequence: &A::Sequence) -> Option<u32> {
        self.index
            .find(hash(sequence), |number| self.get(number) == sequence)
    }

    /// Returns the index of a sequence. A new sequence is inserted and gets the next index.
    ///
    /// ```
    /// use grundy_core::graph::Names;
    /// let mut names = Names::default();
    /// assert_eq!(["nim", "kayles", "nim"].map(|name| names.intern(name)), [0, 1, 0]);
    /// ```
    pub fn intern(&mut self, sequence: &A::Sequence) -> u32 {
        self.make_room(1);
        self.insert(sequence, hash(sequence))
    }

    /// Inserts each of `sequences` that is new, and appends the indices of all of them to `out`, in
    /// order. If the interner is larger than the cache, this is several times as fast as a call of
    /// [`SequenceInterner::intern`] for each sequence.
    ///
    /// ```
    /// use grundy_core::graph::Names;
    /// let (mut names, mut numbers) = (Names::default(), Vec::new());
    /// names.intern_all(&["a", "b", "a"], &mut numbers);
    /// assert_eq!(numbers, [0, 1, 0]);
    /// ```
    pub fn intern_all(&mut self, sequences: &[&A::Sequence], out: &mut Vec<u32>) {
        for batch in sequences.chunks(BATCH) {
            self.make_room(batch.len());
            let mut hashes = [0u64; BATCH];
            for (hash, &sequence) in hashes.iter_mut().zip(batch) {
                *hash = self::hash(sequence);
            }
            self.prefetch(&hashes[..batch.len()]);
            for (&sequence, &hash) in batch.iter().zip(&hashes) {
                let number = self.insert(sequence, hash);
                out.push(number);
            }
        }
    }

    /// Returns the number of allocated bytes.
    ///
    /// ```
    /// use grundy_core::graph::Names;
    /// let mut names = Names::default();
    /// names.intern("kayles");
    /// // The name takes 6 bytes, and the position of its end 8 bytes.
    /// assert!(names.bytes() >= 14);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buffer.bytes() + 8 * self.ends.capacity() + self.index.bytes()
    }

    /// Loads into the cache the memory that lookups of `hashes` will read. It makes three passes,
    /// and the loads of one pass do not depend on each other.
    fn prefetch(&self, hashes: &[u64]) {
        let mut numbers = [0u32; BATCH];
        let mut count = 0;
        for &hash in hashes {
            let first = self.index.first(hash);
            numbers[count] = first.unwrap_or(0);
            count += usize::from(first.is_some());
        }
        let mut ends = [0usize; BATCH];
        for (end, &number) in ends.iter_mut().zip(&numbers[..count]) {
            *end = self.ends[number as usize];
        }
        // The loaded values are combined and passed to `black_box`, since the compiler would remove
        // loads that are not used.
        let mut touched = 0;
        for &end in &ends[..count] {
            touched ^= self.buffer.prefetch(end);
        }
        black_box(touched);
    }

    /// Returns the index of the sequence with hash `hash`, and inserts it if it is new. The hash
    /// index must have room for it.
    fn insert(&mut self, sequence: &A::Sequence, hash: u64) -> u32 {
        let Self {
            buffer,
            ends,
            index,
        } = self;
        let next = ends.len() as u32;
        let number = index.number(hash, next, |number| get(buffer, ends, number) == sequence);
        if number == next {
            ends.push(buffer.push(sequence));
        }
        number
    }

    /// Reserves room in the hash index for `more` sequences.
    fn make_room(&mut self, more: usize) {
        let Self {
            buffer,
            ends,
            index,
        } = self;
        index.make_room(ends.len(), ends.len() + more, &|number| {
            hash(get(buffer, ends, number))
        });
    }
}

/// Returns the sequence with index `number`. `ends` contains the ends of all sequences.
fn get<'a, A: SequenceBuffer>(buffer: &'a A, ends: &[usize], number: u32) -> &'a A::Sequence {
    let start = match number {
        0 => 0,
        _ => ends[number as usize - 1],
    };
    buffer.get(start..ends[number as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inserts names of many lengths, with duplicates and the empty name, and compares their
    /// indices with those of a hash map.
    #[test]
    fn names_are_numbered_in_order_of_arrival() {
        let all_names: Vec<String> = (0u64..20_000)
            .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50)
            .map(|i| format!("{i:0width$}", width = (i % 30) as usize))
            .map(|name| name.replace("000000000000", ""))
            .collect();
        let texts: Vec<&str> = all_names.iter().map(String::as_str).collect();
        let mut known = std::collections::HashMap::new();
        let expected: Vec<u32> = texts
            .iter()
            .map(|&name| {
                let next = known.len() as u32;
                *known.entry(name).or_insert(next)
            })
            .collect();
        let (mut together, mut numbers) = (Names::default(), Vec::new());
        // Batches of 777 names cross the boundaries of the internal batches of 64.
        texts
            .chunks(777)
            .for_each(|some| together.intern_all(some, &mut numbers));
        assert_eq!(numbers, expected);
        let mut alone = Names::default();
        let numbers: Vec<u32> = texts.iter().map(|name| alone.intern(name)).collect();
        assert_eq!(numbers, expected);
        assert_eq!(alone, together);
        assert!(known.len() > 5000 && known.len() < 19_000);
        for (name, number) in known {
            assert_eq!((alone.find(name), alone.get(number)), (Some(number), name));
        }
        assert_eq!(alone.find("no such name"), None);
    }
}
