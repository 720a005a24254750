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
    fn tell(&self, progress: &str);
}

/// Time that should pass between two calls of the host, in nanoseconds.
const OFTEN: u64 = 500_000;

/// Largest number of limit checks between two calls of the host. If checks become slow, more of
/// them would delay a request to stop.
const LOOKS: u32 = 32;

/// Time between two progress reports, in nanoseconds.
const BEAT: u64 = 100_000_000;

/// The time and the request to stop that the host returned last.
///
/// Limits are checked far more often than the host needs to be called, and each call is expensive.
/// The number of checks between two calls adapts to the time that a check takes.
pub(crate) struct Watch<H> {
    host: H,
    /// The time that the host returned last, in nanoseconds.
    time: AtomicU64,
    /// The number of limit checks until the next call of the host. Below, the number between two
    /// calls.
    left: AtomicU32,
    looks: AtomicU32,
    stopped: AtomicBool,
    /// The time at which the next progress report is due.
    next: AtomicU64,
}

impl<H: Host + 'static> Watch<H> {
    pub(crate) fn new(host: H) -> Self {
        let watch = Self {
            host,
            time: AtomicU64::new(0),
            left: AtomicU32::new(0),
            looks: AtomicU32::new(1),
            stopped: AtomicBool::new(false),
            next: AtomicU64::new(0),
        };
        let begun = watch.asked();
        watch.next.store(begun + BEAT, Ordering::Relaxed);
        watch
    }

    /// Creates a job with these limits, whose time and cancellation come from this watch.
    pub(crate) fn job(self: &Arc<Self>, bounds: Bounds, audience: Audience) -> Job {
        let (clock, stop) = (Arc::clone(self), Arc::clone(self));
        let time = move || Duration::from_nanos(clock.time());
        let job = Job::timed(bounds.positions, bounds.memory, time)
            .asking(Duration::ZERO, move || stop.stopped.load(Ordering::Relaxed));
        if !bounds.told {
            return job;
        }
        let told = Arc::clone(self);
        job.telling(move |progress| told.tell(progress, audience))
    }

    /// Returns the elapsed time in nanoseconds, as returned by the last call of the host or by a
    /// new one.
    fn time(&self) -> u64 {
        match self.left.load(Ordering::Relaxed) {
            0 => self.asked(),
            left => {
                self.left.store(left - 1, Ordering::Relaxed);
                self.time.load(Ordering::Relaxed)
            }
        }
    }

    /// Calls the host. Then chooses the number of checks until the next call.
    fn asked(&self) -> u64 {
        let before = self.time.load(Ordering::Relaxed);
        let Ok(milliseconds) = self.host.time() else {
            // The time is not changed. The flag stops the job, not its time limit.
            self.stopped.store(true, Ordering::Relaxed);
            return before;
        };
        // The clock of the host may go backwards. The time of a job must not, since differences of
        // it are computed.
        let now = before.max((milliseconds * 1e6) as u64);
        let looks = self.looks.load(Ordering::Relaxed);
        // The number of checks is halved or doubled. Hence a few calls suffice to approach the
        // target interval.
        let looks = match now - before {
            ..OFTEN => (2 * looks).min(LOOKS),
            _ => (looks / 2).max(1),
        };
        self.looks.store(looks, Ordering::Relaxed);
        self.left.store(looks - 1, Ordering::Relaxed);
        self.time.store(now, Ordering::Relaxed);
        now
    }

    fn tell(&self, progress: &Progress, audience: Audience) {
        let now = self.asked();
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + BEAT, Ordering::Relaxed);
        let told = serde_json::to_string(&progress.told(audience));
        self.host.tell(&told.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use grundy::Stop;

    use super::*;

    /// A host whose clock advances by a tenth of a second at each call. After some calls, it asks
    /// to stop.
    struct Slow {
        asked: Arc<AtomicU32>,
        enough: u32,
        told: Arc<Mutex<Vec<String>>>,
    }

    impl Host for Slow {
        fn time(&self) -> Result<f64, Stopped> {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            if asked < self.enough {
                Ok(f64::from(asked) * 100.0)
            } else {
                Err(Stopped)
            }
        }

        fn tell(&self, progress: &str) {
            self.told.lock().unwrap().push(progress.to_owned());
        }
    }

    fn slow(enough: u32) -> (Slow, Arc<AtomicU32>, Arc<Mutex<Vec<String>>>) {
        let (asked, told) = <(Arc<AtomicU32>, Arc<Mutex<Vec<String>>>)>::default();
        let host = Slow {
            asked: Arc::clone(&asked),
            enough,
            told: Arc::clone(&told),
        };
        (host, asked, told)
    }

    const BOUNDS: Bounds = Bounds {
        seconds: 1.0,
        positions: 10,
        memory: 10,
        told: true,
    };

    fn end(host: Slow, seconds: f64) -> Stop {
        let job = Arc::new(Watch::new(host)).job(BOUNDS, Audience::default());
        job.give(seconds);
        (0..10_000)
            .find_map(|_| job.limits().poll().err())
            .expect("every host stops the work eventually")
    }

    #[test]
    fn only_the_clock_of_the_host_is_used() {
        let (host, asked, _) = slow(1000);
        assert_eq!(end(host, 1.0), Stop::Time);
        assert!(
            asked.load(Ordering::Relaxed) <= 13,
            "ten tenths of a second"
        );
    }

    #[test]
    fn the_host_can_stop_the_work() {
        let (host, asked, _) = slow(5);
        assert_eq!(end(host, 1e9), Stop::Interrupted);
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }

    /// A host whose clock does not advance.
    struct Still(Arc<AtomicU32>);

    impl Host for Still {
        fn time(&self) -> Result<f64, Stopped> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(0.0)
        }

        fn tell(&self, _: &str) {}
    }

    #[test]
    fn frequent_checks_are_throttled() {
        let asked = Arc::new(AtomicU32::new(0));
        let job = Arc::new(Watch::new(Still(Arc::clone(&asked)))).job(BOUNDS, Audience::default());
        for _ in 0..1000 {
            assert_eq!(job.limits().poll(), Ok(()));
        }
        // The host is called once per 32 checks. At first, it is called after 1, 2, 4, ... checks.
        let asked = asked.load(Ordering::Relaxed);
        assert!((30..200).contains(&asked), "{asked}");
    }

    #[test]
    fn progress_is_sent_as_json_and_throttled() {
        let (host, _, told) = slow(1000);
        let watch = Arc::new(Watch::new(host));
        for computed in 0..10 {
            let progress = Progress::Computing {
                computed,
                of: 10,
                note: None,
            };
            watch.tell(&progress, Audience::default());
        }
        let told = told.lock().unwrap();
        assert_eq!(told.len(), 10, "each took a tenth of a second");
        assert_eq!(told[3], r#"{"text":"","done":3,"of":10}"#);
    }
}
