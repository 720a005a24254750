//! Names of vertices, kept compactly: the text once, 8 bytes for where it ends, about 8 bytes to find it again.

use std::hash::{Hash, Hasher};

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
    /// Numbers by the hash of the name, with open addressing; at most half full.
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

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
        let slot = self.slots[self.slot(name)];
        (slot != FREE).then_some(slot)
    }

    /// The number of a name, a new one when it is unknown.
    pub fn number(&mut self, name: &str) -> u32 {
        if 2 * self.ends.len() >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(name);
        if self.slots[slot] == FREE {
            self.slots[slot] = self.ends.len() as u32;
            self.text.push_str(name);
            self.ends.push(self.text.len());
        }
        self.slots[slot]
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.text.capacity() + 8 * self.ends.capacity() + 4 * self.slots.capacity()
    }

    /// Where `name` stands, or would stand.
    fn slot(&self, name: &str) -> usize {
        let mut hasher = FxHasher::default();
        name.hash(&mut hasher);
        let mask = self.slots.len() - 1;
        let mut slot = hasher.finish() as usize & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; (4 * self.ends.len()).next_power_of_two().max(16)];
        for number in 0..self.ends.len() as u32 {
            let slot = self.slot(self.get(number));
            self.slots[slot] = number;
        }
    }
}
