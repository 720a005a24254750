//! Components by their keys, with what is known of each: where a search spends most of its time is
//! here.

use std::hint::black_box;

use rustc_hash::FxHashSet;

use super::CLASSES;
use crate::cost_class;
use crate::store::NUMBERED;

/// Values from this on are not told apart in the set of those that are possible.
pub(crate) const LARGE: u64 = u32::BITS as u64 - 1;

/// Components that were met, with open addressing, at most two thirds full. No key is 0.
#[derive(Debug, Default)]
pub(crate) struct NimberTable {
    slots: Vec<Slot>,
    /// For each slot 0 where there is no component, else some bits of its hash, and [`SETTLED`]:
    /// most searches end here, and these bytes are near when the slots are far away.
    tags: Vec<u8>,
    /// How dear the dearest question about each was: the binary length of the number of its steps.
    costs: Vec<u8>,
    count: usize,
}

/// Four of them fill what is fetched from memory at once.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// 0 where there is no component.
    key: u64,
    /// Bit k tells that the value may be k.
    possible: u32,
    /// The number of the list of its options.
    listed: u32,
}

const FREE: Slot = Slot {
    key: 0,
    possible: 0,
    listed: UNLISTED,
};

/// Bit of a tag: the component has a value below [`LARGE`].
const SETTLED: u8 = 1 << 7;

const UNLISTED: u32 = u32::MAX;

/// Bytes of a table that is near.
const NEAR: usize = 16 << 20;

/// The least table.
const LEAST: usize = 1 << 10;

/// Bytes that a place takes.
const BYTES: usize = size_of::<Slot>() + 2;

