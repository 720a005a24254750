//! Jobs: their limits, their progress, and the ways to stop them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use grundy_core::{Limits, Message, Stop, message};
use serde::Deserialize;

use crate::progress::Progress;

/// The deadline that means "no time limit".
const NEVER: u64 = u64::MAX;

/// The default size limit in bytes of the answer to a request.
pub const OUTPUT: u64 = 64 << 20;

/// The number of bytes by which a program may exceed nine eighths of its memory limit. It covers
/// the memory that the program needs at its start, and small allocations without an estimate.
const SLACK: u64 = 4 << 20;

/// Limits of a single request. They can only lower the limits of the job.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Largest number of positions that may be stored.
    pub positions: Option<u64>,
    /// Largest number of bytes that may be held in memory.
    pub memory: Option<u64>,
    /// Largest size of the answer in bytes.
    pub output: Option<u64>,
}

/// A function that returns the number of bytes that the program holds in memory.
type Meter = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A computation with its limits. It can be stopped from any thread. Then it ends at its next check
/// of the limits, without leaving a lock or an incomplete file. If it writes checkpoints, it can be
/// resumed.
///
/// ```
/// use grundy_core::Stop;
/// use grundy_job::Job;
/// let job = Job::default();
/// assert_eq!(job.limits().poll(), Ok(()));
/// job.handle().cancel();
/// assert_eq!(job.limits().poll(), Err(Stop::Interrupted));
/// ```
pub struct Job {
    positions: u64,
    memory: u64,
    output: u64,
    clock: Arc<Clock>,
    meter: Option<Meter>,
    stop: Arc<dyn Fn() -> Option<Stop> + Send + Sync>,
    progress: Option<Arc<ProgressReporter>>,
    /// The callback that receives warnings.
    warn: Option<Arc<dyn Fn(&Message) + Send + Sync>>,
}

/// The callback for the progress of a job, with the state of the reports.
struct ProgressReporter {
    tell: Box<dyn Fn(&Progress) + Send + Sync>,
    /// Number of positions that searches have visited.
    visited: AtomicU64,
    /// The time of the last report in nanoseconds, and the number of positions visited until then.
    /// Before the first report, the time and the number at the first check are stored instead.
    last_report: Mutex<Option<(u64, u64)>>,
    /// `true` if the job itself reports which part of its work is done.
    measured: AtomicBool,
}

/// The least time between two reports of a search, in nanoseconds.
const REPORT_INTERVAL: u64 = 200_000_000;

impl ProgressReporter {
    /// Reports the progress of a search, if a report is due. Does not read the clock if no search
    /// has visited a position, or if the job itself reports its progress.
    fn report_search(&self, clock: &Clock) {
        let visited = self.visited.load(Ordering::Relaxed);
        if visited == 0 || self.measured.load(Ordering::Relaxed) {
            return;
        }
        // If another thread holds the lock, it is reporting, so this thread need not wait.
        let Ok(mut last_report) = self.last_report.try_lock() else {
            return;
        };
        let now = clock.nanoseconds();
        // The first check only stores the time and the count. The rate is computed from the
        // difference to the next check.
        let (since, before) = *last_report.get_or_insert((now, visited));
        if now < since.saturating_add(REPORT_INTERVAL) {
            return;
        }
        *last_report = Some((now, visited));
        // At least `REPORT_INTERVAL` has passed, so the divisor is not 0. The product needs up to
        // 128 bits.
        let rate = u128::from(visited - before) * 1_000_000_000 / u128::from(now - since);
        // The lock is released before the callback, which may take long.
        drop(last_report);
        (self.tell)(&Progress::Searching {
            visited,
            per_second: rate as u64,
        });
    }
}

/// A clock, which returns the time since a fixed moment.
type Time = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The clock of a job, with its deadline.
struct Clock {
    time: Time,
    /// The deadline in nanoseconds, on the clock of the job.
    deadline: AtomicU64,
    cancelled: AtomicBool,
}

impl Clock {
    /// Returns the time on the clock in nanoseconds.
    fn nanoseconds(&self) -> u64 {
        (self.time)().as_nanos() as u64
    }
}

