//! The state shared by all threads of a process about the other processes: whether the computation
//! has ended, and why.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_base::{Diagnostic, Kind, message};

/// The reason why the computation of all workers has ended, if it has. The first thread that finds
/// a reason records it, and the others follow.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    over: AtomicBool,
    why: Mutex<Option<Diagnostic>>,
    /// Set when no worker of this process waits for messages any more.
    released: AtomicBool,
    /// Number of workers of this process that have not finished.
    working: AtomicUsize,
}

impl Losses {
    /// Ends the computation. Only the first reason is kept.
    pub(crate) fn end(&self, why: Diagnostic) {
        let mut known = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        // The reason is written before the flag, so that whoever sees the flag finds a reason. The
        // flag spares workers the lock in every round.
        known.get_or_insert(why);
        self.over.store(true, Ordering::Release);
    }

    /// Records that a process was lost, with the reason that it sent, if any.
    pub(crate) fn lost(&self, process: usize, said: Option<&str>) {
        let message = if let Some(why) = said {
            message!("process {process} stopped: {why}", process, why)
        } else {
            message!("process {process} was lost", process)
        };
        self.end(Diagnostic::new(Kind::Lost, message).help(message!("start all processes again")));
    }

    /// Fails with the recorded reason if the computation has ended.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if !self.over.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone().map_or(Ok(()), Err)
    }

    /// Sets the number of workers that have started.
    pub(crate) fn begin(&self, workers: usize) {
        self.working.store(workers, Ordering::Release);
    }

    /// Records that a worker has finished together with all others.
    pub(crate) fn leave(&self) {
        self.working.fetch_sub(1, Ordering::AcqRel);
    }

    /// Returns whether all workers of this process have finished. Otherwise the process sends no
    /// farewell when it closes a connection.
    pub(crate) fn is_at_peace(&self) -> bool {
        self.working.load(Ordering::Acquire) == 0
    }

    /// Records that no worker is left to read what arrives.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
    }

    pub(crate) fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }
}
