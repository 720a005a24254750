//! How much work may go into values that an answer can do without.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::limits::{Limits, Stop};

/// Work is counted in looks at the limits, which the search for values takes every so many steps. A
/// search may begin with some of it, and earns more by its own work: so values never cost much more
/// than the search would without them.
///
/// What the question itself is about is valued as far as that goes. What comes up in the search is
/// valued where it has few moves: how many these are shows in what could be valued so far.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    /// Positions searched since something was last earned.
    worked: u64,
    /// Most moves of what is valued in the search.
    reach: u64,
}

/// To begin with.
const START: u64 = 80;

/// Positions searched for one look more.
const EARNED_BY: u64 = 100;

/// Positions that take as long to search as one look does.
const WORTH: u64 = 24;

/// Moves to begin with, and how many there always may be.
const REACH: [u64; 2] = [8, 3];

/// Looks that a small component may take, even where none is left.
const SMALL: u64 = 2;

impl Default for Budget {
    fn default() -> Self {
        Self {
            left: START,
            worked: 0,
            reach: REACH[0],
        }
    }
}

impl Budget {
    /// As much work as so many positions take to search.
    pub(super) fn for_search(positions: u64) -> Self {
        Self {
            left: positions / WORTH,
            ..Self::default()
        }
    }

    /// A position was searched.
    pub(super) fn earn(&mut self) {
        self.worked += 1;
        if self.worked.is_multiple_of(EARNED_BY) {
            self.left += 1;
        }
    }

    /// Most moves of what is worth a try to value it.
    pub(super) fn reach(&self) -> u64 {
        self.reach
    }

    /// Does some work within the budget and the limits; nothing where the budget or what is to be
    /// had for it does not suffice.
    ///
    /// # Errors
    /// The clock, an interruption, or rules that have no answer.
    pub(super) fn spend<T>(
        &mut self,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        self.spend_up_to(self.left, limits, work)
    }

    /// Values something that has so many moves, if these are not too many; else only what is known
    /// of it already counts.
    ///
    /// # Errors
    /// As [`Budget::spend`].
    pub(super) fn value<T>(
        &mut self,
        moves: u64,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        if moves > self.reach {
            return self.spend_up_to(0, limits, work);
        }
        let value = self.spend_up_to(self.left.max(SMALL), limits, work)?;
        if value.is_none() {
            self.reach = REACH[1].max(moves.saturating_sub(1));
        } else if moves == self.reach && self.left > 0 {
            self.reach += 1;
        }
        Ok(value)
    }

    fn spend_up_to<T>(
        &mut self,
        most: u64,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let spent = AtomicU64::new(0);
        let interrupted = || {
            let spent = spent.fetch_add(1, Ordering::Relaxed);
            limits
                .poll()
                .err()
                .or((spent >= most).then_some(Stop::NoValue))
        };
        let result = work(&Limits {
            interrupted: &interrupted,
            ..*limits
        });
        self.left = self.left.saturating_sub(spent.into_inner());
        match result {
            Ok(value) => Ok(Some(value)),
            Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
            Err(_) => Ok(None),
        }
    }
}
