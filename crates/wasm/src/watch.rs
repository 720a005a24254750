//! Supervision of a job by the host, which provides the time, can stop the job, and receives
//! progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use grundy_analysis::{Job, Progress};
use grundy_wording::Audience;

use crate::Bounds;

/// The host's request to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The environment in which the module runs.
pub trait Host: Send + Sync {
    /// Returns the milliseconds since some fixed moment.
    ///
    /// # Errors
    /// The host asks the module to stop.
    fn time(&self) -> Result<f64, Stopped>;

    /// Receives a progress report, which is a JSON object `{"text", "done", "of"}`.
    fn report(&self, progress: &str);
}

/// Time that should pass between two calls to the host, in nanoseconds.
const CALL_INTERVAL: u64 = 500_000;

/// Largest number of limit checks between two calls to the host. With a larger number, a request to
/// stop would be noticed late if checks become slow.
const MAX_CHECKS: u32 = 32;

/// Time between two progress reports, in nanoseconds.
const REPORT_INTERVAL: u64 = 100_000_000;

/// The time of a job and its request to stop, as the host last reported them.
///
/// A job checks its limits far more often than the host needs to be called, and each call of the
/// host is expensive. The number of checks between two calls adapts to the time that a check takes.
pub(crate) struct Watch<H> {
    host: H,
    /// The time that the host returned last, in nanoseconds.
    time: AtomicU64,
    /// The number of limit checks until the next call to the host.
    checks_left: AtomicU32,
    /// The number of limit checks between two calls to the host.
    checks_per_call: AtomicU32,
    stopped: AtomicBool,
    /// The time at which the next progress report is due.
    next: AtomicU64,
}

