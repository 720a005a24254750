//! Names of vertices, kept compactly: the text once, 8 bytes for where it ends, about 16 bytes to find it again.
//!
//! Names come in any order, so looking one up waits for memory three times: for its slot, for where its text is, and for the text. A
//! slot holds a part of the hash, so that names that are not meant are not looked at; and [`Names::numbers`] looks up many
//! at once, so that they wait together.

use std::hash::{Hash, Hasher};
use std::hint::black_box;

use rustc_hash::FxHasher;

/// Names, numbered from 0 in the order in which they came.
///
/// ```
/// use grundy::graph::Names;
/// let mut names = Names::default();
/// assert_eq!((names.number("a"), names.number("b"), names.number("a")), (0, 1, 0));
/// assert_eq!((names.get(1), names.find("b"), names.find("c")), ("b", Some(1), None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    /// Numbers by the hash of the name, with open addressing; at most three quarters full.
    slots: Vec<Slot>,
}

/// A number, and the upper half of the hash of its name.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u32,
    tag: u32,
}

impl Slot {
    const FREE: Self = Self {
        number: u32::MAX,
        tag: 0,
    };

    fn is_free(self) -> bool {
        self.number == u32::MAX
    }
}

/// Names looked up together.
const BATCH: usize = 64;

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Names {}

impl Hash for Names {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.text, &self.ends).hash(state);
    }
}

impl Names {
    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name with a number.
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        let end = self.ends[number as usize];
        let start = match number {
            0 => 0,
            _ => self.ends[number as usize - 1],
        };
        &self.text[start..end]
    }

    /// The number of a name; nothing when it is unknown.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot(name, hash(name))];
        (!slot.is_free()).then_some(slot.number)
    }

    /// The number of a name, a new one when it is unknown.
    pub fn number(&mut self, name: &str) -> u32 {
        self.make_room(1);
        self.enter(name, hash(name))
    }

    /// Appends the numbers of names to `out`, as [`Names::number`] gives them one after the other, but several times as fast
    /// when there are too many for the cache.
    ///
    /// ```
    /// use grundy::graph::Names;
    /// let (mut names, mut numbers) = (Names::default(), Vec::new());
    /// names.numbers(&["a", "b", "a"], &mut numbers);
    /// assert_eq!(numbers, [0, 1, 0]);
    /// ```
    pub fn numbers(&mut self, names: &[&str], out: &mut Vec<u32>) {
        for batch in names.chunks(BATCH) {
            self.make_room(batch.len());
            let mut hashes = [0u64; BATCH];
            for (hash, name) in hashes.iter_mut().zip(batch) {
                *hash = self::hash(name);
            }
            self.touch(&hashes[..batch.len()]);
            for (name, &hash) in batch.iter().zip(&hashes) {
                let number = self.enter(name, hash);
                out.push(number);
            }
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.text.capacity() + 8 * self.ends.capacity() + size_of::<Slot>() * self.slots.capacity()
    }

    /// Asks for all memory that looking up names with these hashes will wait for, in three rounds in which no load waits for another.
    fn touch(&self, hashes: &[u64]) {
        let mask = self.slots.len() - 1;
        let mut numbers = [0u32; BATCH];
        let mut count = 0;
        for &hash in hashes {
            let slot = self.slots[hash as usize & mask];
            numbers[count] = slot.number;
            count += usize::from(slot.tag == tag(hash) && !slot.is_free());
        }
        let mut ends = [0usize; BATCH];
        for (end, &number) in ends.iter_mut().zip(&numbers[..count]) {
            *end = self.ends[number as usize];
        }
        let mut touched = 0;
        for &end in &ends[..count] {
            // The empty name may be the first.
            touched ^= self
                .text
                .as_bytes()
                .get(end.wrapping_sub(1))
                .copied()
                .unwrap_or(0);
        }
        black_box(touched);
    }

    /// The number of a name with this hash, a new one when it is unknown; there is room for it.
    fn enter(&mut self, name: &str, hash: u64) -> u32 {
        let slot = self.slot(name, hash);
        if self.slots[slot].is_free() {
            self.slots[slot] = Slot {
                number: self.ends.len() as u32,
                tag: tag(hash),
            };
            self.text.push_str(name);
            self.ends.push(self.text.len());
        }
        self.slots[slot].number
    }

    /// Where `name` stands, or would stand.
    fn slot(&self, name: &str, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot.is_free() || slot.tag == tag(hash) && self.get(slot.number) == name {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Makes room for so many names more.
    fn make_room(&mut self, more: usize) {
        let wanted = self.ends.len() + more;
        if 4 * wanted <= 3 * self.slots.len() {
            return;
        }
        self.slots = vec![Slot::FREE; (4 * wanted / 3 + 1).next_power_of_two().max(16)];
        let mask = self.slots.len() - 1;
        for number in 0..self.ends.len() as u32 {
            // All names differ, so a free place is all that is looked for.
            let hash = hash(self.get(number));
            let mut place = hash as usize & mask;
            while !self.slots[place].is_free() {
                place = (place + 1) & mask;
            }
            self.slots[place] = Slot {
                number,
                tag: tag(hash),
            };
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
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
