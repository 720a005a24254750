//! One run of the program: its limits, its clock and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grundy::{Limits, Stop};

use crate::arguments::Common;

/// What a run may use and whether it was asked to end.
pub(crate) struct Session {
    positions: u64,
    memory: u64,
    interrupted: Arc<AtomicBool>,
    stop: Box<dyn Fn() -> Option<Stop> + Sync>,
}

impl Session {
    pub(crate) fn new(common: &Common) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C ends the program at once, which is no worse than an error here.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        let flag = Arc::clone(&interrupted);
        let deadline = common.timeout.and_then(|seconds| {
            Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)
        });
        let stop = move || {
            if flag.load(Ordering::Relaxed) {
                Some(Stop::Interrupted)
            } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Some(Stop::Time)
            } else {
                None
            }
        };
        Self {
            positions: common.max_positions,
            memory: common.max_memory.saturating_mul(1 << 20),
            interrupted,
            stop: Box::new(stop),
        }
    }

    /// The limits to pass to the library.
    pub(crate) fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
        }
    }

    /// The limits for long rows of values that say themselves how many there are to be: memory, time and Ctrl-C.
    pub(crate) fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
