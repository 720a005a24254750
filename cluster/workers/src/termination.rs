//! The state that all threads of a process share: whether the computation of all processes has
//! ended, and why.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_base::{Diagnostic, Kind, message};

/// The reason why the computation has ended, if it has. The first thread that finds a reason
/// records it, and all other threads end, too.
#[derive(Debug, Default)]
pub(crate) struct Termination {
    over: AtomicBool,
    why: Mutex<Option<Diagnostic>>,
    /// `true` once no worker of this process waits for messages any more.
    released: AtomicBool,
    /// Number of workers of this process that have not finished yet.
    working: AtomicUsize,
}

impl Termination {
    /// Ends the computation with a reason. If there are several reasons, the first is kept.
    pub(crate) fn end(&self, why: Diagnostic) {
        let mut known = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        // The reason is written before the flag is set, so that a thread that reads the flag finds
        // a reason. The flag exists because a worker checks it in every round, which would be slow
        // with a lock.
        known.get_or_insert(why);
        self.over.store(true, Ordering::Release);
    }

    /// Records that a process was lost. `reason` is the reason that the process sent, if any.
    pub(crate) fn lost(&self, process: usize, reason: Option<&str>) {
        let message = if let Some(why) = reason {
            message!("process {process} stopped: {why}", process, why)
        } else {
            message!("the connection to process {process} was lost", process)
        };
        self.end(Diagnostic::new(Kind::Lost, message).help(message!("restart all processes")));
    }

    /// Returns the recorded reason as an error if the computation has ended.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if !self.over.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone().map_or(Ok(()), Err)
    }

    /// Records the number of workers of this process when they start.
    pub(crate) fn begin(&self, workers: usize) {
        self.working.store(workers, Ordering::Release);
    }

    /// Records that a worker has finished. A worker can finish only after every worker of every
    /// process has sent its last message.
    pub(crate) fn record_finished(&self) {
        self.working.fetch_sub(1, Ordering::AcqRel);
    }

    /// Returns whether all workers of this process have finished. Only then does the process send a
    /// farewell when it closes a connection.
    pub(crate) fn have_all_finished(&self) -> bool {
        self.working.load(Ordering::Acquire) == 0
    }

    /// Records that no worker of this process waits for messages any more.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
    }

    pub(crate) fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }
}
