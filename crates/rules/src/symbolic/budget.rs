//! The budget of a proof: its number of steps, and the limits of the job.

use grundy_core::{Limits, Stop};

use super::{Decided, Undecided};

/// Largest number of steps of a proof.
const MAX_STEPS: usize = 1_000_000;

/// Number of steps between two checks of the limits.
const POLL_INTERVAL: usize = 4096;

/// The steps that a proof may still take. A proof without further steps is [`Undecided`].
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    left: usize,
    /// The number of steps that are left at the next check of the limits.
    next_poll: usize,
    limits: &'a Limits<'a>,
    stop: Option<Stop>,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &'a Limits<'a>) -> Self {
        Self {
            left: MAX_STEPS,
            next_poll: MAX_STEPS,
            limits,
            stop: None,
        }
    }

    /// Takes `steps` steps.
    pub(crate) fn charge(&mut self, steps: usize) -> Decided<()> {
        self.left = self.left.checked_sub(steps).ok_or(Undecided)?;
        if self.left <= self.next_poll {
            self.next_poll = self.left.saturating_sub(POLL_INTERVAL);
            if let Err(stop) = self.limits.poll() {
                self.stop = Some(stop);
                return Err(Undecided);
            }
        }
        Ok(())
    }

    /// Returns the limit that stopped the proof, if there is one.
    pub(crate) fn into_stop(self) -> Option<Stop> {
        self.stop
    }
}
