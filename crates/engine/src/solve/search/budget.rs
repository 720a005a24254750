//! The budget for computing values during a search. The search can do without these values.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::limits::{Limits, Stop};

/// A budget of work on values, in polls of the limits.
///
/// A search starts with a small budget, and the budget grows with each position searched. So the
/// values never cost much more than the search without them.
///
/// The values of the components of the question are computed while the budget lasts. Components
/// that occur during the search are valued if they have few moves. The largest number of moves
/// allowed adapts to the successes and failures so far.
#[derive(Debug)]
pub(super) struct Budget {
    /// Number of polls of the limits that may still be used.
    left: u64,
    /// Number of positions searched so far.
    worked: u64,
    /// Largest number of moves of a component whose value the search tries to compute.
    reach: u64,
}

/// Number of polls in the budget at the start of a search.
const START: u64 = 80;

/// Number of positions searched for which the budget gets one more poll.
const EARNED_BY: u64 = 100;

/// Number of positions whose search takes as long as the work between two polls.
const WORTH: u64 = 24;

/// The limit `reach` on the moves of a component: its value at the start, and its least value.
const REACH: [u64; 2] = [8, 3];

/// Number of polls that a component within `reach` may use even if the budget is spent.
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
    /// Creates a budget for as much work as a search of `positions` positions.
    pub(super) fn for_search(positions: u64) -> Self {
        Self {
            left: positions / WORTH,
            ..Self::default()
        }
    }

    /// Records that a position was searched, which may add a poll to the budget.
    pub(super) fn earn(&mut self) {
        self.worked += 1;
        if self.worked.is_multiple_of(EARNED_BY) {
            self.left += 1;
        }
    }

    /// Returns the largest number of moves of a component whose value should be computed.
    pub(super) fn reach(&self) -> u64 {
        self.reach
    }

    /// Runs `work` within the budget and the limits. Returns `None` if the budget is spent or if
    /// the work finds no value.
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

    /// Runs `work`, which computes the value of a component with `moves` moves. If these are too
    /// many, the result is a cached value or `None`.
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
            // With a budget of 0, `work` ends at its first poll. A cached value is returned before
            // that poll.
            return self.spend_up_to(0, limits, work);
        }
        // After a component that was too expensive, only components with fewer moves are tried. A
        // success with the largest number allowed raises this number by one.
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
        // `work` gets the same limits with one more reason to stop, so the theories of values need
        // not know about budgets.
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
        // A limit on memory or positions ends only this attempt, since the search can do without
        // the value.
        match result {
            Ok(value) => Ok(Some(value)),
            Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
            Err(_) => Ok(None),
        }
    }
}
