//! Who watches the work from outside: the time, the wish to stop, and how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use grundy_analysis::{Job, Progress};
use grundy_wording::Audience;

use crate::Bounds;

/// The host wants the work to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Whoever runs the module.
pub trait Host: Send + Sync {
    /// How many milliseconds have passed, from whenever it likes.
    ///
    /// # Errors
    /// The work is to end.
    fn time(&self) -> Result<f64, Stopped>;

    /// Tells how far the work is: `{"text", "done", "of"}`.
    fn tell(&self, progress: &str);
}

/// Nanoseconds between two questions to the host, where looks at the limits follow each other
/// quickly.
const OFTEN: u64 = 500_000;

/// Most looks at the limits for one question to the host, so that slow ones are not kept from it
/// for long.
const LOOKS: u32 = 32;

/// Nanoseconds between two reports of how far the work is.
const BEAT: u64 = 100_000_000;

/// What is known of the time and the wish to stop. Limits are looked at far more often than the
/// host needs to be asked.
pub(crate) struct Watch<H> {
    host: H,
    /// What the host said last, in nanoseconds.
    time: AtomicU64,
    /// Looks until it is asked again, and how many these are at a time.
    left: AtomicU32,
    looks: AtomicU32,
    stopped: AtomicBool,
    /// When it is to be told next how far the work is.
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

    /// Returns a job within these bounds that is watched by nobody else.
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

    /// Nanoseconds that have passed, as far as is known.
    fn time(&self) -> u64 {
        match self.left.load(Ordering::Relaxed) {
            0 => self.asked(),
            left => {
                self.left.store(left - 1, Ordering::Relaxed);
                self.time.load(Ordering::Relaxed)
            }
        }
    }

    /// Asks the host now, and finds out how soon it needs to be asked again.
    fn asked(&self) -> u64 {
        let before = self.time.load(Ordering::Relaxed);
        let Ok(milliseconds) = self.host.time() else {
            self.stopped.store(true, Ordering::Relaxed);
            return before;
        };
        let now = before.max((milliseconds * 1e6) as u64);
        let looks = self.looks.load(Ordering::Relaxed);
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

    /// A host in whose time every question takes a tenth of a second, and which has had enough
    /// after some of them.
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
            .expect("every host has had enough in the end")
    }

    #[test]
    fn the_time_of_the_host_is_the_only_one() {
        let (host, asked, _) = slow(1000);
        assert_eq!(end(host, 1.0), Stop::Time);
        assert!(
            asked.load(Ordering::Relaxed) <= 13,
            "ten tenths of a second"
        );
    }

    #[test]
    fn the_host_ends_the_work() {
        let (host, asked, _) = slow(5);
        assert_eq!(end(host, 1e9), Stop::Interrupted);
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }

    /// A host whose time stands still.
    struct Still(Arc<AtomicU32>);

    impl Host for Still {
        fn time(&self) -> Result<f64, Stopped> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(0.0)
        }

        fn tell(&self, _: &str) {}
    }

    #[test]
    fn quick_looks_are_not_all_passed_on() {
        let asked = Arc::new(AtomicU32::new(0));
        let job = Arc::new(Watch::new(Still(Arc::clone(&asked)))).job(BOUNDS, Audience::default());
        for _ in 0..1000 {
            assert_eq!(job.limits().poll(), Ok(()));
        }
        let asked = asked.load(Ordering::Relaxed);
        assert!((30..200).contains(&asked), "{asked}");
    }

    #[test]
    fn progress_is_told_as_json_and_not_too_often() {
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
