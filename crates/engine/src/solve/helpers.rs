//! Helper threads for one question.
//!
//! Helpers search the same position in other orders. They share with the main thread which values
//! components cannot have. The answer comes from the main thread, so it does not depend on the
//! number of helpers.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::method::MethodInput;
use super::{Solution, Solver, Wanted};
use crate::position::Position;
use crate::values::blackboard::Blackboards;
use grundy_base::limits::{Halt, Limits, Stop};
use grundy_base::outcome::Play;

/// Time before the helpers start. Most questions are answered by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// Largest number of threads for one question.
const MOST: usize = 64;

/// [`Limits::memory`] divided by this number is the memory for results that the threads share.
const BOARDS: u64 = 16;

/// Stack size of a helper in bytes, which is the usual size for a main thread.
const STACK: usize = 8 << 20;

/// A signal that the question is answered.
#[derive(Debug, Default)]
struct Signal {
    /// `true` once the main thread has its answer.
    over: AtomicBool,
    lock: Mutex<()>,
    /// The condition variable that wakes the helpers waiting for their start.
    rung: Condvar,
}

impl Signal {
    /// Waits until the delay is over or the question is answered. Returns whether the question is
    /// still open.
    fn wait(&self) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |(): &mut ()| !self.over.load(Ordering::Acquire);
        drop(self.rung.wait_timeout_while(guard, PATIENCE, open));
        !self.over.load(Ordering::Acquire)
    }
}

/// A guard that stops the helpers when it is dropped, which also happens if the main thread panics.
struct Ending<'a>(&'a Signal);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        // Hold the lock while storing `over`. Otherwise a helper that has read `over` and is about
        // to wait would miss the notification.
        let guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.over.store(true, Ordering::Release);
        drop(guard);
        self.0.rung.notify_all();
    }
}

impl Solver {
    /// Returns the number of threads to use for a question. Helpers are useful only if they can
    /// share which Grundy values components cannot have.
    pub(super) fn threads_for(&self, asked: &MethodInput<'_>) -> usize {
        let told = || {
            asked
                .position
                .terms()
                .iter()
                .any(|term| term.packed().is_some())
        };
        let useful = asked.play == Play::Normal && asked.position.nature().is_impartial() && told();
        let threads = self.threads.filter(|_| useful);
        threads.map_or(1, NonZeroUsize::get).min(MOST)
    }

    /// Answers a question on this thread, with `threads - 1` helpers.
    pub(super) fn answer_with_helpers(
        &mut self,
        asked: &MethodInput<'_>,
        threads: usize,
    ) -> Result<Solution, Stop> {
        let boards = Arc::new(Blackboards::new(asked.limits.memory / BOARDS));
        // The limit on memory is for all threads together, and each thread has a separate engine.
        let limits = Limits {
            memory: (asked.limits.memory - asked.limits.memory / BOARDS) / threads as u64,
            ..*asked.limits
        };
        let signal = Signal::default();
        let join = |solver: &mut Self, order| {
            let shared = Some((Arc::clone(&boards), order));
            solver.grundy_values().theory.join(shared);
        };
        thread::scope(|scope| {
            // The guard is dropped before the scope waits for the helpers, so the helpers always
            // end.
            let _ending = Ending(&signal);
            for order in 1..threads {
                let (join, signal) = (&join, &signal);
                let look = move || {
                    if signal.wait() {
                        let mut other = Self::default();
                        join(&mut other, order as u64);
                        other.look_ahead(asked, &limits, signal, [order - 1, threads - 1]);
                    }
                };
                // If the system cannot start another thread, fewer helpers are used.
                let thread = thread::Builder::new().stack_size(STACK);
                if thread.spawn_scoped(scope, look).is_err() {
                    break;
                }
            }
            join(self, 0);
            // The main thread solves further questions in the course of this one. These must not
            // start helpers.
            let asking = self.threads.take();
            let answer = self.answer_alone(&MethodInput {
                limits: &limits,
                ..*asked
            });
            self.threads = asking;
            self.grundy_values().theory.join(None);
            answer
        })
    }

    /// Computes in advance what the main thread will need: the value of the position, and the
    /// outcome after each move.
    ///
    /// The main thread receives the results through the shared boards. Helpers visit the moves in
    /// reverse order, and each starts at a different move.
    fn look_ahead(
        &mut self,
        asked: &MethodInput<'_>,
        limits: &Limits<'_>,
        signal: &Signal,
        [order, others]: [usize; 2],
    ) {
        let over = || {
            let over = signal.over.load(Ordering::Acquire);
            over.then_some(Stop::Interrupted)
        };
        let limits = Limits {
            interrupted: &over,
            ..*limits
        };
        // Only the main thread needs the list of winning moves, so ask at most for the value.
        let value = asked.wanted.min(Wanted::Value);
        if self
            .answer(asked.position, asked.play, value, &limits)
            .is_err()
            || asked.wanted < Wanted::Moves
        {
            return;
        }
        let mut left: Vec<Position> = Vec::new();
        let player = asked.position.first_player();
        let _ = asked.position.moves(player, &mut |_, _, to| {
            left.push(to());
            if left.len() < Self::MOVES_LISTED {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Halt::Enough)
            }
        });
        left.reverse();
        let (before, after) = left.split_at(order * left.len() / others);
        for position in after.iter().chain(before) {
            if self.outcome(position, asked.play, &limits).is_err() {
                return;
            }
        }
    }
}
