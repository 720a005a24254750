//! The budget for computing values of components during a search. Values speed up the search, but
//! the search can do without them.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::limits::{Limits, Stop};

/// A budget for computing values. The work is measured by the number of polls, that is, checks
/// whether a limit was reached.
///
/// A search starts with a small budget, which grows with the number of positions searched. So the
/// computation of values takes at most about as much time as the rest of the search.
///
/// The values of the components of the question are computed until the budget is spent. The value
/// of any other component is computed only if the component has few moves. This computation may use
/// `MIN_POLLS` polls even if the budget is spent. The largest number of moves allowed adapts to the
/// successes and failures so far.
#[derive(Debug)]
pub(super) struct Budget {
    /// Number of polls (checks of the limits) that may still be used.
    polls: u64,
    /// Number of positions searched so far.
    searched: u64,
    /// Largest number of moves of a component whose value the search tries to compute.
    max_moves: u64,
}

/// Number of polls (checks of the limits) in the budget at the start of a search.
const START_POLLS: u64 = 80;

/// Number of searched positions for which one poll (one check of the limits) is added to the
/// budget.
const POSITIONS_PER_EARNED_POLL: u64 = 100;

/// Approximate number of positions that a search visits in the time between two polls of the limits
/// during a computation of values.
const POSITIONS_PER_POLL: u64 = 24;

/// The value of `max_moves` at the start of a search, and the least value to which it can fall.
const MOVE_LIMITS: [u64; 2] = [8, 3];

/// Number of polls (checks of the limits) that a component with at most `max_moves` moves may use,
/// even if the budget is spent.
const MIN_POLLS: u64 = 2;

impl Default for Budget {
    fn default() -> Self {
        Self {
            polls: START_POLLS,
            searched: 0,
            max_moves: MOVE_LIMITS[0],
        }
    }
}

impl Budget {
    /// Creates a budget that allows about as much time as a search of `positions` positions takes.
    pub(super) fn for_search(positions: u64) -> Self {
        Self {
            polls: positions / POSITIONS_PER_POLL,
            ..Self::default()
        }
    }

    /// Counts a searched position. Adds a poll (one check of the limits) to the budget after every
    /// [`POSITIONS_PER_EARNED_POLL`] positions.
    pub(super) fn earn(&mut self) {
        self.searched += 1;
        if self.searched.is_multiple_of(POSITIONS_PER_EARNED_POLL) {
            self.polls += 1;
        }
    }

    /// Returns the largest number of moves of a component whose value the search tries to compute.
    pub(super) fn max_moves(&self) -> u64 {
        self.max_moves
    }

    /// Runs `work`, which computes a value, within the budget and the limits. Returns `None` if the
    /// budget is spent, if a limit on positions or memory is reached, or if there is no value.
    ///
    /// # Errors
    /// Fails if the time is up, if the search is interrupted, or with the error of the rules.
    pub(super) fn spend<T>(
        &mut self,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        self.spend_up_to(self.polls, limits, work)
    }

    /// Runs `work`, which computes the value of a component with `moves` moves. If there are too
    /// many moves, returns only a value that is in a cache, or `None`.
    ///
    /// # Errors
    /// Fails like [`Budget::spend`].
    pub(super) fn value<T>(
        &mut self,
        moves: u64,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        if moves > self.max_moves {
            // With a budget of 0 polls, `work` fails at its first poll. A cached value is returned
            // before that poll.
            return self.spend_up_to(0, limits, work);
        }
        // If the component was too expensive, only components with fewer moves are tried from now
        // on. After a success with exactly `max_moves` moves, one more move is allowed.
        let value = self.spend_up_to(self.polls.max(MIN_POLLS), limits, work)?;
        if value.is_none() {
            self.max_moves = MOVE_LIMITS[1].max(moves.saturating_sub(1));
        } else if moves == self.max_moves && self.polls > 0 {
            self.max_moves += 1;
        }
        Ok(value)
    }

    fn spend_up_to<T>(
        &mut self,
        max_polls: u64,
        limits: &Limits<'_>,
        work: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        // Pass the budget to `work` as part of the limits, which stop it with `Stop::NoValue`. So
        // the code that computes values need not handle budgets.
        let spent = AtomicU64::new(0);
        let interrupted = || {
            let spent = spent.fetch_add(1, Ordering::Relaxed);
            limits
                .poll()
                .err()
                .or((spent >= max_polls).then_some(Stop::NoValue))
        };
        let result = work(&Limits {
            interrupted: &interrupted,
            ..*limits
        });
        self.polls = self.polls.saturating_sub(spent.into_inner());
        // If a limit on memory or positions is reached, the search continues without the value.
        match result {
            Ok(value) => Ok(Some(value)),
            Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
            Err(_) => Ok(None),
        }
    }
}
