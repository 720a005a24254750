//! Texts and lists by number, kept compactly: what they hold once, 8 bytes for where each ends,
//! about 16 bytes to find it again.
//!
//! Names come in any order, so looking one up waits for memory three times: for its slot, for where
//! its text is, and for the text. A slot holds a part of the hash, so that names that are not meant
//! are not looked at; and [`Sequences::numbers`] looks up many at once, so that they wait together.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::hint::black_box;
use std::ops::Range;

use grundy_base::index::{Index, hash};

/// Names, numbered from 0 in the order in which they came.
///
/// ```
/// use grundy::graph::Names;
/// let mut names = Names::default();
/// assert_eq!((names.number("a"), names.number("b"), names.number("a")), (0, 1, 0));
/// assert_eq!((names.get(1), names.find("b"), names.find("c")), ("b", Some(1), None));
/// ```
pub type Names = Sequences<String>;

/// Lists of numbers, numbered from 0 in the order in which they came.
///
/// ```
/// use grundy::graph::Lists;
/// let mut lists = Lists::default();
/// assert_eq!((lists.number(&[3, 5]), lists.number(&[]), lists.number(&[3, 5])), (0, 1, 0));
/// assert_eq!(lists.get(0), [3, 5]);
/// ```
pub type Lists = Sequences<Vec<u32>>;

/// What sequences lie in, one after the other.
pub trait SequenceBuffer: Clone + Debug + Default + Eq + Hash {
    /// A sequence.
    type Sequence: Eq + Hash + ?Sized;

    /// Appends a sequence, and says where it ends.
    fn push(&mut self, sequence: &Self::Sequence) -> usize;

    /// What lies there.
    ///
    /// # Panics
    /// When nothing lies there.
    fn get(&self, place: Range<usize>) -> &Self::Sequence;

    /// Returns the byte before a place, for the sake of looking there; 0 at the beginning.
    fn touch(&self, place: usize) -> u8;

    /// Bytes held.
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

/// Sequences, numbered from 0 in the order in which they came: [`Names`] and [`Lists`].
#[derive(Clone, Debug, Default)]
pub struct Sequences<A> {
    all: A,
    ends: Vec<usize>,
    index: Index,
}

/// Sequences looked up together.
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
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the one with a number.
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn get(&self, number: u32) -> &A::Sequence {
        get(&self.all, &self.ends, number)
    }

    /// Returns the number of a sequence; nothing when it is unknown.
    #[must_use]
    pub fn find(&self, sequence: &A::Sequence) -> Option<u32> {
        self.index
            .find(hash(sequence), |number| self.get(number) == sequence)
    }

    /// Returns the number of a sequence, a new one when it is unknown.
    pub fn number(&mut self, sequence: &A::Sequence) -> u32 {
        self.make_room(1);
        self.enter(sequence, hash(sequence))
    }

    /// Appends the numbers of sequences to `out`, as [`Sequences::number`] gives them one after the
    /// other, but several times as fast when there are too many for the cache.
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

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.all.bytes() + 8 * self.ends.capacity() + self.index.bytes()
    }

    /// Asks for all memory that looking up sequences with these hashes will wait for, in three
    /// rounds in which no load waits for another.
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
        let mut touched = 0;
        for &end in &ends[..count] {
            touched ^= self.all.touch(end);
        }
        black_box(touched);
    }

    /// Returns the number of a sequence with this hash, a new one when it is unknown; there is room
    /// for it.
    fn enter(&mut self, sequence: &A::Sequence, hash: u64) -> u32 {
        let Self { all, ends, index } = self;
        let next = ends.len() as u32;
        let number = index.number(hash, next, |number| get(all, ends, number) == sequence);
        if number == next {
            ends.push(all.push(sequence));
        }
        number
    }

    /// Makes room for so many more.
    fn make_room(&mut self, more: usize) {
        let Self { all, ends, index } = self;
        index.make_room(ends.len(), ends.len() + more, |number| {
            hash(get(all, ends, number))
        });
    }
}

/// Returns the sequence with a number, by where each ends.
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

    /// Names of many lengths, some of them often, the empty one too: as a map numbers them.
    #[test]
    fn one_by_one_and_many_at_once_names_are_numbered_in_the_order_of_their_coming() {
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
