//! A table of excluded values, by which solvers that search the same components in different orders
//! share results.
//!
//! Readers and writers use no lock, and no entry is ever removed. A component keeps its slot, and
//! its set of excluded values only grows. A reader may see an earlier state of the set. This costs
//! time but never changes a result. If all slots for a component are taken, its excluded values are
//! not shared.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The boards of several rulesets, by the name of the ruleset.
#[derive(Debug, Default)]
pub(crate) struct Blackboards {
    boards: Mutex<Vec<(&'static str, Arc<Blackboard>)>>,
    /// The largest number of bytes of each board.
    memory: u64,
}

impl Blackboards {
    /// Creates a collection whose boards have at most `memory` bytes each.
    pub(crate) fn new(memory: u64) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    /// Returns the board of a ruleset. Creates it if there is none.
    pub(super) fn of(&self, ruleset: &'static str) -> Arc<Blackboard> {
        // A thread that panics while it has the lock leaves the list valid, so the poison is
        // ignored.
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, board)) = boards.iter().find(|(name, _)| *name == ruleset) {
            return Arc::clone(board);
        }
        let board = Arc::new(Blackboard {
            slots: OnceLock::new(),
            most: (self.memory / size_of::<Slot>() as u64).min(MOST) as usize,
        });
        boards.push((ruleset, Arc::clone(&board)));
        board
    }
}

/// A table of excluded values for the components of one ruleset.
#[derive(Debug)]
pub(crate) struct Blackboard {
    slots: OnceLock<Box<[Slot]>>,
    most: usize,
}

/// The key of a component and the set of its excluded values, in which bit k stands for k. The key
/// of a free slot is 0.
#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    excluded: AtomicU64,
}

/// Largest number of slots of a board.
const MOST: u64 = 1 << 22;

/// Number of consecutive slots in one of which a component must be.
const NEAR: usize = 8;

impl Blackboard {
    /// Allocates the slots. From then on the solvers read and write the board.
    pub(super) fn open(&self) {
        self.slots.get_or_init(|| {
            // Use the greatest power of two that is at most `most`, so that a mask reduces an
            // index.
            let room = (self.most + 1).next_power_of_two() / 2;
            (0..room).map(|_| Slot::default()).collect()
        });
    }

    /// Returns whether the slots are allocated, so that solvers read and write the board.
    pub(super) fn is_open(&self) -> bool {
        self.slots.get().is_some()
    }

    fn near(&self, key: u64) -> impl Iterator<Item = &Slot> {
        let slots = self.slots.get().map_or(&[][..], |slots| slots);
        // Multiplication by the golden ratio spreads neighbouring keys. The high half of the
        // product depends on all bits of the key.
        let hash = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        (0..NEAR.min(slots.len())).map(move |step| &slots[(hash + step) & (slots.len() - 1)])
    }

    /// Returns the set of excluded values of a component.
    pub(super) fn excluded(&self, key: u64) -> u64 {
        for slot in self.near(key) {
            match slot.key.load(Ordering::Acquire) {
                // The lookup ends at a free slot, since slots are filled in order and never freed.
                0 => return 0,
                there if there == key => return slot.excluded.load(Ordering::Acquire),
                _ => {}
            }
        }
        0
    }

    /// Adds values to the set of excluded values of a component.
    pub(super) fn tell(&self, key: u64, excluded: u64) {
        for slot in self.near(key) {
            // The key is written before the values. A reader between the two sees an empty set,
            // which is safe.
            let there = slot
                .key
                .compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire)
                .unwrap_or_else(|there| there);
            if there == 0 || there == key {
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
        let boards = Blackboards::new(1 << 20);
        let board = boards.of("cram");
        board.tell(7, 1);
        assert_eq!(board.excluded(7), 0, "no thread reads yet");
        board.open();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let board = boards.of("cram");
                scope.spawn(move || (1..=1000).for_each(|key| board.tell(key, 1 << thread)));
            }
        });
        let told = (1..=1000).filter(|&key| board.excluded(key) == 15).count();
        assert!(told > 990, "{told}");
        assert_eq!(boards.of("other").excluded(7), 0, "a separate board");
    }

    // Checks that a board with too few slots drops values, and never returns the values of another
    // component. Each key excludes a different value, so a mistake would be noticed.
    #[test]
    fn a_full_board_drops_values_and_reports_none_wrong() {
        let boards = Blackboards::new(64 * size_of::<Slot>() as u64);
        let board = boards.of("cram");
        board.open();
        (1..1000).for_each(|key| board.tell(key, key));
        let told: Vec<_> = (1..1000).map(|key| board.excluded(key)).collect();
        assert!(
            (1..1000)
                .zip(&told)
                .all(|(key, &told)| told == 0 || told == key)
        );
        assert!((1..=64).contains(&told.iter().filter(|&&told| told != 0).count()));
    }
}
