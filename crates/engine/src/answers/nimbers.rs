//! A hash table of the nimbers that each component can still have. A search for nimbers spends most
//! of its time on lookups in this table.

use std::hint::black_box;

use rustc_hash::FxHashSet;

use super::COST_CLASSES;
use crate::cost_class;
use crate::store::NUMBER_BIT;

/// Index of the highest bit in a set of possible values. This bit stands for the value `LARGE` and
/// for all larger values.
pub(crate) const LARGE: u64 = u32::BITS as u64 - 1;

/// A hash table with open addressing, from the keys of components to the sets of their possible
/// nimbers. A key is a packed component, or the id of a component with the bit `NUMBER_BIT`. At
/// most two thirds of the slots are in use, and no key is 0.
#[derive(Debug, Default)]
pub(crate) struct NimberTable {
    slots: Vec<Slot>,
    /// The tag of each slot: 0 if the slot is free, and otherwise some bits of the hash of its key.
    /// The bit [`SETTLED`] is set if the value is known.
    ///
    /// Most lookups read only tags. The tags of a large table still fit the processor cache when
    /// its slots do not.
    tags: Vec<u8>,
    /// For each slot, the cost class of the most expensive search about its component.
    costs: Vec<u8>,
    /// Number of components in the table.
    count: usize,
}

/// A slot of 16 bytes, so that four of them fill a cache line.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The key of the component, or 0 if the slot is free.
    key: u64,
    /// The set of possible values: bit k stands for the value k.
    possible: u32,
    /// The index of the list that stores the options of the component, or [`UNLISTED`] if there is
    /// no such list.
    listed: u32,
}

/// A free slot.
const FREE: Slot = Slot {
    key: 0,
    possible: 0,
    listed: UNLISTED,
};

/// The bit of a tag that is set if the value of the component is known and below [`LARGE`].
const SETTLED: u8 = 1 << 7;

/// The value of `Slot::listed` for a component without a list of options.
const UNLISTED: u32 = u32::MAX;

/// Largest size of a table, in bytes, for which lookups are expected to hit the processor cache.
const CACHE_BYTES: usize = 16 << 20;

/// Number of slots of the smallest table.
const MIN_SLOTS: usize = 1 << 10;

/// Number of bytes of a slot with its tag and its cost.
const BYTES_PER_SLOT: usize = size_of::<Slot>() + 2;