impl<H: Host + 'static> Watch<H> {
    pub(crate) fn new(host: H) -> Self {
        let watch = Self {
            host,
            time: AtomicU64::new(0),
            checks_left: AtomicU32::new(0),
            checks_per_call: AtomicU32::new(1),
            stopped: AtomicBool::new(false),
            next: AtomicU64::new(0),
        };
        let begun = watch.call_host();
        watch.next.store(begun + REPORT_INTERVAL, Ordering::Relaxed);
        watch
    }

    /// Creates a job with the limits `bounds`. Its time and its cancellation come from this
    /// `Watch`, which calls the host.
    pub(crate) fn job(self: &Arc<Self>, bounds: Bounds, audience: Audience) -> Job {
        let (clock, stop) = (Arc::clone(self), Arc::clone(self));
        let time = move || Duration::from_nanos(clock.time());
        let job = Job::with_clock(bounds.positions, bounds.memory, time)
            .with_poll(Duration::ZERO, move || stop.stopped.load(Ordering::Relaxed));
        if !bounds.progress {
            return job;
        }
        let watch = Arc::clone(self);
        job.with_progress(move |progress| watch.report(progress, audience))
    }

    /// Returns the elapsed time in nanoseconds. Calls the host if `checks_left` is 0, and otherwise
    /// returns the time that the host returned last.
    fn time(&self) -> u64 {
        match self.checks_left.load(Ordering::Relaxed) {
            0 => self.call_host(),
            left => {
                self.checks_left.store(left - 1, Ordering::Relaxed);
                self.time.load(Ordering::Relaxed)
            }
        }
    }

    /// Calls the host. Then chooses the number of checks until the next call.
    fn call_host(&self) -> u64 {
        let before = self.time.load(Ordering::Relaxed);
        let Ok(milliseconds) = self.host.time() else {
            // The time is not changed. The flag stops the job, not its time limit.
            self.stopped.store(true, Ordering::Relaxed);
            return before;
        };
        // The clock of the host may go backwards. The time of a job must not, since differences of
        // it are computed.
        let now = before.max((milliseconds * 1e6) as u64);
        let checks = self.checks_per_call.load(Ordering::Relaxed);
        // The number of checks is halved or doubled. Hence a few calls suffice to approach the
        // target interval.
        let checks = match now - before {
            ..CALL_INTERVAL => (2 * checks).min(MAX_CHECKS),
            _ => (checks / 2).max(1),
        };
        self.checks_per_call.store(checks, Ordering::Relaxed);
        self.checks_left.store(checks - 1, Ordering::Relaxed);
        self.time.store(now, Ordering::Relaxed);
        now
    }

    fn report(&self, progress: &Progress, audience: Audience) {
        let now = self.call_host();
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + REPORT_INTERVAL, Ordering::Relaxed);
        let json = serde_json::to_string(&progress.view(audience));
        self.host.report(&json.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use grundy_core::Stop;

    use super::*;

    /// A host whose clock advances by a tenth of a second at each call. After some calls, it asks
    /// to stop.
    struct Slow {
        calls: Arc<AtomicU32>,
        enough: u32,
        reports: Arc<Mutex<Vec<String>>>,
    }

    impl Host for Slow {
        fn time(&self) -> Result<f64, Stopped> {
            let calls = self.calls.fetch_add(1, Ordering::Relaxed);
            if calls < self.enough {
                Ok(f64::from(calls) * 100.0)
            } else {
                Err(Stopped)
            }
        }

        fn report(&self, progress: &str) {
            self.reports.lock().unwrap().push(progress.to_owned());
        }
    }

    fn slow(enough: u32) -> (Slow, Arc<AtomicU32>, Arc<Mutex<Vec<String>>>) {
        let (calls, reports) = <(Arc<AtomicU32>, Arc<Mutex<Vec<String>>>)>::default();
        let host = Slow {
            calls: Arc::clone(&calls),
            enough,
            reports: Arc::clone(&reports),
        };
        (host, calls, reports)
    }

    const BOUNDS: Bounds = Bounds {
        seconds: 1.0,
        positions: 10,
        memory: 10,
        progress: true,
    };

    fn end(host: Slow, seconds: f64) -> Stop {
        let job = Arc::new(Watch::new(host)).job(BOUNDS, Audience::default());
        job.set_timeout(seconds);
        (0..10_000)
            .find_map(|_| job.limits().poll().err())
            .expect("every host stops the work eventually")
    }

    #[test]
    fn only_the_clock_of_the_host_is_used() {
        let (host, calls, _) = slow(1000);
        assert_eq!(end(host, 1.0), Stop::Time);
        assert!(
            calls.load(Ordering::Relaxed) <= 13,
            "ten tenths of a second"
        );
    }

    #[test]
    fn the_host_can_stop_the_work() {
        let (host, calls, _) = slow(5);
        assert_eq!(end(host, 1e9), Stop::Interrupted);
        assert_eq!(calls.load(Ordering::Relaxed), 6);
    }

    /// A host whose clock does not advance.
    struct Still(Arc<AtomicU32>);

    impl Host for Still {
        fn time(&self) -> Result<f64, Stopped> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(0.0)
        }

        fn report(&self, _: &str) {}
    }

    #[test]
    fn frequent_checks_are_throttled() {
        let calls = Arc::new(AtomicU32::new(0));
        let job = Arc::new(Watch::new(Still(Arc::clone(&calls)))).job(BOUNDS, Audience::default());
        for _ in 0..1000 {
            assert_eq!(job.limits().poll(), Ok(()));
        }
        // The host is called once per 32 checks. At first, it is called after 1, 2, 4, ... checks.
        let calls = calls.load(Ordering::Relaxed);
        assert!((30..200).contains(&calls), "{calls}");
    }

    #[test]
    fn progress_is_sent_as_json_and_throttled() {
        let (host, _, reports) = slow(1000);
        let watch = Arc::new(Watch::new(host));
        for computed in 0..10 {
            let progress = Progress::Computing {
                computed,
                of: 10,
                note: None,
            };
            watch.report(&progress, Audience::default());
        }
        let reports = reports.lock().unwrap();
        assert_eq!(reports.len(), 10, "each took a tenth of a second");
        assert_eq!(reports[3], r#"{"text":"","done":3,"of":10}"#);
    }
}
