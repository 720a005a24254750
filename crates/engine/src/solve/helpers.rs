//! Helper threads for one question. They search the same position in other orders, and share what
//! they find out of components. The answer is that of the asking thread: the same with any number
//! of helpers.

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

/// How long a question may take before others look at it, too: most are answered by then.
const PATIENCE: Duration = Duration::from_millis(100);

/// Threads that look at one question, at most.
const MOST: usize = 64;

/// The part of the memory that is for what they tell one another.
const BOARDS: u64 = 16;

/// Stack of each of the others, which is what a main thread has.
const STACK: usize = 8 << 20;

/// When the others may begin, and when they have to end.
#[derive(Debug, Default)]
struct Signal {
    over: AtomicBool,
    lock: Mutex<()>,
    rung: Condvar,
}

impl Signal {
    /// Waits, and says whether the question is still open.
    fn wait(&self) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |(): &mut ()| !self.over.load(Ordering::Acquire);
        drop(self.rung.wait_timeout_while(guard, PATIENCE, open));
        !self.over.load(Ordering::Acquire)
    }
}

/// Ends the wait and the work of the others, also where the answer panics.
struct Ending<'a>(&'a Signal);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.over.store(true, Ordering::Release);
        drop(guard);
        self.0.rung.notify_all();
    }
}

impl Solver {
    /// Returns the number of threads for a question. Helpers are of use if Grundy values that
    /// components cannot have can be shared.
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

    /// Answers a question while helpers search it, too.
    pub(super) fn answer_with_helpers(
        &mut self,
        asked: &MethodInput<'_>,
        threads: usize,
    ) -> Result<Solution, Stop> {
        let boards = Arc::new(Blackboards::new(asked.limits.memory / BOARDS));
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
                // If the system has no more threads, fewer helpers do.
                let thread = thread::Builder::new().stack_size(STACK);
                if thread.spawn_scoped(scope, look).is_err() {
                    break;
                }
            }
            join(self, 0);
            // What is asked on the way is asked in the same company.
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

    /// Looks at what the one who was asked will look at, as far as there is time: the value, and
    /// who wins after each move. What comes of it has been told by then. The moves are looked at
    /// from the other end, by each of the others from another place.
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
