//! Limits of computations, and their execution.

use std::any::Any;
use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use grundy_base::Limits;
use grundy_base::limits::Stop;

use crate::{Error, ErrorKind};

/// A solver of the engine, shared with the answers that it found.
pub(crate) type Engine = Arc<Mutex<grundy_core::Solver>>;

/// The progress of a computation, as the callback of [`Solver::progress`](crate::Solver::progress)
/// gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of positions that were visited so far.
    pub positions: u64,
    /// The time since the question was asked.
    pub elapsed: Duration,
}

/// A handle that cancels the questions of a [`Solver`](crate::Solver), for example from another
/// thread.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let mut solver = Solver::new();
/// let handle = solver.cancel_handle();
/// handle.cancel();
/// let board: Position = "cram(board(7, 7))".parse()?;
/// assert_eq!(solver.solve(&board).unwrap_err().kind(), ErrorKind::Cancelled);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelHandle(Arc<AtomicBool>);

impl CancelHandle {
    /// Cancels the current question of the solver, and all later ones until [`CancelHandle::reset`]
    /// is called. A question returns an error of kind [`ErrorKind::Cancelled`] after at most a few
    /// thousand steps, unless its answer needs no search.
    ///
    /// # Examples
    /// See [`CancelHandle`].
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows new questions after [`CancelHandle::cancel`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let mut solver = Solver::new();
    /// let handle = solver.cancel_handle();
    /// handle.cancel();
    /// handle.reset();
    /// assert!(solver.solve(&"cram(board(3, 5))".parse()?).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A callback for the progress of a computation.
type Callback = dyn Fn(Progress) + Send + Sync;

/// The limits of a solver.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory: u64,
    pub(crate) positions: u64,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) progress: Option<Arc<Callback>>,
    pub(crate) cancel: CancelHandle,
}

impl Default for Settings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            timeout: None,
            memory: limits.memory,
            positions: limits.positions,
            threads: None,
            progress: None,
            cancel: CancelHandle::default(),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("timeout", &self.timeout)
            .field("memory", &self.memory)
            .field("positions", &self.positions)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Least time between two calls of the callback for progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

impl Settings {
    /// Runs a computation within the limits. A panic of the computation becomes an error.
    ///
    /// The computation must leave no broken state behind if it panics.
    pub(crate) fn run<T>(
        &self,
        compute: impl FnOnce(&Limits<'_>) -> Result<T, Stop>,
    ) -> Result<T, Failure> {
        let begun = Instant::now();
        let deadline = self.timeout.and_then(|timeout| begun.checked_add(timeout));
        let visited = AtomicU64::new(0);
        let reported = Mutex::new(begun);
        let interrupted = || {
            if self.cancel.is_cancelled() {
                return Some(Stop::Interrupted);
            }
            if deadline.is_none() && self.progress.is_none() {
                return None;
            }
            let now = Instant::now();
            if let Some(callback) = &self.progress {
                let mut reported = lock(&reported);
                if now - *reported >= PROGRESS_INTERVAL {
                    *reported = now;
                    drop(reported);
                    callback(Progress {
                        positions: visited.load(Ordering::Relaxed),
                        elapsed: now - begun,
                    });
                }
            }
            deadline
                .is_some_and(|deadline| now >= deadline)
                .then_some(Stop::Time)
        };
        let limits = Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &interrupted,
            visited: Some(&visited),
        };
        match catch_unwind(AssertUnwindSafe(|| compute(&limits))) {
            Ok(result) => result.map_err(Failure::Stop),
            Err(panic) => Err(Failure::Panic(panic_text(&*panic))),
        }
    }
}

/// The reason why a computation has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    Stop(Stop),
    /// The computation panicked with this message.
    Panic(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stop(stop) => stop.into(),
            Failure::Panic(text) => {
                Self::new(ErrorKind::Internal, format!("internal error: {text}"))
            }
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

/// Locks a mutex. No computation leaves a broken state behind, so a poisoned lock is usable.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A lock, as a trait object.
trait Lock<T>: Send + Sync {
    fn guard(&self) -> MutexGuard<'_, T>;
}

impl<T: Send> Lock<T> for Mutex<T> {
    fn guard(&self) -> MutexGuard<'_, T> {
        lock(self)
    }
}

/// Data that several values share. Values are compared and hashed by the games that they stand for,
/// so the data do not affect the order of a collection. The trait object hides the lock from the
/// lint `clippy::mutable_key_type`, which would warn about every hash table of values.
pub(crate) struct Shared<T>(Arc<dyn Lock<T>>);

impl<T: Send + 'static> Shared<T> {
    pub(crate) fn new(data: T) -> Self {
        Self(Arc::new(Mutex::new(data)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.guard()
    }

    /// Returns whether both handles belong to the same data.
    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Default + Send + 'static> Default for Shared<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

/// Runs a computation with a solver of the engine. If it panics, the solver is replaced by an empty
/// one, since its caches may be broken.
pub(crate) fn run<T>(
    engine: &Engine,
    settings: &Settings,
    position: &grundy_core::Position,
    compute: impl FnOnce(&mut grundy_core::Solver, &Limits<'_>) -> Result<T, Stop>,
) -> Result<T, Error> {
    let mut solver = lock(engine);
    solver.set_threads(settings.threads);
    match settings.run(|limits| compute(&mut solver, limits)) {
        Ok(found) => Ok(found),
        Err(Failure::Panic(text)) => {
            *solver = grundy_core::Solver::default();
            let user_defined = position.terms().iter().find(|term| !term.known_to_end());
            Err(match user_defined {
                Some(term) => {
                    let message = format!("the rules of `{}` panicked: {text}", term.name());
                    Error::new(ErrorKind::Rules, message)
                }
                None => Failure::Panic(text).into(),
            })
        }
        Err(failure) => Err(failure.into()),
    }
}
