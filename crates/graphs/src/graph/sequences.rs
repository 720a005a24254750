//! Interners of strings and of lists of integers. Each sequence gets an index, counted from 0 in
//! order of insertion. Storage takes the content once, 8 bytes for the end of each sequence, and
//! about 16 bytes for its slot in the hash index.
//!
//! A lookup of a sequence in a large interner has three cache misses: for its slot, for the end of
//! its content, and for the content. A slot contains a part of the hash, so that other sequences
//! are rarely compared. In addition, [`Sequences::numbers`] looks up many sequences at once, so
//! that their cache misses overlap.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::hint::black_box;
use std::ops::Range;

use grundy_base::index::{Index, hash};

/// An interner of names. Each name gets an index, counted from 0 in order of insertion.
///
/// ```
/// use grundy::graph::Names;
/// let mut names = Names::default();
/// assert_eq!((names.number("a"), names.number("b"), names.number("a")), (0, 1, 0));
/// assert_eq!((names.get(1), names.find("b"), names.find("c")), ("b", Some(1), None));
/// ```
pub type Names = Sequences<String>;

/// An interner of lists of integers. Each list gets an index, counted from 0 in order of insertion.
///
/// ```
/// use grundy::graph::Lists;
/// let mut lists = Lists::default();
/// assert_eq!((lists.number(&[3, 5]), lists.number(&[]), lists.number(&[3, 5])), (0, 1, 0));
/// assert_eq!(lists.get(0), [3, 5]);
/// ```
pub type Lists = Sequences<Vec<u32>>;

/// A buffer that stores sequences one after the other.
pub trait SequenceBuffer: Clone + Debug + Default + Eq + Hash {
    /// A sequence.
    type Sequence: Eq + Hash + ?Sized;

    /// Appends a sequence and returns the position of its end.
    fn push(&mut self, sequence: &Self::Sequence) -> usize;

    /// Returns the sequence that is stored at a range of positions.
    ///
    /// # Panics
    /// If the range is out of bounds.
    fn get(&self, place: Range<usize>) -> &Self::Sequence;

    /// Returns the byte before a position, or 0 at the beginning. It serves only to load the cache
    /// line.
    fn touch(&self, place: usize) -> u8;

    /// Returns the number of allocated bytes.
    fn bytes(&self) -> usize;
}

impl SequenceBuffer for String {
    type Sequence = str;

    fn push(&mut self, sequence: &str) -> usize {
        self.push_str(sequence);
        self.len()
    }

    fn get(&self, place: Range<usize>) -> &str {
        &self[place]
    }

    fn touch(&self, place: usize) -> u8 {
        let before = self.as_bytes().get(place.wrapping_sub(1));
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

    fn get(&self, place: Range<usize>) -> &[u32] {
        &self[place]
    }

    fn touch(&self, place: usize) -> u8 {
        let before = self[..].get(place.wrapping_sub(1));
        before.map_or(0, |&number| number as u8)
    }

    fn bytes(&self) -> usize {
        4 * self.capacity()
    }
}

/// An interner of sequences, see [`Names`] and [`Lists`]. Each sequence gets an index, counted from
/// 0 in order of insertion.
#[derive(Clone, Debug, Default)]
pub struct Sequences<A> {
    all: A,
    ends: Vec<usize>,
    index: Index,
}

/// Number of sequences that are looked up at the same time.
const BATCH: usize = 64;

impl<A: SequenceBuffer> PartialEq for Sequences<A> {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.all == other.all
    }
}

impl<A: SequenceBuffer> Eq for Sequences<A> {}

impl<A: SequenceBuffer> Hash for Sequences<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.all, &self.ends).hash(state);
    }
}

impl<A: SequenceBuffer> Sequences<A> {
    /// Returns the number of sequences in the interner.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the interner has no sequences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the sequence with index `number`.
    ///
    /// # Panics
    /// If there is no such sequence.
    #[must_use]
    pub fn get(&self, number: u32) -> &A::Sequence {
        get(&self.all, &self.ends, number)
    }

