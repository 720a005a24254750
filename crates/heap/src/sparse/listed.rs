//! Lists of heaps whose splits are looked at for many heaps together.

use super::missing::LANES;
use super::packing::Packing;
use crate::narrow::Entry;

/// A heap, and its value packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed<V> {
    pub(super) heap: u32,
    pub(super) value: V,
}

/// Orders a list so that every value comes up once before one comes up twice: sets fill twice as
/// fast.
pub(super) fn spread<V: Copy + Into<usize>>(list: &mut [Listed<V>]) {
    let mut times: Vec<u32> = Vec::new();
    let mut ranked: Vec<(u32, Listed<V>)> = list
        .iter()
        .map(|&listed| {
            let value = listed.value.into();
            if times.len() <= value {
                times.resize(value + 1, 0);
            }
            times[value] += 1;
            (times[value], listed)
        })
        .collect();
    ranked.sort_by_key(|(times, _)| *times);
    for (place, (_, listed)) in list.iter_mut().zip(ranked) {
        *place = listed;
    }
}

/// The heaps that 64 heaps together are looked at with: rare ones, and small common ones.
pub(super) struct Lists<V> {
    /// Makes a packed value as narrow as those listed.
    narrow: fn(u16) -> V,
    /// The rare heaps of `LANES` and more in the order in which they are looked at, and the smaller
    /// ones.
    pub(super) rares: Vec<Listed<V>>,
    pub(super) near: Vec<Listed<V>>,
    /// How many rare heaps there were when they were put in order.
    spread: usize,
    /// How many rare heaps fill sets.
    pub(super) filling: usize,
    /// Common heaps up to `small`.
    pub(super) commons: Vec<Listed<V>>,
    pub(super) small: usize,
}

impl<V: Copy + Into<usize>> Lists<V> {
    pub(super) fn new(narrow: fn(u16) -> V, filling: usize) -> Self {
        Self {
            narrow,
            rares: Vec::new(),
            near: Vec::new(),
            spread: 0,
            filling,
            commons: Vec::new(),
            small: 0,
        }
    }

    fn listed<E: Entry>(&self, heap: usize, packing: &Packing, values: &[E]) -> Listed<V> {
        Listed {
            heap: heap as u32,
            value: (self.narrow)(packing.pack(values[heap].get())),
        }
    }

    /// Takes notice of rare heaps, ascending.
    pub(super) fn list_rares<E: Entry>(
        &mut self,
        rares: &[usize],
        packing: &Packing,
        values: &[E],
    ) {
        let known = self.near.len() + self.rares.len();
        for &rare in &rares[known..] {
            let listed = self.listed(rare, packing, values);
            let list = if rare < LANES {
                &mut self.near
            } else {
                &mut self.rares
            };
            list.push(listed);
        }
        // A few new ones do no harm at the end of the list.
        if self.rares.len() > self.spread + self.spread / 16 {
            spread(&mut self.rares);
            self.spread = self.rares.len();
        }
    }

    /// Lists the common heaps from `first` up to a third of `n` and to `last` at most, and of these
    /// so `many`.
    pub(super) fn list_commons<E: Entry>(
        &mut self,
        n: usize,
        [first, last, many]: [usize; 3],
        packing: &Packing,
        values: &[E],
    ) {
        let small = (1 << (n / 3).ilog2()).min(last);
        if small != self.small {
            self.small = small;
            let commons = (first..=small).filter(|&a| packing.is_common(a, values[a].get()));
            self.commons = commons.map(|a| self.listed(a, packing, values)).collect();
            spread(&mut self.commons);
            self.commons.truncate(many);
        }
    }

    /// Where a block from `start` on ends, below `count`: the list of commons changes at certain
    /// heaps, wherever blocks begin, until it goes up to `last`.
    pub(super) fn end(&self, start: usize, count: usize, last: usize) -> usize {
        let change = if self.small < last {
            6 * self.small
        } else {
            count
        };
        count.min(change).min(start + LANES)
    }

    /// Heaps looked at alone cost more than a longer first part of the list; where there are none
    /// it gets shorter.
    pub(super) fn adapt(&mut self, alone: usize, shorter: usize) {
        self.filling = if alone > 0 {
            (self.filling + 8 * alone).min(self.rares.len())
        } else {
            self.filling.saturating_sub(shorter)
        };
    }
}
