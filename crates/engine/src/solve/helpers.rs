//! Helper threads for one question.
//!
//! Helpers search the same position in other orders, and share the values that components cannot
//! have. The answer comes from the main thread, so it does not depend on the number of helpers.

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

/// Delay before helpers start. Most questions are answered by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// Largest number of threads for one question.
const MOST: usize = 64;

/// Divisor of [`Limits::memory`] that gives the memory for shared results.
const BOARDS: u64 = 16;

/// Stack size of a helper, which is that of a main thread.
const STACK: usize = 8 << 20;

/// A signal that the question is answered.
#[derive(Debug, Default)]
struct Signal {
    /// `true` once the main thread has its answer.
    over: AtomicBool,
    lock: Mutex<()>,
    /// The condition variable that wakes helpers which still wait.
    rung: Condvar,
}

impl Signal {
    /// Waits for the delay or the answer. Returns whether the question is still open.
    fn wait(&self) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |(): &mut ()| !self.over.load(Ordering::Acquire);
        drop(self.rung.wait_timeout_while(guard, PATIENCE, open));
        !self.over.load(Ordering::Acquire)
    }
}

/// A guard that stops the helpers when it is dropped, even if the main thread panics.
struct Ending<'a>(&'a Signal);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        // Hold the lock while storing. A helper that has checked `over` and is about to wait would
        // otherwise miss the notification.
        let guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.over.store(true, Ordering::Release);
        drop(guard);
        self.0.rung.notify_all();
    }
}

impl Solver {
    /// Returns the number of threads for a question. Helpers are useful only if components can
    /// share the Grundy values that they cannot have.
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

    /// Answers a question with `threads - 1` helpers.
    pub(super) fn answer_with_helpers(
        &mut self,
        asked: &MethodInput<'_>,
        threads: usize,
    ) -> Result<Solution, Stop> {
        let boards = Arc::new(Blackboards::new(asked.limits.memory / BOARDS));
        // The limit is for the whole process, and each thread has its own engine.
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
            // The guard is dropped before the scope joins the helpers, so they always end.
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
                // If the system has no more threads, the answer comes from fewer helpers.
                let thread = thread::Builder::new().stack_size(STACK);
                if thread.spawn_scoped(scope, look).is_err() {
                    break;
                }
            }
            join(self, 0);
            // The main thread solves further questions on the way. Those must not start helpers
            // again.
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

    /// Solves in advance what the main thread will solve: the value, and the outcome after each
    /// move.
    ///
    /// The results reach the main thread through the shared boards. Helpers go through the moves in
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
        // Listing moves is the job of the main thread, so ask for the value at most.
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