    /// Returns the index of a sequence, or `None` if it has not been inserted.
    #[must_use]
    pub fn find(&self, sequence: &A::Sequence) -> Option<u32> {
        self.index
            .find(hash(sequence), |number| self.get(number) == sequence)
    }

    /// Returns the index of a sequence. A new sequence is inserted and gets the next index.
    pub fn number(&mut self, sequence: &A::Sequence) -> u32 {
        self.make_room(1);
        self.enter(sequence, hash(sequence))
    }

    /// Appends the indices of several sequences to `out`. They are those of [`Sequences::number`],
    /// called for each sequence in order. If the interner is larger than the cache, this is several
    /// times as fast.
    ///
    /// ```
    /// use grundy::graph::Names;
    /// let (mut names, mut numbers) = (Names::default(), Vec::new());
    /// names.numbers(&["a", "b", "a"], &mut numbers);
    /// assert_eq!(numbers, [0, 1, 0]);
    /// ```
    pub fn numbers(&mut self, sequences: &[&A::Sequence], out: &mut Vec<u32>) {
        for batch in sequences.chunks(BATCH) {
            self.make_room(batch.len());
            let mut hashes = [0u64; BATCH];
            for (hash, &sequence) in hashes.iter_mut().zip(batch) {
                *hash = self::hash(sequence);
            }
            self.touch(&hashes[..batch.len()]);
            for (&sequence, &hash) in batch.iter().zip(&hashes) {
                let number = self.enter(sequence, hash);
                out.push(number);
            }
        }
    }

    /// Returns the number of allocated bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.all.bytes() + 8 * self.ends.capacity() + self.index.bytes()
    }

    /// Loads the memory that lookups of these hashes will read. It makes three passes, in each of
    /// which the loads are independent.
    fn touch(&self, hashes: &[u64]) {
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
            touched ^= self.all.touch(end);
        }
        black_box(touched);
    }

    /// Returns the index of the sequence with hash `hash`, and inserts it if it is new. The hash
    /// index must have room for it.
    fn enter(&mut self, sequence: &A::Sequence, hash: u64) -> u32 {
        let Self { all, ends, index } = self;
        let next = ends.len() as u32;
        let number = index.number(hash, next, |number| get(all, ends, number) == sequence);
        if number == next {
            ends.push(all.push(sequence));
        }
        number
    }

    /// Reserves room in the hash index for `more` sequences.
    fn make_room(&mut self, more: usize) {
        let Self { all, ends, index } = self;
        index.make_room(ends.len(), ends.len() + more, |number| {
            hash(get(all, ends, number))
        });
    }
}

/// Returns the sequence with index `number`. `ends` contains the ends of all sequences.
fn get<'a, A: SequenceBuffer>(all: &'a A, ends: &[usize], number: u32) -> &'a A::Sequence {
    let start = match number {
        0 => 0,
        _ => ends[number as usize - 1],
    };
    all.get(start..ends[number as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inserts names of many lengths, with duplicates and the empty name, and compares their
    /// indices with those of a hash map.
    #[test]
    fn names_are_numbered_in_order_of_arrival() {
        let all: Vec<String> = (0u64..20_000)
            .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50)
            .map(|i| format!("{i:0width$}", width = (i % 30) as usize))
            .map(|name| name.replace("000000000000", ""))
            .collect();
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
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
            .for_each(|some| together.numbers(some, &mut numbers));
        assert_eq!(numbers, expected);
        let mut alone = Names::default();
        let numbers: Vec<u32> = texts.iter().map(|name| alone.number(name)).collect();
        assert_eq!(numbers, expected);
        assert_eq!(alone, together);
        assert!(known.len() > 5000 && known.len() < 19_000);
        for (name, number) in known {
            assert_eq!((alone.find(name), alone.get(number)), (Some(number), name));
        }
        assert_eq!(alone.find("no such name"), None);
    }
}
