//! What is known of the other processes: whether they are there, and why not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_base::{Diagnostic, Kind, message};

/// Why the work of all workers is over, if it is. Whoever finds something out first says it; the rest follow.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    over: AtomicBool,
    why: Mutex<Option<Diagnostic>>,
    /// Set when no worker of this process asks for anything any more.
    released: AtomicBool,
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

    /// No worker is left that would read what arrives.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
    }

    pub(crate) fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }
}
