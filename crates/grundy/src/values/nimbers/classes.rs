//! Components by their keys, with what is known of each: where a search spends most of its time is here.

use std::hint::black_box;

use rustc_hash::FxHashSet;

use super::LARGE;
use crate::effort;

/// Components that were met, with open addressing, at most two thirds full. No key is 0.
#[derive(Debug, Default)]
pub(super) struct Classes {
    slots: Vec<Slot>,
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

const UNLISTED: u32 = u32::MAX;

/// Classes of costs.
const CLASSES: usize = u64::BITS as usize + 1;

/// The least table.
const LEAST: usize = 1 << 10;

/// Bytes that a place takes.
const BYTES: usize = size_of::<Slot>() + 1;

impl Classes {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.costs.capacity()
    }

    /// The components that were met, each with the set of the values that it may have.
    pub(super) fn met(&self) -> impl Iterator<Item = (u64, u32)> {
        let met = self.slots.iter().filter(|slot| slot.key != 0);
        met.map(|slot| (slot.key, slot.possible))
    }

    /// Where a component is looked for first.
    fn first(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash ^ hash >> 29) as usize >> 12 & (self.slots.len() - 1)
    }

    /// Where a component stands, or would stand. Some component was entered before.
    pub(super) fn place(&self, key: u64) -> usize {
        let mut place = self.first(key);
        loop {
            let there = self.slots[place].key;
            if there == key || there == 0 {
                return place;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// Fetches what will be looked at from memory, all of it at once instead of one after the other.
    pub(super) fn fetch(&self, keys: &[u64]) {
        let keys = keys.iter().map(|&key| self.slots[self.first(key)].key);
        black_box(keys.fold(0, |all, key| all ^ key));
    }

    /// The component at a place, 0 where there is none.
    pub(super) fn key(&self, place: usize) -> u64 {
        self.slots[place].key
    }

    /// The values that the component at a place may have.
    pub(super) fn possible(&self, place: usize) -> u32 {
        self.slots[place].possible
    }

    /// Leaves the component at a place only the values in a set.
    pub(super) fn restrict(&mut self, place: usize, possible: u32) {
        self.slots[place].possible &= possible;
    }

    /// Notes the one value that the component at a place has, as a set.
    pub(super) fn settle(&mut self, place: usize, possible: u32) {
        self.slots[place].possible = possible;
    }

    /// The value of a component, if it was met and has one below [`LARGE`].
    pub(super) fn value(&self, key: u64) -> Option<u64> {
        let possible = self.slots[self.place(key)].possible;
        (possible.is_power_of_two() && possible >> LARGE == 0)
            .then(|| possible.trailing_zeros().into())
    }

    /// Where a component stands; with `possible` it is entered if it has not been met.
    pub(super) fn enter(&mut self, key: u64, possible: impl FnOnce() -> u32) -> usize {
        if self.slots.is_empty() {
            self.resize(LEAST);
        }
        let mut place = self.place(key);
        if self.slots[place].key != 0 {
            return place;
        }
        if self.is_full() {
            self.resize(2 * self.slots.len());
            place = self.place(key);
        }
        self.count += 1;
        let possible = possible();
        self.slots[place] = Slot {
            key,
            possible,
            ..FREE
        };
        place
    }

    /// The number of the list of the options of the component at a place.
    pub(super) fn listed(&self, place: usize) -> Option<usize> {
        let listed = self.slots[place].listed;
        (listed != UNLISTED).then_some(listed as usize)
    }

    /// The components whose options are listed, and the numbers of their lists.
    pub(super) fn lists(&self) -> impl Iterator<Item = (u64, usize)> {
        let listed = self.slots.iter().filter(|slot| slot.listed != UNLISTED);
        listed.map(|slot| (slot.key, slot.listed as usize))
    }

    /// Notes the number of the list of the options of the component at a place.
    pub(super) fn list(&mut self, place: usize, listed: usize) {
        self.slots[place].listed = listed as u32;
    }

    /// The numbers of all lists are less than this.
    pub(super) const REACH: u64 = UNLISTED as u64;

    /// Notes that no options are kept any more.
    pub(super) fn unlist(&mut self) {
        for slot in &mut self.slots {
            slot.listed = UNLISTED;
        }
    }

    /// Notes how many steps a question about the component at a place took.
    pub(super) fn took(&mut self, place: usize, steps: u64) {
        let cost = &mut self.costs[place];
        *cost = effort::class(steps).max(*cost);
    }

    fn is_full(&self) -> bool {
        3 * (self.count + 1) > 2 * self.slots.len()
    }

    /// Bytes that are held while one more component is entered, if the table has to grow for that.
    pub(super) fn growing(&self) -> Option<usize> {
        // The smaller table is still there.
        self.is_full().then(|| 3 * self.slots.len() * BYTES)
    }

    fn resize(&mut self, places: usize) {
        let slots = std::mem::replace(&mut self.slots, vec![FREE; places]);
        let costs = std::mem::replace(&mut self.costs, vec![0; places]);
        for (slot, cost) in slots.into_iter().zip(costs) {
            if slot.key != 0 {
                let place = self.place(slot.key);
                (self.slots[place], self.costs[place]) = (slot, cost);
            }
        }
    }

    /// Forgets about the half of the components that cost least, but for those that are needed.
    pub(super) fn forget_cheap(&mut self, needed: &FxHashSet<u64>) {
        let mut with_cost = [0u64; CLASSES];
        let met = self.slots.iter().zip(&self.costs);
        for (_, &cost) in met.filter(|(slot, _)| slot.key != 0) {
            with_cost[usize::from(cost)] += 1;
        }
        let half = self.count as u64 / 2;
        let least = effort::least_kept(&with_cost, half);
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