/// A handle that can stop a job from another thread.
#[derive(Clone)]
pub struct StopHandle(Arc<Clock>);

impl fmt::Debug for StopHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StopHandle").finish_non_exhaustive()
    }
}

impl StopHandle {
    /// Returns whether the job was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Asks the job to stop. Returns whether it had been asked before.
    #[expect(clippy::must_use_candidate, reason = "to ask is what it is for")]
    pub fn cancel(&self) -> bool {
        self.0.cancelled.swap(true, Ordering::Relaxed)
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("positions", &self.positions)
            .field("memory", &self.memory)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

impl Default for Job {
    /// Returns a job with the default limits of the library. It has no time limit and no callback
    /// for progress.
    fn default() -> Self {
        let usual = Limits::default();
        Self::new(usual.positions, usual.memory)
    }
}

impl Job {
    /// Creates a job with limits on the number of positions and on the memory in bytes.
    #[must_use]
    pub fn new(positions: u64, memory: u64) -> Self {
        let begun = Instant::now();
        Self::with_clock(positions, memory, move || begun.elapsed())
    }

    /// Creates a job that uses the given clock, for targets without a system clock. The clock
    /// returns the time since any fixed moment.
    #[must_use]
    pub fn with_clock(
        positions: u64,
        memory: u64,
        time: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        Self::with_shared_clock(positions, memory, Arc::new(time))
    }

    fn with_shared_clock(positions: u64, memory: u64, time: Time) -> Self {
        let clock = Arc::new(Clock {
            time,
            deadline: AtomicU64::new(NEVER),
            cancelled: AtomicBool::new(false),
        });
        let stop_clock = Arc::clone(&clock);
        // The flag is checked first, since this is cheaper than reading the clock. A job without a
        // deadline never reads the clock.
        let stop = move || {
            if stop_clock.cancelled.load(Ordering::Relaxed) {
                return Some(Stop::Interrupted);
            }
            let deadline = stop_clock.deadline.load(Ordering::Relaxed);
            let up = deadline != NEVER && stop_clock.nanoseconds() >= deadline;
            up.then_some(Stop::Time)
        };
        Self {
            positions,
            memory,
            output: OUTPUT,
            clock,
            meter: None,
            stop: Arc::new(stop),
            progress: None,
            warn: None,
        }
    }

    /// Sets the size limit in bytes of the answer.
    #[must_use]
    pub fn with_output_limit(self, output: u64) -> Self {
        Self { output, ..self }
    }

    /// Adds a function that returns the number of bytes that the program holds. If this number
    /// exceeds nine eighths of the memory limit by more than 4 MiB, the job ends at its next check
    /// of the limits.
    ///
    /// [`Limits::check`] compares estimates with the memory limit before an allocation. Estimates
    /// may be incomplete, while `bytes_held` counts every allocation.
    #[must_use]
    pub fn with_memory_meter(self, bytes_held: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        let meter: Meter = Arc::new(bytes_held);
        Self {
            meter: Some(meter),
            ..self
        }
        .with_memory_check()
    }

    /// Adds the check of the memory to the stop callback.
    fn with_memory_check(self) -> Self {
        let Some(meter) = self.meter.clone() else {
            return self;
        };
        let (memory, before) = (self.memory, Arc::clone(&self.stop));
        // The limit is increased by an eighth, since an allocator holds more memory than is
        // requested from it.
        let most = memory.saturating_add(memory / 8).saturating_add(SLACK);
        let stop = move || {
            let over = meter() > most;
            over.then_some(Stop::Memory(memory)).or_else(|| before())
        };
        Self {
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Returns a job in which each limit is the smaller of the limit of this job and the limit in
    /// `bounds`.
    #[must_use]
    pub fn bounded(&self, bounds: Bounds) -> Self {
        let least = |limit: u64, bound: Option<u64>| bound.map_or(limit, |bound| bound.min(limit));
        Self {
            positions: least(self.positions, bounds.positions),
            memory: least(self.memory, bounds.memory),
            output: least(self.output, bounds.output),
            clock: Arc::clone(&self.clock),
            meter: self.meter.clone(),
            stop: Arc::clone(&self.stop),
            progress: self.progress.clone(),
            warn: self.warn.clone(),
        }
        // The memory limit may be lower now, so a check with the new limit is added. The old check
        // remains, but has no effect.
        .with_memory_check()
    }

    /// Returns the size limit in bytes of the answer.
    #[must_use]
    pub fn output(&self) -> u64 {
        self.output
    }

    /// Sets the callback that receives the progress.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        let reporter = Arc::new(ProgressReporter {
            tell: Box::new(progress),
            visited: AtomicU64::new(0),
            last_report: Mutex::new(None),
            measured: AtomicBool::new(false),
        });
        let (search_reporter, before) = (Arc::clone(&reporter), Arc::clone(&self.stop));
        let clock = Arc::clone(&self.clock);
        // A search reports its progress through a shared counter. It is read in the stop callback,
        // because every long computation polls that.
        let stop = move || {
            search_reporter.report_search(&clock);
            before()
        };
        Self {
            progress: Some(reporter),
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Sets the time limit of the job, counted from now. If `seconds` is not a valid duration, the
    /// limit is removed.
    pub fn set_timeout(&self, seconds: f64) {
        let end = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|time| self.now().checked_add(time))
            .and_then(|end| u64::try_from(end.as_nanos()).ok());
        let end = end.unwrap_or(NEVER);
        self.clock.deadline.store(end, Ordering::Relaxed);
    }

    /// Lets the first `polls` checks of the limits pass, and stops the job at the next check. Tests
    /// use this to examine the state after a stop.
    #[must_use]
    pub fn stopping_after(self, polls: u64) -> Self {
        let (seen, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let stop = move || {
            let up = seen.fetch_add(1, Ordering::Relaxed) >= polls;
            up.then_some(Stop::Interrupted).or_else(|| before())
        };
        Self {
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Adds a callback that is polled on the current thread, at most once in each period `every`.
    /// If the callback returns `true`, the job ends. This method serves interpreters that handle
    /// signals only on one thread.
    #[must_use]
    pub fn with_poll(
        self,
        every: Duration,
        ends: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        let (next, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let (clock, every) = (Arc::clone(&self.clock), every.as_nanos() as u64);
        let caller = thread::current().id();
        let stop = move || {
            let now = clock.nanoseconds();
            // Other threads of the job do not call it, since it may require the thread of the
            // interpreter.
            if now >= next.load(Ordering::Relaxed) && thread::current().id() == caller {
                next.store(now + every, Ordering::Relaxed);
                if ends() {
                    clock.cancelled.store(true, Ordering::Relaxed);
                }
            }
            before()
        };
        Self {
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Creates a job with the same limits. It ends after `seconds`, or when this job ends.
    #[must_use]
    pub fn with_timeout(&self, seconds: f64) -> Self {
        let part =
            Self::with_shared_clock(self.positions, self.memory, Arc::clone(&self.clock.time));
        part.set_timeout(seconds);
        let (own, whole) = (Arc::clone(&part.stop), Arc::clone(&self.stop));
        Self {
            output: self.output,
            meter: self.meter.clone(),
            // The stop callback of this job is polled first, so that its reason is the one
            // reported.
            stop: Arc::new(move || whole().or_else(|| own())),
            ..part
        }
    }

    /// Creates a job for a first attempt, with half of the remaining time. If the attempt fails,
    /// the other half is available for a cheaper method. The new job also ends when this one ends.
    #[must_use]
    pub fn first_try(&self) -> Self {
        self.share(2)
    }

    /// Creates a job for one of `parts` equal parts of the remaining work, with an equal part of
    /// the remaining time. The new job also ends when this one ends.
    #[must_use]
    pub fn share(&self, parts: usize) -> Self {
        let left = match self.clock.deadline.load(Ordering::Relaxed) {
            NEVER => None,
            deadline => Some(Duration::from_nanos(deadline).saturating_sub(self.now())),
        };
        let share = left.map(|left| left.as_secs_f64() / parts as f64);
        self.with_timeout(share.unwrap_or(f64::INFINITY))
    }

    /// Returns the current time, counted from a fixed moment.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock.time)()
    }

    /// Returns the time that has passed since `before`.
    #[must_use]
    pub fn since(&self, before: Duration) -> Duration {
        self.now().saturating_sub(before)
    }

    /// Returns a handle that can stop this job from another thread.
    #[must_use]
    pub fn handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.clock))
    }

    /// Returns whether the job was asked to stop.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.clock.cancelled.load(Ordering::Relaxed)
    }

    /// Returns the limits in the form that the library expects.
    #[must_use]
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
            visited: self.progress.as_ref().map(|reporter| &reporter.visited),
        }
    }

    /// Returns the limits for computations whose size the user has chosen, such as tables of
    /// values. The number of positions is unlimited, while memory, time and the stop handle apply.
    #[must_use]
    pub fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Returns the callback that says whether the job has to stop, and why. The rules of a rule
    /// file poll it.
    #[must_use]
    pub fn stop(&self) -> Arc<dyn Fn() -> Option<Stop> + Send + Sync> {
        Arc::clone(&self.stop)
    }

    /// Passes a progress report to the callback.
    pub fn report(&self, progress: &Progress) {
        if let Some(reporter) = &self.progress {
            // If the job reports its own numbers, the counts of searches are no longer reported
            // (see `ProgressReporter::report_search`).
            let is_text = matches!(progress, Progress::Doing(_) | Progress::Note(_));
            reporter.measured.fetch_or(!is_text, Ordering::Relaxed);
            (reporter.tell)(progress);
        }
    }

    /// Sets the callback that receives warnings. Without it, a warning is a note of the progress.
    #[must_use]
    pub fn with_warnings(self, warn: impl Fn(&Message) + Send + Sync + 'static) -> Self {
        Self {
            warn: Some(Arc::new(warn)),
            ..self
        }
    }

    /// Warns the user of something that is probably a mistake. The computation continues.
    ///
    /// ```
    /// use grundy_core::message;
    /// use grundy_job::{Job, Progress};
    /// use std::sync::{Arc, Mutex};
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let notes = Arc::clone(&seen);
    /// let job = Job::default().with_progress(move |progress| {
    ///     notes.lock().unwrap().push(progress.clone());
    /// });
    /// job.warn(&message!("the game never ends"));
    /// let [Progress::Note(note)] = &seen.lock().unwrap()[..] else { panic!("one note") };
    /// assert_eq!(note.to_string(), "warning: the game never ends");
    /// ```
    pub fn warn(&self, what: &Message) {
        match &self.warn {
            Some(warn) => warn(what),
            None => self.report(&Progress::Note(message!(
                "warning: {what}",
                what = what.clone()
            ))),
        }
    }

    /// Returns whether a callback receives the progress.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.progress.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_stops_an_eighth_above_its_memory_limit() {
        let bytes_held = Arc::new(AtomicU64::new(0));
        let meter = Arc::clone(&bytes_held);
        let job = Job::new(1, 96 << 20).with_memory_meter(move || meter.load(Ordering::Relaxed));
        // The limit is 96 MiB. Together with an eighth of it and with `SLACK`, this is exactly 112
        // MiB. So one more byte must stop the job.
        bytes_held.store(112 << 20, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Ok(()));
        assert_eq!(job.with_timeout(1.0).limits().poll(), Ok(()));
        // With a limit of 60 MiB, 71.5 MiB are allowed, so the job must stop at 112 MiB.
        let less = job.bounded(Bounds {
            memory: Some(60 << 20),
            ..Bounds::default()
        });
        assert_eq!(less.limits().poll(), Err(Stop::Memory(60 << 20)));
        bytes_held.store((112 << 20) + 1, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Err(Stop::Memory(96 << 20)));
        assert_eq!(
            job.with_timeout(1.0).limits().poll(),
            Err(Stop::Memory(96 << 20))
        );
    }

    #[test]
    fn bounds_only_lower_limits() {
        let job = Job::new(10, 20).with_output_limit(30);
        let bounds = Bounds {
            positions: Some(5),
            memory: Some(50),
            output: Some(7),
        };
        let bounded = job.bounded(bounds);
        let limits = bounded.limits();
        assert_eq!(
            (limits.positions, limits.memory, bounded.output()),
            (5, 20, 7)
        );
        job.handle().cancel();
        assert_eq!(bounded.limits().poll(), Err(Stop::Interrupted));
    }
}
