//! Helper threads for one question.
//!
//! Helpers search the same position as the main thread, but visit the moves in other orders. All
//! threads share the sets of values that they have excluded for a component. The answer comes from
//! the main thread, so it does not depend on the number of helpers.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::method::MethodInput;
use super::{Detail, Solution, Solver};
use crate::position::Position;
use crate::values::exclusions::ExclusionTables;
use grundy_base::limits::{Halt, Limits, Stop};
use grundy_base::outcome::Play;

/// Time before the helpers start. Most questions are answered sooner.
const START_DELAY: Duration = Duration::from_millis(100);

/// Largest number of threads for one question.
const MAX_THREADS: usize = 64;

/// [`Limits::memory`] divided by this number is the memory for results that the threads share.
const SHARED_MEMORY_DIVISOR: u64 = 16;

/// Stack size of a helper in bytes, which is the usual size for a main thread.
const STACK_BYTES: usize = 8 << 20;

/// The signal from the main thread to the helpers that the question is answered.
#[derive(Debug, Default)]
struct Signal {
    /// `true` once the main thread has its answer.
    answered: AtomicBool,
    lock: Mutex<()>,
    /// The condition variable on which the helpers wait for their start. It is notified when the
    /// question is answered.
    wake: Condvar,
}

impl Signal {
    /// Waits until the question is answered, but at most for [`START_DELAY`]. Returns `true` if the
    /// question has not been answered.
    fn wait(&self) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |(): &mut ()| !self.answered.load(Ordering::Acquire);
        drop(self.wake.wait_timeout_while(guard, START_DELAY, open));
        !self.answered.load(Ordering::Acquire)
    }
}

/// A guard that stops the helpers when it is dropped. It is also dropped if the main thread panics.
struct StopGuard<'a>(&'a Signal);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        // Hold the lock while storing `answered`. Otherwise a helper that has just read `answered`
        // and begins to wait would miss the notification.
        let guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.answered.store(true, Ordering::Release);
        drop(guard);
        self.0.wake.notify_all();
    }
}

impl Solver {
    /// Returns the number of threads to use for a question. Helpers are useful only for packed
    /// components of an impartial game in normal play. Only for these components do the threads
    /// share excluded values.
    pub(super) fn threads_for(&self, question: &MethodInput<'_>) -> usize {
        let has_packed_term = || {
            question
                .position
                .terms()
                .iter()
                .any(|term| term.packed().is_some())
        };
        let useful = question.play == Play::Normal
            && question.position.nature().is_impartial()
            && has_packed_term();
        let threads = self.threads.filter(|_| useful);
        threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS)
    }

    /// Answers a question on the current thread, with the help of `threads - 1` helper threads.
    pub(super) fn answer_with_helpers(
        &mut self,
        question: &MethodInput<'_>,
        threads: usize,
    ) -> Result<Solution, Stop> {
        let exclusions = Arc::new(ExclusionTables::new(
            question.limits.memory / SHARED_MEMORY_DIVISOR,
        ));
        // The limit on memory is for all threads together. Each thread has a separate engine.
        let limits = Limits {
            memory: (question.limits.memory - question.limits.memory / SHARED_MEMORY_DIVISOR)
                / threads as u64,
            ..*question.limits
        };
        let signal = Signal::default();
        let join = |solver: &mut Self, order| {
            let shared = Some((Arc::clone(&exclusions), order));
            solver.grundy_values().theory.join(shared);
        };
        thread::scope(|scope| {
            // The guard is dropped before the scope waits for the helpers, so the helpers always
            // terminate.
            let _guard = StopGuard(&signal);
            for order in 1..threads {
                let (join, signal) = (&join, &signal);
                let help = move || {
                    if signal.wait() {
                        let mut other = Self::default();
                        join(&mut other, order as u64);
                        other.search_ahead(question, &limits, signal, [order - 1, threads - 1]);
                    }
                };
                // If the system cannot start another thread, fewer helpers are used.
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                if thread.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            join(self, 0);
            // To answer this question, the main thread may solve other ones. These must not start
            // helpers.
            let threads_setting = self.threads.take();
            let answer = self.answer_alone(&MethodInput {
                limits: &limits,
                ..*question
            });
            self.threads = threads_setting;
            self.grundy_values().theory.join(None);
            answer
        })
    }

    /// Computes in advance the results that the main thread needs: the value of the position and,
    /// if moves are wanted, the outcome after each move. The main thread finds them sooner, since
    /// all threads share the sets of excluded values.
    ///
    /// `order` is the index of this helper thread, and `helpers` is the number of helper threads.
    /// Helpers visit the moves in reverse order, and each helper starts at a different move.
    fn search_ahead(
        &mut self,
        question: &MethodInput<'_>,
        limits: &Limits<'_>,
        signal: &Signal,
        [order, helpers]: [usize; 2],
    ) {
        let answered = || {
            let answered = signal.answered.load(Ordering::Acquire);
            answered.then_some(Stop::Interrupted)
        };
        let limits = Limits {
            interrupted: &answered,
            ..*limits
        };
        // Only the main thread makes the list of winning moves, so compute at most the value here.
        let value = question.wanted.min(Detail::Value);
        if self
            .answer(question.position, question.play, value, &limits)
            .is_err()
            || question.wanted < Detail::Moves
        {
            return;
        }
        let mut options: Vec<Position> = Vec::new();
        let player = question.position.first_player();
        let _ = question.position.moves(player, &mut |_, _, to| {
            options.push(to());
            if options.len() < Self::MOVES_LISTED {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Halt::Enough)
            }
        });
        options.reverse();
        let (before, after) = options.split_at(order * options.len() / helpers);
        for position in after.iter().chain(before) {
            if self.outcome(position, question.play, &limits).is_err() {
                return;
            }
        }
    }
}
