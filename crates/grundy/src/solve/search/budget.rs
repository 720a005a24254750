//! How much work may go into values that an answer can do without.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::{Limits, Stop};

/// Work is counted in looks at the limits, which the search for values takes every so many steps. A search may begin with some of
/// it, and earns more by its own work: so values never cost much more than the search would without them.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    /// Positions searched since something was last earned.
    worked: u64,
}

/// To begin with.
const START: u64 = 40;

/// Positions searched for one look more.
const EARNED_BY: u64 = 24;

impl Default for Budget {
    fn default() -> Self {
        Self {
            left: START,
            worked: 0,
        }
    }
}

impl Budget {
    /// A position was searched.
    pub(super) fn earn(&mut self) {
        self.worked += 1;
        if self.worked.is_multiple_of(EARNED_BY) {
            self.left += 1;
        }
    }

    /// Does some work within the budget and the limits; nothing where the budget or what is to be had for it does not suffice.
    ///
    /// # Errors
    /// The clock, an interruption, or rules that have no answer.
    pub(super) fn spend<T>(
        &mut self,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let spent = AtomicU64::new(0);
        let left = self.left;
        let interrupted = || {
            let spent = spent.fetch_add(1, Ordering::Relaxed);
            limits
                .poll()
                .err()
                .or((spent >= left).then_some(Stop::NoValue))
        };
        let result = work(&Limits {
            interrupted: &interrupted,
            ..*limits
        });
        self.left = left.saturating_sub(spent.into_inner());
        match result {
            Ok(value) => Ok(Some(value)),
            Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
            Err(_) => Ok(None),
        }
    }
}