impl NimberTable {
    /// Returns the number of bytes that the table occupies.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.tags.capacity() + self.costs.capacity()
    }

    /// Returns the keys of all components in the table, each with its set of possible values.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u32)> {
        let used = self.slots.iter().filter(|slot| slot.key != 0);
        used.map(|slot| (slot.key, slot.possible))
    }

    /// Returns the index of the slot at which the lookup of a key starts, and the tag of the key
    /// without the bit [`SETTLED`].
    fn start_of_probe(&self, key: u64) -> (usize, u8) {
        // Fibonacci hashing. The low bits of the product depend on few bits of the key, so mix in
        // the high bits. The slot and the tag use different bits of the hash. The tag 0 marks a
        // free slot, hence `max(1)`.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = hash ^ hash >> 29;
        let place = hash as usize >> 12 & (self.slots.len() - 1);
        (place, (hash as u8 & !SETTLED).max(1))
    }

    /// Returns the index of the slot that follows the slot `place` in linear probing.
    fn next_slot(&self, place: usize) -> usize {
        (place + 1) & (self.slots.len() - 1)
    }

    /// Returns the index of the slot of a key, or of the free slot in which the key would be
    /// inserted. The table must not be empty.
    pub(crate) fn place(&self, key: u64) -> usize {
        let (mut place, tag) = self.start_of_probe(key);
        loop {
            // Almost all other keys have a different tag. So usually only the slot of `key` is
            // read.
            let stored_tag = self.tags[place];
            if stored_tag == 0 || stored_tag & !SETTLED == tag && self.slots[place].key == key {
                return place;
            }
            place = self.next_slot(place);
        }
    }

    /// Returns whether a slot contains a component.
    pub(crate) fn is_occupied(&self, place: usize) -> bool {
        self.tags[place] != 0
    }

    /// Returns whether lookups are expected to miss the processor cache.
    pub(crate) fn exceeds_cache(&self) -> bool {
        self.bytes() > CACHE_BYTES
    }

    /// Loads the tags of several keys into the processor cache, if the table is large. The caller
    /// then looks up the keys. The loads are independent of each other, so their cache misses
    /// overlap.
    pub(crate) fn prefetch_tags(&self, keys: &[u64]) {
        if self.exceeds_cache() {
            // Safe Rust has no prefetch instruction. `black_box` keeps the compiler from removing
            // the reads.
            let tags = keys
                .iter()
                .map(|&key| self.tags[self.start_of_probe(key).0]);
            black_box(tags.fold(0, |all, tag| all ^ tag));
        }
    }

    /// Returns the key in a slot, or 0 if the slot is free.
    pub(crate) fn key(&self, place: usize) -> u64 {
        self.slots[place].key
    }

    /// Returns the set of possible values of the component in a slot: bit k stands for the value k.
    pub(crate) fn possible(&self, place: usize) -> u32 {
        self.slots[place].possible
    }

    /// Restricts the possible values of the component in a slot to the set `possible`.
    pub(crate) fn restrict(&mut self, place: usize, possible: u32) {
        self.set_possible(place, self.slots[place].possible & possible);
    }

    /// Sets the possible values of the component in a slot. If only one value is possible and it is
    /// below [`LARGE`], marks the slot as [`SETTLED`].
    pub(crate) fn set_possible(&mut self, place: usize, possible: u32) {
        self.slots[place].possible = possible;
        // The bit `LARGE` stands for many values, so it does not determine the value.
        if possible.is_power_of_two() && possible >> LARGE == 0 {
            self.tags[place] |= SETTLED;
        }
    }

    /// Returns the value of the component with this key, if it is known and below [`LARGE`].
    pub(crate) fn value(&self, key: u64) -> Option<u64> {
        // Compare each tag with the tag of a component whose value is known. So the slots of
        // components with unknown values are not read.
        let (mut place, tag) = self.start_of_probe(key);
        loop {
            let stored_tag = self.tags[place];
            if stored_tag == 0 {
                return None;
            }
            if stored_tag == tag | SETTLED && self.slots[place].key == key {
                return Some(self.slots[place].possible.trailing_zeros().into());
            }
            place = self.next_slot(place);
        }
    }

    /// Returns the index of the slot of a key. If the key is new, inserts it with the possible
    /// values that `possible` returns.
    pub(crate) fn enter(&mut self, key: u64, possible: impl FnOnce() -> u32) -> usize {
        if self.slots.is_empty() {
            self.resize(MIN_SLOTS);
        }
        let mut place = self.place(key);
        if self.is_occupied(place) {
            return place;
        }
        // Enlarge the table only for a new key, so that lookups never move the slots.
        if self.is_full() {
            self.resize(2 * self.slots.len());
            place = self.place(key);
        }
        self.count += 1;
        self.put(place, Slot { key, ..FREE });
        self.set_possible(place, possible());
        place
    }

    /// Writes a slot, and its tag without the bit [`SETTLED`].
    fn put(&mut self, place: usize, slot: Slot) {
        self.tags[place] = self.start_of_probe(slot.key).1;
        self.slots[place] = slot;
    }

    /// Returns the index of the list of options for the component in a slot, if there is a list.
    pub(crate) fn listed(&self, place: usize) -> Option<usize> {
        let listed = self.slots[place].listed;
        (listed != UNLISTED).then_some(listed as usize)
    }

    /// Returns the keys of the components with a list of options, and the indices of these lists.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (u64, usize)> {
        let listed = self.slots.iter().filter(|slot| slot.listed != UNLISTED);
        listed.map(|slot| (slot.key, slot.listed as usize))
    }

    /// Sets the index of the list of options for the component in a slot.
    pub(crate) fn list(&mut self, place: usize, listed: usize) {
        self.slots[place].listed = listed as u32;
    }

    /// The exclusive upper bound of the indices of lists of options.
    pub(crate) const MAX_LISTS: u64 = UNLISTED as u64;

    /// Records that the options of the component in a slot are not stored any more.
    pub(crate) fn drop_list(&mut self, place: usize) {
        self.slots[place].listed = UNLISTED;
    }

    /// Records that no component has a list of options any more.
    pub(crate) fn drop_lists(&mut self) {
        for slot in &mut self.slots {
            slot.listed = UNLISTED;
        }
    }

    /// Records that a search about the component in a slot took `steps` steps.
    pub(crate) fn record_cost(&mut self, place: usize, steps: u64) {
        // There may be several searches about a component. The most expensive one counts.
        let cost = &mut self.costs[place];
        *cost = cost_class::of(steps).max(*cost);
    }

    /// Returns whether one more component would fill more than two thirds of the slots.
    fn is_full(&self) -> bool {
        3 * (self.count + 1) > 2 * self.slots.len()
    }

    /// Returns the number of bytes that the old and the enlarged table occupy together during the
    /// next insertion. Returns `None` if the next insertion does not enlarge the table.
    pub(crate) fn bytes_while_growing(&self) -> Option<usize> {
        // The new table has twice the size of the old one.
        self.is_full()
            .then(|| 3 * self.slots.len() * BYTES_PER_SLOT)
    }

    /// Moves all components to a table with `places` slots, where `places` is a power of two.
    fn resize(&mut self, places: usize) {
        let slots = std::mem::replace(&mut self.slots, vec![FREE; places]);
        let costs = std::mem::replace(&mut self.costs, vec![0; places]);
        self.tags = vec![0; places];
        for (slot, cost) in slots.into_iter().zip(costs) {
            if slot.key != 0 {
                // Linear probing cannot delete single entries. So every eviction calls this
                // function, to insert the remaining components again.
                let place = self.place(slot.key);
                self.put(place, slot);
                self.set_possible(place, slot.possible);
                self.costs[place] = cost;
            }
        }
    }

    /// Restricts the possible values of a component to the set `possible`. Another process found
    /// this set, by a search of cost class `class`. Returns `false` and ignores the set if an
    /// argument is invalid, or if the set contains values of [`LARGE`] or more.
    pub(super) fn recall(&mut self, key: u64, possible: u64, class: u8) -> bool {
        // A set that contains large values excludes too little to be useful.
        let possible = u32::try_from(possible).unwrap_or(0);
        let is_valid = key != 0
            && key & NUMBER_BIT == 0
            && possible != 0
            && possible >> LARGE == 0
            && usize::from(class) < COST_CLASSES;
        if is_valid {
            let place = self.enter(key, || possible);
            // The values that this process has excluded stay excluded.
            self.restrict(place, possible);
            self.costs[place] = self.costs[place].max(class);
        }
        is_valid
    }

    /// Visits the packed components, each with its set of possible values and its cost class.
    /// Leaves out the components for which a value of [`LARGE`] or more is still possible.
    pub(super) fn each_packed(&self, visit: &mut dyn FnMut(u64, u32, u8)) {
        for (slot, &cost) in self.slots.iter().zip(&self.costs) {
            // The number of a component is valid only in this process.
            let packed = slot.key != 0 && slot.key & NUMBER_BIT == 0;
            if packed && slot.possible >> LARGE == 0 {
                visit(slot.key, slot.possible, cost);
            }
        }
    }

    /// Adds the bytes that each component occupies to the entry of `classes` for the cost class of
    /// the component.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; COST_CLASSES]) {
        // After the table has doubled, one third of the slots is in use. So count three slots for
        // each component.
        for (_, &cost) in (self.slots.iter().zip(&self.costs)).filter(|(slot, _)| slot.key != 0) {
            classes[usize::from(cost)] += 3 * BYTES_PER_SLOT as u64;
        }
    }

    /// Evicts the components of a cost class below `class`, and drops all lists of options.
    pub(super) fn evict_below(&mut self, class: u8) {
        for (slot, cost) in self.slots.iter_mut().zip(&mut self.costs) {
            slot.listed = UNLISTED;
            if slot.key != 0 && *cost < class {
                (*slot, *cost) = (FREE, 0);
                self.count -= 1;
            }
        }
        // At most two thirds of the slots may be in use.
        let places = (3 * self.count / 2 + 2).next_power_of_two().max(MIN_SLOTS);
        if !self.slots.is_empty() {
            self.resize(places.min(self.slots.len()));
        }
    }

    /// Evicts about half of the components, those with the lowest cost classes. The components in
    /// `needed` stay.
    pub(crate) fn evict_cheap_half(&mut self, needed: &FxHashSet<u64>) {
        let mut with_cost = [0u64; COST_CLASSES];
        let used = self.slots.iter().zip(&self.costs);
        for (_, &cost) in used.filter(|(slot, _)| slot.key != 0) {
            with_cost[usize::from(cost)] += 1;
        }
        let half = self.count as u64 / 2;
        let lowest = cost_class::lowest_kept(&with_cost, half);
        // The class just below `lowest` may be large. Evict only a part of it, spread evenly over
        // the table, so that exactly half of the components stay.
        let staying = half - with_cost[lowest..].iter().sum::<u64>();
        let (next, mut seen) = (lowest.checked_sub(1), 0);
        for (slot, cost) in self.slots.iter_mut().zip(&mut self.costs) {
            if slot.key == 0 {
                continue;
            }
            let class = usize::from(*cost);
            let cheap = if Some(class) == next {
                seen += 1;
                // Bresenham's rule: as `seen` increases from 0 to `size`, the integer part of
                // `seen * staying / size` increases `staying` times. A component stays if it
                // increases.
                let size = with_cost[class];
                seen * staying / size == (seen - 1) * staying / size
            } else {
                class < lowest
            };
            if cheap && !needed.contains(&slot.key) {
                (*slot, *cost) = (FREE, 0);
                self.count -= 1;
            }
        }
        self.resize(self.slots.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn components_are_found_with_their_possible_values() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut classes = NimberTable::default();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        for step in 0..60_000u64 {
            let key = random.u64(1..8_000);
            let place = classes.enter(key, || 0b1111);
            let possible = known.entry(key).or_insert(0b1111);
            // Do not change components whose value is known.
            if random.bool() && !possible.is_power_of_two() {
                let left = *possible & random.u32(..16);
                // A component has some value, so replace an empty set by the set of large values.
                *possible = if left == 0 { 1 << LARGE } else { left };
                classes.set_possible(place, *possible);
            }
            classes.record_cost(place, step % 50);
            if step % 20_000 == 19_999 {
                let before = classes.entries().count();
                classes.evict_cheap_half(&FxHashSet::default());
                known = classes.entries().collect();
                assert!(known.len() <= before / 2 + 1 && known.len() >= before / 2);
            }
            let other = random.u64(1..8_000);
            let place = classes.place(other);
            assert_eq!(classes.is_occupied(place), known.contains_key(&other));
            if let Some(&possible) = known.get(&other) {
                assert_eq!(
                    (classes.key(place), classes.possible(place)),
                    (other, possible)
                );
            }
            let settled = known.get(&other).filter(|set| set.is_power_of_two());
            let value = settled.map(|set| u64::from(set.trailing_zeros()));
            assert_eq!(classes.value(other), value.filter(|&value| value < LARGE));
        }
    }
}
