//! The schedule of the checkpoints of a long write.

use std::cell::Cell;
use std::time::{Duration, Instant};

use grundy_base::Diagnostic;

/// The interval between checkpoints, and the choice to resume an earlier run.
#[derive(Debug)]
pub struct Pauses {
    resume: bool,
    every: Cell<Duration>,
    last: Cell<Instant>,
}

impl Pauses {
    /// Creates a schedule. Checkpoints are at least `every` apart, and ten times as long as the
    /// last one took.
    #[must_use]
    pub fn new(every: Duration, resume: bool) -> Self {
        Self {
            resume,
            every: Cell::new(every),
            last: Cell::new(Instant::now()),
        }
    }

    /// Runs `put` if the checkpoint interval has passed. Returns whether it ran.
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
        // An interval of 0 asks for a checkpoint at every opportunity, as tests do.
        if !every.is_zero() {
            self.every.set(every.max(10 * begun.elapsed()));
        }
        self.last.set(Instant::now());
        Ok(true)
    }

    /// Returns whether the run resumes an earlier one.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.resume
    }
}
