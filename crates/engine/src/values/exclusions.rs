//! A table of excluded values that several solvers share. A value is excluded for a component if a
//! search has shown that the component does not have this value. Each solver searches the same
//! components in a different order, and reads the results of the others from the table.
//!
//! Readers and writers of a table use no lock, and no entry is ever removed. A component keeps its
//! slot, and its set of excluded values only grows. A reader may see an earlier state of the set.
//! This costs time but never changes a result. If all slots for a component are occupied, its
//! excluded values are not shared.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The tables of excluded values that solvers share: one [`ExclusionTable`] for each ruleset, found
/// by the name of the ruleset.
#[derive(Debug, Default)]
pub(crate) struct ExclusionTables {
    tables: Mutex<Vec<(&'static str, Arc<ExclusionTable>)>>,
    /// The largest number of bytes of each table.
    memory: u64,
}

impl ExclusionTables {
    /// Creates a collection without tables. Each table will have at most `memory` bytes.
    pub(crate) fn new(memory: u64) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    /// Returns the table of a ruleset. Creates an empty table if the ruleset has none.
    pub(super) fn table(&self, ruleset: &'static str) -> Arc<ExclusionTable> {
        // A thread that panics while it has the lock leaves the list valid, so the poison is
        // ignored.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = tables.iter().find(|(name, _)| *name == ruleset) {
            return Arc::clone(table);
        }
        let table = Arc::new(ExclusionTable {
            slots: OnceLock::new(),
            max_slots: (self.memory / size_of::<Slot>() as u64).min(MAX_SLOTS) as usize,
        });
        tables.push((ruleset, Arc::clone(&table)));
        table
    }
}

/// A table of the excluded values of the components of one ruleset. A value is excluded for a
/// component if a search has shown that the component does not have it.
#[derive(Debug)]
pub(crate) struct ExclusionTable {
    slots: OnceLock<Box<[Slot]>>,
    max_slots: usize,
}

/// The key of a component and the set of its excluded values, in which bit k stands for the value
/// k. The key of a free slot is 0.
#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    excluded: AtomicU64,
}

/// Largest number of slots of a table.
const MAX_SLOTS: u64 = 1 << 22;

/// Number of consecutive slots that may contain a component. A lookup probes only these slots.
const PROBE_LENGTH: usize = 8;

impl ExclusionTable {
    /// Allocates the slots. From then on the solvers read and write the table.
    pub(super) fn open(&self) {
        self.slots.get_or_init(|| {
            // The number of slots is the greatest power of two that is at most `max_slots`, so that
            // a mask reduces an index.
            let count = (self.max_slots + 1).next_power_of_two() / 2;
            (0..count).map(|_| Slot::default()).collect()
        });
    }

    /// Returns whether the slots are allocated, so that solvers read and write the table.
    pub(super) fn is_open(&self) -> bool {
        self.slots.get().is_some()
    }

    fn probe(&self, key: u64) -> impl Iterator<Item = &Slot> {
        let slots = self.slots.get().map_or(&[][..], |slots| slots);
        // Multiplication by the golden ratio spreads neighbouring keys. The high half of the
        // product depends on all bits of the key.
        let hash = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        (0..PROBE_LENGTH.min(slots.len()))
            .map(move |step| &slots[(hash + step) & (slots.len() - 1)])
    }

    /// Returns the set of the values that are excluded for the component with the key `key`, in
    /// which bit k stands for the value k. The set is empty if the table does not contain the
    /// component.
    pub(super) fn excluded(&self, key: u64) -> u64 {
        for slot in self.probe(key) {
            match slot.key.load(Ordering::Acquire) {
                // The lookup ends at a free slot, since slots are filled in order and never freed.
                0 => return 0,
                occupant if occupant == key => return slot.excluded.load(Ordering::Acquire),
                _ => {}
            }
        }
        0
    }

    /// Adds the values in the set `excluded` to the excluded values of the component with the key
    /// `key`. Does nothing if there is no slot for the component.
    pub(super) fn exclude(&self, key: u64, excluded: u64) {
        for slot in self.probe(key) {
            // The key is written before the values. A reader between the two sees an empty set,
            // which is safe.
            let occupant = slot
                .key
                .compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire)
                .unwrap_or_else(|occupant| occupant);
            if occupant == 0 || occupant == key {
                // The set only grows, and a union does not depend on the order. So concurrent
                // writers are safe.
                slot.excluded.fetch_or(excluded, Ordering::AcqRel);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_excluded_values() {
        let tables = ExclusionTables::new(1 << 20);
        let table = tables.table("cram");
        table.exclude(7, 1);
        assert_eq!(table.excluded(7), 0, "no thread reads yet");
        table.open();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = tables.table("cram");
                scope.spawn(move || (1..=1000).for_each(|key| table.exclude(key, 1 << thread)));
            }
        });
        let shared = (1..=1000).filter(|&key| table.excluded(key) == 15).count();
        assert!(shared > 990, "{shared}");
        assert_eq!(tables.table("other").excluded(7), 0, "a separate board");
    }

    // Checks that a table with too few slots drops values, and never returns the values of another
    // component. Each key has a different set of excluded values, so a mistake would be noticed.
    #[test]
    fn a_full_table_drops_values_and_reports_none_wrong() {
        let tables = ExclusionTables::new(64 * size_of::<Slot>() as u64);
        let table = tables.table("cram");
        table.open();
        (1..1000).for_each(|key| table.exclude(key, key));
        let excluded: Vec<_> = (1..1000).map(|key| table.excluded(key)).collect();
        assert!(
            (1..1000)
                .zip(&excluded)
                .all(|(key, &excluded)| excluded == 0 || excluded == key)
        );
        assert!((1..=64).contains(&excluded.iter().filter(|&&excluded| excluded != 0).count()));
    }
}
