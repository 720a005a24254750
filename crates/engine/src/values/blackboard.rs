//! What solvers that look at the same components in different orders tell one another: which values
//! a component cannot have.
//!
//! No lock is taken to read or write, and nothing is ever taken back: a component keeps its place,
//! and values are only ever excluded. What is read may be older than what is known by then, which
//! costs work and changes no answer. Where there is no more room near the place of a component,
//! what is found of it is not told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Boards of several rulesets, by their names.
#[derive(Debug, Default)]
pub(crate) struct Blackboards {
    boards: Mutex<Vec<(&'static str, Arc<Blackboard>)>>,
    /// Bytes that all boards together may take.
    memory: u64,
}

impl Blackboards {
    /// Boards that take no more than so many bytes each.
    pub(crate) fn new(memory: u64) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    /// Returns the board of a ruleset.
    pub(super) fn of(&self, ruleset: &'static str) -> Arc<Blackboard> {
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

/// What is told of the components of one ruleset.
#[derive(Debug)]
pub(crate) struct Blackboard {
    slots: OnceLock<Box<[Slot]>>,
    most: usize,
}

/// A component's key, 0 where there is none yet, and the values that it cannot have: bit k for k.
#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    excluded: AtomicU64,
}

/// Components that a board has room for, at most.
const MOST: u64 = 1 << 22;

/// Places that are looked at for one component.
const NEAR: usize = 8;

impl Blackboard {
    /// Makes room, where there is none yet: from now on others listen.
    pub(super) fn open(&self) {
        self.slots.get_or_init(|| {
            let room = (self.most + 1).next_power_of_two() / 2;
            (0..room).map(|_| Slot::default()).collect()
        });
    }

    /// Returns whether somebody listens.
    pub(super) fn is_open(&self) -> bool {
        self.slots.get().is_some()
    }

    fn near(&self, key: u64) -> impl Iterator<Item = &Slot> {
        let slots = self.slots.get().map_or(&[][..], |slots| slots);
        let hash = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        (0..NEAR.min(slots.len())).map(move |step| &slots[(hash + step) & (slots.len() - 1)])
    }

    /// Returns the values that a component is known not to have.
    pub(super) fn excluded(&self, key: u64) -> u64 {
        for slot in self.near(key) {
            match slot.key.load(Ordering::Acquire) {
                0 => return 0,
                there if there == key => return slot.excluded.load(Ordering::Acquire),
                _ => {}
            }
        }
        0
    }

    /// Tells which values a component cannot have.
    pub(super) fn tell(&self, key: u64, excluded: u64) {
        for slot in self.near(key) {
            let there = slot
                .key
                .compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire)
                .unwrap_or_else(|there| there);
            if there == 0 || there == key {
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
    fn what_is_told_is_heard_by_all() {
        let boards = Blackboards::new(1 << 20);
        let board = boards.of("cram");
        board.tell(7, 1);
        assert_eq!(board.excluded(7), 0, "nobody listens yet");
        board.open();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let board = boards.of("cram");
                scope.spawn(move || (1..=1000).for_each(|key| board.tell(key, 1 << thread)));
            }
        });
        let told = (1..=1000).filter(|&key| board.excluded(key) == 15).count();
        assert!(told > 990, "{told}");
        assert_eq!(boards.of("other").excluded(7), 0, "a board of its own");
    }

    /// With little room some is not told, and nothing is told of another component.
    #[test]
    fn a_full_board_tells_less_and_nothing_wrong() {
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
