//! What is known of the other processes: whether they are there, and why not.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_base::{Diagnostic, Kind, message};

/// Why the work of all workers is over, if it is. Whoever finds something out first says it; the
/// rest follow.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    over: AtomicBool,
    why: Mutex<Option<Diagnostic>>,
    /// Set when no worker of this process asks for anything any more.
    released: AtomicBool,
    /// Workers of this process that have not come to the end of their work.
    working: AtomicUsize,
}

impl Losses {
    /// Ends the work; the first reason stands.
    pub(crate) fn end(&self, why: Diagnostic) {
        let mut known = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert(why);
        self.over.store(true, Ordering::Release);
    }

    /// A process is no longer there, for a reason that it told itself if it did.
    pub(crate) fn lost(&self, process: usize, said: Option<&str>) {
        let message = if let Some(why) = said {
            message!("process {process} stopped: {why}", process, why)
        } else {
            message!("process {process} was lost", process)
        };
        self.end(Diagnostic::new(Kind::Lost, message).help(message!("start all processes again")));
    }

    /// The error that ends the work, if it is over.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if !self.over.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone().map_or(Ok(()), Err)
    }

    /// So many workers begin.
    pub(crate) fn begin(&self, workers: usize) {
        self.working.store(workers, Ordering::Release);
    }

    /// A worker has come to the end of its work, with all others.
    pub(crate) fn leave(&self) {
        self.working.fetch_sub(1, Ordering::AcqRel);
    }

    /// Returns whether all workers of this process have come to the end of their work: whoever goes
    /// otherwise says no farewell.
    pub(crate) fn is_at_peace(&self) -> bool {
        self.working.load(Ordering::Acquire) == 0
    }

    /// No worker is left that would read what arrives.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
    }

    pub(crate) fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }
}
