//! When long writing is put on the disk, so that it can be gone on with.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Times at which what has been written is put on the disk, and what a run does with what an earlier one has left.
#[derive(Debug)]
pub struct Pauses {
    /// Whether what an earlier run has left is gone on from.
    pub resume: bool,
    every: Cell<Duration>,
    last: Cell<Instant>,
}

impl Pauses {
    /// So much time lies between two at least, and nine times as much as a pause takes.
    #[must_use]
    pub fn new(every: Duration, resume: bool) -> Self {
        Self {
            resume,
            every: Cell::new(every),
            last: Cell::new(Instant::now()),
        }
    }

    /// Whether it is time.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.last.get().elapsed() >= self.every.get()
    }

    /// The present time, for [`Pauses::taken`].
    #[must_use]
    pub fn now(&self) -> Instant {
        Instant::now()
    }

    /// What was written since the last pause is on the disk; putting it there began then.
    pub fn taken(&self, begun: Instant) {
        if !self.every.get().is_zero() {
            self.every.set(self.every.get().max(10 * begun.elapsed()));
        }
        self.last.set(Instant::now());
    }
}
