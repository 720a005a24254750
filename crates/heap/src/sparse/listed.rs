//! Lists of heaps whose splits are computed for 64 heaps together.

use super::missing::LANES;
use super::packing::Packing;
use crate::compact_values::Entry;

/// A heap of a list, with its packed value (see [`Packing`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListedHeap<V> {
    pub(super) heap: u32,
    pub(super) value: V,
}

/// Sorts a list so that each value occurs once before any value occurs twice. Then the sets of
/// reached values fill about twice as fast.
pub(super) fn spread_values<V: Copy + Into<usize>>(list: &mut [ListedHeap<V>]) {
    let mut times: Vec<u32> = Vec::new();
    let mut ranked: Vec<(u32, ListedHeap<V>)> = list
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
    for (slot, (_, listed)) in list.iter_mut().zip(ranked) {
        *slot = listed;
    }
}

/// The heaps whose splits are computed for 64 heaps together: the rare heaps and the small common
/// heaps.
pub(super) struct Lists<V> {
    /// A function that converts a packed value (see [`Packing`]) to the type of the values in the
    /// lists.
    narrow: fn(u16) -> V,
    /// The rare heaps of at least `LANES` chips, in the order in which they are used.
    pub(super) rares: Vec<ListedHeap<V>>,
    /// The rare heaps of fewer than `LANES` chips.
    pub(super) small_rares: Vec<ListedHeap<V>>,
    /// The length of `rares` when it was last sorted.
    sorted_length: usize,
    /// The number of entries of `rares`, from the first on, whose splits have their values inserted
    /// into sets. The values of splits with the other entries are only compared with candidates.
    pub(super) filling: usize,
    /// The listed common heaps, all of at most `small` chips.
    pub(super) commons: Vec<ListedHeap<V>>,
    /// The largest number of chips of a heap that `commons` may contain.
    pub(super) small: usize,
}

impl<V: Copy + Into<usize>> Lists<V> {
    pub(super) fn new(narrow: fn(u16) -> V, filling: usize) -> Self {
        Self {
            narrow,
            rares: Vec::new(),
            small_rares: Vec::new(),
            sorted_length: 0,
            filling,
            commons: Vec::new(),
            small: 0,
        }
    }

    fn listed<E: Entry>(&self, heap: usize, packing: &Packing, values: &[E]) -> ListedHeap<V> {
        ListedHeap {
            heap: heap as u32,
            value: (self.narrow)(packing.pack(values[heap].get())),
        }
    }

    /// Adds the heaps of `rares` that the lists of rare heaps do not contain yet. `rares` has rare
    /// heaps in ascending order, and begins with the heaps that the lists contain already.
    pub(super) fn list_rares<E: Entry>(
        &mut self,
        rares: &[usize],
        packing: &Packing,
        values: &[E],
    ) {
        // Both lists together contain the first `already_listed` entries of `rares`, so only the
        // rest is new.
        let already_listed = self.small_rares.len() + self.rares.len();
        for &rare in &rares[already_listed..] {
            let listed = self.listed(rare, packing, values);
            let list = if rare < LANES {
                &mut self.small_rares
            } else {
                &mut self.rares
            };
            list.push(listed);
        }
        // The order only affects the speed. So new heaps stay at the end until the list has grown
        // by a sixteenth.
        if self.rares.len() > self.sorted_length + self.sorted_length / 16 {
            spread_values(&mut self.rares);
            self.sorted_length = self.rares.len();
        }
    }

    /// Replaces the list of common heaps by those from `first` to a bound. Sorts it by
    /// `spread_values`, and then keeps the first `many` entries. The bound is the lesser of `last`
    /// and the largest power of two that is at most n / 3.
    pub(super) fn list_commons<E: Entry>(
        &mut self,
        n: usize,
        [first, last, many]: [usize; 3],
        packing: &Packing,
        values: &[E],
    ) {
        // Below a third of n, a listed heap is always smaller than its partner. Hence no split has
        // two equal heaps, which a game of unequal heaps forbids. The bound is a power of two, so
        // that the list changes seldom.
        let small = (1 << (n / 3).ilog2()).min(last);
        if small != self.small {
            self.small = small;
            let commons = (first..=small).filter(|&a| packing.is_common(a, values[a].get()));
            self.commons = commons.map(|a| self.listed(a, packing, values)).collect();
            spread_values(&mut self.commons);
            self.commons.truncate(many);
        }
    }

    /// Returns the end of the block that starts at `start`. The block has at most `LANES` heaps and
    /// ends at `count` at the latest. The list of common heaps does not change within the block.
    pub(super) fn end(&self, start: usize, count: usize, last: usize) -> usize {
        // The bound doubles when n / 3 reaches 2 `small`, and a block ends there. So the list and
        // the recorded evidence depend only on the heap, not on the place where a run was resumed.
        let change = if self.small < last {
            6 * self.small
        } else {
            count
        };
        count.min(change).min(start + LANES)
    }

    /// Adjusts `filling`, the number of rare heaps whose splits have their values inserted into
    /// sets. `single_heaps` is the number of heaps that had to be computed alone, which is
    /// expensive. If `single_heaps` is positive, `filling` grows. Otherwise, it is reduced by
    /// `decrease`.
    pub(super) fn adapt(&mut self, single_heaps: usize, decrease: usize) {
        self.filling = if single_heaps > 0 {
            // The number grows faster than it shrinks, because a heap computed alone costs as much
            // as many entries that fill sets.
            (self.filling + 8 * single_heaps).min(self.rares.len())
        } else {
            self.filling.saturating_sub(decrease)
        };
    }
}