impl NimberTable {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.tags.capacity() + self.costs.capacity()
    }

    /// Returns the components that were met, each with the set of the values that it may have.
    pub(crate) fn met(&self) -> impl Iterator<Item = (u64, u32)> {
        let met = self.slots.iter().filter(|slot| slot.key != 0);
        met.map(|slot| (slot.key, slot.possible))
    }

    /// Where a component is looked for first, and its tag as long as it is not settled.
    fn first(&self, key: u64) -> (usize, u8) {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = hash ^ hash >> 29;
        let place = hash as usize >> 12 & (self.slots.len() - 1);
        (place, (hash as u8 & !SETTLED).max(1))
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.slots.len() - 1)
    }

    /// Where a component stands, or would stand. Some component was entered before.
    pub(crate) fn place(&self, key: u64) -> usize {
        let (mut place, tag) = self.first(key);
        loop {
            let there = self.tags[place];
            if there == 0 || there & !SETTLED == tag && self.slots[place].key == key {
                return place;
            }
            place = self.next(place);
        }
    }

    /// Returns whether a component stands at a place.
    pub(crate) fn is_met(&self, place: usize) -> bool {
        self.tags[place] != 0
    }

    /// Returns whether what is looked up has to be waited for.
    pub(crate) fn is_far(&self) -> bool {
        self.bytes() > NEAR
    }

    /// Fetches what will be looked at from memory, all of it at once instead of one after the
    /// other, where that is far.
    pub(crate) fn fetch(&self, keys: &[u64]) {
        if self.is_far() {
            let tags = keys.iter().map(|&key| self.tags[self.first(key).0]);
            black_box(tags.fold(0, |all, tag| all ^ tag));
        }
    }

    /// Returns the component at a place, 0 where there is none.
    pub(crate) fn key(&self, place: usize) -> u64 {
        self.slots[place].key
    }

    /// Returns the values that the component at a place may have.
    pub(crate) fn possible(&self, place: usize) -> u32 {
        self.slots[place].possible
    }

    /// Leaves the component at a place only the values in a set.
    pub(crate) fn restrict(&mut self, place: usize, possible: u32) {
        self.settle(place, self.slots[place].possible & possible);
    }

    /// Notes which values the component at a place may have.
    pub(crate) fn settle(&mut self, place: usize, possible: u32) {
        self.slots[place].possible = possible;
        if possible.is_power_of_two() && possible >> LARGE == 0 {
            self.tags[place] |= SETTLED;
        }
    }

    /// Returns the value of a component, if it was met and has one below [`LARGE`].
    pub(crate) fn value(&self, key: u64) -> Option<u64> {
        let (mut place, tag) = self.first(key);
        loop {
            let there = self.tags[place];
            if there == 0 {
                return None;
            }
            if there == tag | SETTLED && self.slots[place].key == key {
                return Some(self.slots[place].possible.trailing_zeros().into());
            }
            place = self.next(place);
        }
    }

    /// Where a component stands; with `possible` it is entered if it has not been met.
    pub(crate) fn enter(&mut self, key: u64, possible: impl FnOnce() -> u32) -> usize {
        if self.slots.is_empty() {
            self.resize(LEAST);
        }
        let mut place = self.place(key);
        if self.is_met(place) {
            return place;
        }
        if self.is_full() {
            self.resize(2 * self.slots.len());
            place = self.place(key);
        }
        self.count += 1;
        self.put(place, Slot { key, ..FREE });
        self.settle(place, possible());
        place
    }

    fn put(&mut self, place: usize, slot: Slot) {
        self.tags[place] = self.first(slot.key).1;
        self.slots[place] = slot;
    }

    /// Returns the number of the list of the options of the component at a place.
    pub(crate) fn listed(&self, place: usize) -> Option<usize> {
        let listed = self.slots[place].listed;
        (listed != UNLISTED).then_some(listed as usize)
    }

    /// Returns the components whose options are listed, and the numbers of their lists.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (u64, usize)> {
        let listed = self.slots.iter().filter(|slot| slot.listed != UNLISTED);
        listed.map(|slot| (slot.key, slot.listed as usize))
    }

    /// Notes the number of the list of the options of the component at a place.
    pub(crate) fn list(&mut self, place: usize, listed: usize) {
        self.slots[place].listed = listed as u32;
    }

    /// The numbers of all lists are less than this.
    pub(crate) const REACH: u64 = UNLISTED as u64;

    /// Notes that the options of the component at a place are not kept any more.
    pub(crate) fn unlist(&mut self, place: usize) {
        self.slots[place].listed = UNLISTED;
    }

    /// Notes that no options are kept any more.
    pub(crate) fn unlist_all(&mut self) {
        for slot in &mut self.slots {
            slot.listed = UNLISTED;
        }
    }

    /// Notes how many steps a question about the component at a place took.
    pub(crate) fn took(&mut self, place: usize, steps: u64) {
        let cost = &mut self.costs[place];
        *cost = cost_class::of(steps).max(*cost);
    }

    fn is_full(&self) -> bool {
        3 * (self.count + 1) > 2 * self.slots.len()
    }

    /// Bytes that are held while one more component is entered, if the table has to grow for that.
    pub(crate) fn growing(&self) -> Option<usize> {
        // The smaller table is still there.
        self.is_full().then(|| 3 * self.slots.len() * BYTES)
    }

    fn resize(&mut self, places: usize) {
        let slots = std::mem::replace(&mut self.slots, vec![FREE; places]);
        let costs = std::mem::replace(&mut self.costs, vec![0; places]);
        self.tags = vec![0; places];
        for (slot, cost) in slots.into_iter().zip(costs) {
            if slot.key != 0 {
                let place = self.place(slot.key);
                self.put(place, slot);
                self.settle(place, slot.possible);
                self.costs[place] = cost;
            }
        }
    }

    /// Trusts that a component has one of the values in a set, at a cost class. Returns whether
    /// that makes sense.
    pub(super) fn recall(&mut self, key: u64, possible: u64, class: u8) -> bool {
        // Larger values are not told apart.
        let possible = u32::try_from(possible).unwrap_or(0);
        let sound = key != 0
            && key & NUMBERED == 0
            && possible != 0
            && possible >> LARGE == 0
            && usize::from(class) < CLASSES;
        if sound {
            let place = self.enter(key, || possible);
            self.restrict(place, possible);
            self.costs[place] = self.costs[place].max(class);
        }
        sound
    }

    /// Visits the packed components, each with the set of the values that it may have and its
    /// class.
    pub(super) fn each_packed(&self, visit: &mut dyn FnMut(u64, u32, u8)) {
        for (slot, &cost) in self.slots.iter().zip(&self.costs) {
            let packed = slot.key != 0 && slot.key & NUMBERED == 0;
            if packed && slot.possible >> LARGE == 0 {
                visit(slot.key, slot.possible, cost);
            }
        }
    }

    /// Adds the bytes of the components of each class.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES]) {
        // Open addressing leaves up to two thirds of the slots free.
        for (_, &cost) in (self.slots.iter().zip(&self.costs)).filter(|(slot, _)| slot.key != 0) {
            classes[usize::from(cost)] += 3 * BYTES as u64;
        }
    }

    /// Forgets the components below a class, and that options are listed.
    pub(super) fn forget_below(&mut self, class: u8) {
        for (slot, cost) in self.slots.iter_mut().zip(&mut self.costs) {
            slot.listed = UNLISTED;
            if slot.key != 0 && *cost < class {
                (*slot, *cost) = (FREE, 0);
                self.count -= 1;
            }
        }
        // At most two thirds of the slots may be full.
        let places = (3 * self.count / 2 + 2).next_power_of_two().max(LEAST);
        if !self.slots.is_empty() {
            self.resize(places.min(self.slots.len()));
        }
    }

    /// Forgets about the half of the components that cost least, but for those that are needed.
    pub(crate) fn forget_cheap(&mut self, needed: &FxHashSet<u64>) {
        let mut with_cost = [0u64; CLASSES];
        let met = self.slots.iter().zip(&self.costs);
        for (_, &cost) in met.filter(|(slot, _)| slot.key != 0) {
            with_cost[usize::from(cost)] += 1;
        }
        let half = self.count as u64 / 2;
        let least = cost_class::least_kept(&with_cost, half);
        // Of those that cost next to that so many stay that it is the half, spread over the table.
        let staying = half - with_cost[least..].iter().sum::<u64>();
        let (next, mut seen) = (least.checked_sub(1), 0);
        for (slot, cost) in self.slots.iter_mut().zip(&mut self.costs) {
            if slot.key == 0 {
                continue;
            }
            let class = usize::from(*cost);
            let cheap = if Some(class) == next {
                seen += 1;
                let of = with_cost[class];
                seen * staying / of == (seen - 1) * staying / of
            } else {
                class < least
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
    fn components_are_found_with_what_is_known_of_them() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut classes = NimberTable::default();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        for step in 0..60_000u64 {
            let key = random.u64(1..8_000);
            let place = classes.enter(key, || 0b1111);
            let possible = known.entry(key).or_insert(0b1111);
            // What is settled stays so.
            if random.bool() && !possible.is_power_of_two() {
                let left = *possible & random.u32(..16);
                *possible = if left == 0 { 1 << LARGE } else { left };
                classes.settle(place, *possible);
            }
            classes.took(place, step % 50);
            if step % 20_000 == 19_999 {
                let before = classes.met().count();
                classes.forget_cheap(&FxHashSet::default());
                known = classes.met().collect();
                assert!(known.len() <= before / 2 + 1 && known.len() >= before / 2);
            }
            let other = random.u64(1..8_000);
            let place = classes.place(other);
            assert_eq!(classes.is_met(place), known.contains_key(&other));
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
