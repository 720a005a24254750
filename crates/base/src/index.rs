//! A hash table of integers. Each integer is the index of a key that the caller stores, as in an
//! interner.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// A hash table with open addressing, whose entries are indices of keys. A slot has 8 bytes, and at
/// most three quarters of the slots are in use.
#[derive(Clone, Debug, Default)]
pub struct Index {
    slots: Vec<Slot>,
}

/// The index of a key, and a tag: the upper half of the key's hash. Comparing tags avoids most
/// comparisons of keys.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u32,
    tag: u32,
}

impl Slot {
    const FREE: Self = Self {
        // The index 2^32 - 1 is reserved for free slots.
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
    /// Returns the index whose key has this hash and for which `matches` returns `true`.
    ///
    /// ```
    /// use grundy_base::index::{Index, hash};
    /// let keys = ["0", "*", "^"];
    /// let mut index = Index::default();
    /// index.make_room(0, keys.len(), &|k| hash(keys[k as usize]));
    /// for (next, key) in (0..).zip(keys) {
    ///     index.number(hash(key), next, |k| keys[k as usize] == key);
    /// }
    /// assert_eq!(index.find(hash("*"), |k| keys[k as usize] == "*"), Some(1));
    /// assert_eq!(index.find(hash("*2"), |k| keys[k as usize] == "*2"), None);
    /// ```
    #[must_use]
    pub fn find(&self, hash: u64, matches: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot_index(hash, matches)];
        (!slot.is_free()).then_some(slot.number)
    }

    /// Returns the index whose key has this hash and for which `matches` returns `true`. If there
    /// is none, inserts and returns `next`. The table must have room for it.
    ///
    /// ```
    /// use grundy_base::index::{Index, hash};
    /// let keys = ["0", "*", "0"];
    /// let mut index = Index::default();
    /// index.make_room(0, keys.len(), &|k| hash(keys[k as usize]));
    /// let mut number = |next: u32| {
    ///     let key = keys[next as usize];
    ///     index.number(hash(key), next, |k| keys[k as usize] == key)
    /// };
    /// assert_eq!([number(0), number(1), number(2)], [0, 1, 0]);
    /// ```
    pub fn number(&mut self, hash: u64, next: u32, matches: impl Fn(u32) -> bool) -> u32 {
        let slot_index = self.slot_index(hash, matches);
        if self.slots[slot_index].is_free() {
            self.slots[slot_index] = Slot::new(next, hash);
        }
        self.slots[slot_index].number
    }

    /// Returns the index in the first slot for this hash. Returns `None` if the slot is free, or if
    /// its tag differs from the upper half of this hash. No other slot is searched. The key of the
    /// index may have another hash, so the caller must compare the keys.
    ///
    /// ```
    /// use grundy_base::index::{Index, hash};
    /// let keys = ["*"];
    /// let mut index = Index::default();
    /// index.make_room(0, keys.len(), &|k| hash(keys[k as usize]));
    /// index.number(hash("*"), 0, |k| keys[k as usize] == "*");
    /// assert_eq!(index.first(hash("*")), Some(0));
    /// assert_eq!(index.first(hash("^")), None);
    /// assert_eq!(Index::default().first(hash("*")), None);
    /// ```
    #[must_use]
    pub fn first(&self, hash: u64) -> Option<u32> {
        // Without slots this index is out of range.
        let slot = self
            .slots
            .get(hash as usize & self.slots.len().wrapping_sub(1))?;
        (slot.tag == tag(hash) && !slot.is_free()).then_some(slot.number)
    }

    /// Makes room for `count` indices in total. They include the indices 0 to `stored` - 1, which
    /// are already in the table. `hash` returns the hash of the key of an index.
    ///
    /// ```
    /// use grundy_base::index::{Index, hash};
    /// let keys = ["0", "*"];
    /// let mut index = Index::default();
    /// index.make_room(0, 1, &|k| hash(keys[k as usize]));
    /// index.number(hash("0"), 0, |k| keys[k as usize] == "0");
    /// // The table grows, and "0" keeps its index.
    /// index.make_room(1, 1000, &|k| hash(keys[k as usize]));
    /// assert_eq!(index.find(hash("0"), |k| keys[k as usize] == "0"), Some(0));
    /// assert_eq!(index.number(hash("*"), 1, |k| keys[k as usize] == "*"), 1);
    /// ```
    pub fn make_room(&mut self, stored: usize, count: usize, hash: &dyn Fn(u32) -> u64) {
        if 4 * count <= 3 * self.slots.len() {
            return;
        }
        // The number of slots is a power of two, so that a bit mask gives the remainder.
        self.slots = vec![Slot::FREE; (4 * count / 3 + 1).next_power_of_two().max(16)];
        for number in 0..stored as u32 {
            // These indices are all different, so each goes into the first free slot.
            let hash = hash(number);
            let slot_index = self.slot_index(hash, |_| false);
            self.slots[slot_index] = Slot::new(number, hash);
        }
    }

    /// Returns the number of bytes allocated.
    ///
    /// ```
    /// use grundy_base::index::Index;
    /// let mut index = Index::default();
    /// assert_eq!(index.bytes(), 0);
    /// // 10 indices take 16 slots of 8 bytes.
    /// index.make_room(0, 10, &|_| 0);
    /// assert_eq!(index.bytes(), 128);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity()
    }

    /// Returns the slot of the index whose key has this hash and for which `matches` returns
    /// `true`. If there is none, returns the free slot for it.
    fn slot_index(&self, hash: u64, matches: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        // Linear probing terminates, because a quarter of the slots is always free.
        let mut slot_index = hash as usize & mask;
        loop {
            let slot = self.slots[slot_index];
            if slot.is_free() || slot.tag == tag(hash) && matches(slot.number) {
                return slot_index;
            }
            slot_index = (slot_index + 1) & mask;
        }
    }
}

/// Returns the hash of a key, for the functions of [`Index`].
///
/// ```
/// use grundy_base::index::hash;
/// assert_eq!(hash("kayles"), hash(&String::from("kayles")));
/// assert_ne!(hash("kayles"), hash("nim"));
/// ```
#[must_use]
pub fn hash<T: Hash + ?Sized>(key: &T) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

// The low bits of the hash select the slot, so the tag consists of the high bits.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
