//! The budget of a search for values that the answer can do without.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::limits::{Limits, Stop};

/// A budget of work on values, counted in polls of the limits.
///
/// A search starts with a small budget and earns more as it searches positions. So values never
/// cost much more than the search without them.
///
/// Components of the question are valued as long as the budget lasts. Components that come up in
/// the search are valued if they have few moves. The limit on their moves adapts to which
/// components could be valued so far.
#[derive(Debug)]
pub(super) struct Budget {
    /// Number of polls left.
    left: u64,
    /// Number of positions searched so far.
    worked: u64,
    /// Largest number of moves of a component that the search tries to value.
    reach: u64,
}

/// Number of polls at the start.
const START: u64 = 80;

/// Number of positions that earn one poll.
const EARNED_BY: u64 = 100;

/// Number of positions that take as long to search as the work between two polls.
const WORTH: u64 = 24;

/// The number of moves at the start, and the least that it can fall to.
const REACH: [u64; 2] = [8, 3];

/// Number of polls that a small component may take even if the budget is spent.
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
    /// Creates a budget that corresponds to the work of searching `positions` positions.
    pub(super) fn for_search(positions: u64) -> Self {
        Self {
            left: positions / WORTH,
            ..Self::default()
        }
    }

    /// Records that a position was searched.
    pub(super) fn earn(&mut self) {
        self.worked += 1;
        if self.worked.is_multiple_of(EARNED_BY) {
            self.left += 1;
        }
    }

    /// Returns the largest number of moves of a component that should be valued.
    pub(super) fn reach(&self) -> u64 {
        self.reach
    }

    /// Does some work within the budget and the limits. Returns `None` if the budget is spent or
    /// there is no value.
    ///
    /// # Errors
    /// Fails if the time is up, if the search is interrupted, or with the error of the rules.
    pub(super) fn spend<T>(
        &mut self,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        self.spend_up_to(self.left, limits, work)
    }

    /// Values a component with `moves` moves. If there are too many, only cached values count.
    ///
    /// # Errors
    /// Fails like [`Budget::spend`].
    pub(super) fn value<T>(
        &mut self,
        moves: u64,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        if moves > self.reach {
            // A budget of 0 ends the work at its first poll, which a cached value does not reach.
            return self.spend_up_to(0, limits, work);
        }
        // After a component that was too expensive, only smaller ones are tried. Each success at
        // the limit raises it by one.
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
        // The work runs under the same limits with one more reason to stop, so no theory needs to
        // know about budgets.
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
        // Memory or position limits end the attempt, not the question: the search can do without
        // the value.
        match result {
            Ok(value) => Ok(Some(value)),
            Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
            Err(_) => Ok(None),
        }
    }
}
