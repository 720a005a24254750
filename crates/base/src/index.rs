//! Numbers found again by the hash of what they number, which lies elsewhere.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Numbers with open addressing, at most three quarters full: 8 bytes a slot.
#[derive(Clone, Debug, Default)]
pub struct Index {
    slots: Vec<Slot>,
}

/// A number, and the upper half of the hash: what is not meant is not looked at.
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

    fn new(number: u32, hash: u64) -> Self {
        Self {
            number,
            tag: tag(hash),
        }
    }

    fn is_free(self) -> bool {
        self.number == u32::MAX
    }
}

impl Index {
    /// Returns the number with this hash of which `is` holds.
    #[must_use]
    pub fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.place(hash, is)];
        (!slot.is_free()).then_some(slot.number)
    }

    /// Returns the number with this hash of which `is` holds, `next` where there is none yet; there
    /// is room for it.
    pub fn number(&mut self, hash: u64, next: u32, is: impl Fn(u32) -> bool) -> u32 {
        let place = self.place(hash, is);
        if self.slots[place].is_free() {
            self.slots[place] = Slot::new(next, hash);
        }
        self.slots[place].number
    }

    /// Returns the number that is looked at first for this hash, where it may be the one.
    #[must_use]
    pub fn first(&self, hash: u64) -> Option<u32> {
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        (slot.tag == tag(hash) && !slot.is_free()).then_some(slot.number)
    }

    /// Makes room for the first `count` numbers, of which those from 0 to `known` are there; `hash`
    /// gives their hashes.
    pub fn make_room(&mut self, known: usize, count: usize, hash: impl Fn(u32) -> u64) {
        if 4 * count <= 3 * self.slots.len() {
            return;
        }
        self.slots = vec![Slot::FREE; (4 * count / 3 + 1).next_power_of_two().max(16)];
        for number in 0..known as u32 {
            // All of them differ, so a free place is all that is looked for.
            let hash = hash(number);
            let place = self.place(hash, |_| false);
            self.slots[place] = Slot::new(number, hash);
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity()
    }

    /// Where the number with this hash of which `is` holds stands, or would stand.
    fn place(&self, hash: u64, is: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot.is_free() || slot.tag == tag(hash) && is(slot.number) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }
}

/// Returns the hash that an index goes by.
#[must_use]
pub fn hash<T: Hash + ?Sized>(it: &T) -> u64 {
    let mut hasher = FxHasher::default();
    it.hash(&mut hasher);
    hasher.finish()
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
