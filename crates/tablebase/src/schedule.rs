//! The schedule of checkpoints while a table is written.

use std::cell::Cell;
use std::time::{Duration, Instant};

use grundy_base::Diagnostic;

/// The interval between checkpoints, and the choice whether an earlier run is resumed.
#[derive(Debug)]
pub struct CheckpointSchedule {
    resume: bool,
    every: Cell<Duration>,
    last: Cell<Instant>,
}

impl CheckpointSchedule {
    /// Creates a schedule. The time between two checkpoints is at least `every`, and at least ten
    /// times as long as the last checkpoint took. If `every` is zero, each call of [`Self::if_due`]
    /// writes a checkpoint.
    #[must_use]
    pub fn new(every: Duration, resume: bool) -> Self {
        Self {
            resume,
            every: Cell::new(every),
            last: Cell::new(Instant::now()),
        }
    }

    /// Runs `put`, which writes a checkpoint, if the interval has passed. Returns whether it ran.
    ///
    /// # Errors
    /// An error of `put`.
    pub fn if_due(&self, put: impl FnOnce() -> Result<(), Diagnostic>) -> Result<bool, Diagnostic> {
        let every = self.every.get();
        if self.last.get().elapsed() < every {
            return Ok(false);
        }
        let begun = Instant::now();
        put()?;
        // With an interval of 0, a checkpoint is written at every opportunity. Tests use this.
        if !every.is_zero() {
            self.every.set(every.max(10 * begun.elapsed()));
        }
        self.last.set(Instant::now());
        Ok(true)
    }

    /// Returns whether the user wants to resume an earlier run, if an interrupted one exists.
    #[must_use]
    pub fn resumes(&self) -> bool {
        self.resume
    }
}
