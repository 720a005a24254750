//! When long writing is put on the disk, so that it can be gone on with.

use std::cell::Cell;
use std::time::{Duration, Instant};

use grundy_base::Diagnostic;

/// Times at which what has been written is put on the disk, and what a run does with what an earlier one has left.
#[derive(Debug)]
pub struct Pauses {
    resume: bool,
    every: Cell<Duration>,
    last: Cell<Instant>,
}

impl Pauses {
    /// So much time lies between two at least, and ten times as much as a pause takes.
    #[must_use]
    pub fn new(every: Duration, resume: bool) -> Self {
        Self {
            resume,
            every: Cell::new(every),
            last: Cell::new(Instant::now()),
        }
    }

    /// Has `put` put on the disk what was written, and say so beside, if it is time; whether it was.
    ///
    /// # Errors
    /// Those of `put`.
    pub fn if_due(&self, put: impl FnOnce() -> Result<(), Diagnostic>) -> Result<bool, Diagnostic> {
        let every = self.every.get();
        if self.last.get().elapsed() < every {
            return Ok(false);
        }
        let begun = Instant::now();
        put()?;
        if !every.is_zero() {
            self.every.set(every.max(10 * begun.elapsed()));
        }
        self.last.set(Instant::now());
        Ok(true)
    }

    /// Whether what an earlier run has left is gone on from.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.resume
    }
}
