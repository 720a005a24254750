//! Jobs: their limits, their progress, and the ways to stop them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use grundy::{Limits, Stop};
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
/// use grundy::Stop;
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
    progress: Option<Arc<Watcher>>,
}

/// The callback for the progress of a job, with the state of the reports.
struct Watcher {
    tell: Box<dyn Fn(&Progress) + Send + Sync>,
    /// Number of positions that searches have visited.
    looked_at: AtomicU64,
    /// The time of the last report in nanoseconds, and the number of positions visited until then.
    /// Before the first report, they are those of the first check.
    told: Mutex<Option<(u64, u64)>>,
    /// `true` if the job itself reports how much of its work is done.
    measured: AtomicBool,
}

/// The least time between two reports of a search, in nanoseconds.
const OFTEN: u64 = 200_000_000;

impl Watcher {
    /// Reports the progress of a search, if a report is due. If no search is running, it does not
    /// read the clock.
    fn look(&self, clock: &Clock) {
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        if looked_at == 0 || self.measured.load(Ordering::Relaxed) {
            return;
        }
        // If another thread holds the lock, it is reporting, so this thread need not wait.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = clock.nanoseconds();
        // The first check only stores the time and the count. The rate is computed from the
        // difference to the next check.
        let (since, before) = *told.get_or_insert((now, looked_at));
        if now < since.saturating_add(OFTEN) {
            return;
        }
        *told = Some((now, looked_at));
        // At least `OFTEN` has passed, so the divisor is not 0. The product is computed in 128
        // bits.
        let rate = u128::from(looked_at - before) * 1_000_000_000 / u128::from(now - since);
        // The lock is released before the callback, which may take long.
        drop(told);
        (self.tell)(&Progress::Searching {
            looked_at,
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
        Self::timed(positions, memory, move || begun.elapsed())
    }

    /// Creates a job that uses the given clock, for targets that have none. The clock returns the
    /// time since any fixed moment.
    #[must_use]
    pub fn timed(
        positions: u64,
        memory: u64,
        time: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        Self::by(positions, memory, Arc::new(time))
    }

    fn by(positions: u64, memory: u64, time: Time) -> Self {
        let clock = Arc::new(Clock {
            time,
            deadline: AtomicU64::new(NEVER),
            cancelled: AtomicBool::new(false),
        });
        let watched = Arc::clone(&clock);
        // The flag is checked first, since this is cheaper than reading the clock. A job without a
        // deadline never reads the clock.
        let stop = move || {
            if watched.cancelled.load(Ordering::Relaxed) {
                return Some(Stop::Interrupted);
            }
            let deadline = watched.deadline.load(Ordering::Relaxed);
            let up = deadline != NEVER && watched.nanoseconds() >= deadline;
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
        }
    }

    /// Sets the size limit in bytes of the answer.
    #[must_use]
    pub fn writing(self, output: u64) -> Self {
        Self { output, ..self }
    }

    /// Adds a function that returns the number of bytes that the program holds. If this exceeds
    /// nine eighths of the memory limit, the job ends at its next check of the limits.
    ///
    /// [`Limits::check`] compares estimates with the memory limit before an allocation. These may
    /// be incomplete, while the function counts every allocation.
    #[must_use]
    pub fn measuring(self, held: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        let meter: Meter = Arc::new(held);
        Self {
            meter: Some(meter),
            ..self
        }
        .watching_memory()
    }

    /// Adds the check of the memory to the stop callback.
    fn watching_memory(self) -> Self {
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

    /// Returns a job whose limits are the smaller ones of this job and of `bounds`.
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
        }
        // The memory limit may be lower now, so a check with the new limit is added. The old check
        // remains, but has no effect.
        .watching_memory()
    }

    /// Returns the size limit in bytes of the answer.
    #[must_use]
    pub fn output(&self) -> u64 {
        self.output
    }

    /// Sets the callback that receives the progress.
    #[must_use]
    pub fn telling(self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        let watcher = Arc::new(Watcher {
            tell: Box::new(progress),
            looked_at: AtomicU64::new(0),
            told: Mutex::new(None),
            measured: AtomicBool::new(false),
        });
        let (watching, before) = (Arc::clone(&watcher), Arc::clone(&self.stop));
        let clock = Arc::clone(&self.clock);
        // A search reports its progress through a shared counter. It is read in the stop callback,
        // because every long computation polls that.
        let stop = move || {
            watching.look(&clock);
            before()
        };
        Self {
            progress: Some(watcher),
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Sets the time limit of the job, counted from now. If `seconds` is not a valid duration, the
    /// limit is removed.
    pub fn give(&self, seconds: f64) {
        let end = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|time| self.now().checked_add(time))
            .and_then(|end| u64::try_from(end.as_nanos()).ok());
        let end = end.unwrap_or(NEVER);
        self.clock.deadline.store(end, Ordering::Relaxed);
    }

    /// Stops the job at check number `looks` of its limits, counted from 0. Tests use this to
    /// examine the state after a stop.
    #[must_use]
    pub fn stopping_after(self, looks: u64) -> Self {
        let (seen, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let stop = move || {
            let up = seen.fetch_add(1, Ordering::Relaxed) >= looks;
            up.then_some(Stop::Interrupted).or_else(|| before())
        };
        Self {
            stop: Arc::new(stop),
            ..self
        }
    }

    /// Adds a callback that is polled on the current thread, at most once in each period `every`.
    /// If it returns `true`, the job ends. This serves interpreters that handle signals only on one
    /// thread.
    #[must_use]
    pub fn asking(self, every: Duration, ends: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let (next, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let (clock, every) = (Arc::clone(&self.clock), every.as_nanos() as u64);
        let asked = thread::current().id();
        let stop = move || {
            let now = clock.nanoseconds();
            // Other threads of the job do not call it, since it may require the thread of the
            // interpreter.
            if now >= next.load(Ordering::Relaxed) && thread::current().id() == asked {
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
    pub fn part(&self, seconds: f64) -> Self {
        let part = Self::by(self.positions, self.memory, Arc::clone(&self.clock.time));
        part.give(seconds);
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

    /// Creates a job for a first attempt, with half of the time that is left. If the attempt fails,
    /// the other half is left for a cheaper method. The new job also ends when this one ends.
    #[must_use]
    pub fn first_try(&self) -> Self {
        self.share(2)
    }

    /// Creates a job for one of `parts` equal parts of the work that is left, with that share of
    /// the time. The new job also ends when this one ends.
    #[must_use]
    pub fn share(&self, parts: usize) -> Self {
        let left = match self.clock.deadline.load(Ordering::Relaxed) {
            NEVER => None,
            deadline => Some(Duration::from_nanos(deadline).saturating_sub(self.now())),
        };
        let share = left.map(|left| left.as_secs_f64() / parts as f64);
        self.part(share.unwrap_or(f64::INFINITY))
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

    /// Returns the limits as the library takes them.
    #[must_use]
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
            looked_at: self.progress.as_ref().map(|watcher| &watcher.looked_at),
        }
    }

    /// Returns the limits for computations whose size is chosen by the caller, such as tables of
    /// values. The number of positions is unlimited, while memory, time and the stop handle apply.
    #[must_use]
    pub fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Returns the stop callback, which the rules of a rule file poll.
    #[must_use]
    pub fn stop(&self) -> Arc<dyn Fn() -> Option<Stop> + Send + Sync> {
        Arc::clone(&self.stop)
    }

    /// Passes a progress report to the callback.
    pub fn report(&self, progress: &Progress) {
        if let Some(watcher) = &self.progress {
            // If the job reports its own numbers, the counts of searches are no longer reported
            // (see `Watcher::look`).
            let said = matches!(progress, Progress::Doing(_) | Progress::Note(_));
            watcher.measured.fetch_or(!said, Ordering::Relaxed);
            (watcher.tell)(progress);
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
        let held = Arc::new(AtomicU64::new(0));
        let meter = Arc::clone(&held);
        let job = Job::new(1, 96 << 20).measuring(move || meter.load(Ordering::Relaxed));
        // The limit is 96 MiB. Together with an eighth of it and with `SLACK`, this is exactly 112
        // MiB. So one more byte must stop the job.
        held.store(112 << 20, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Ok(()));
        assert_eq!(job.part(1.0).limits().poll(), Ok(()));
        // With a limit of 60 MiB, 71.5 MiB are allowed, so the job must stop at 112 MiB.
        let less = job.bounded(Bounds {
            memory: Some(60 << 20),
            ..Bounds::default()
        });
        assert_eq!(less.limits().poll(), Err(Stop::Memory(60 << 20)));
        held.store((112 << 20) + 1, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Err(Stop::Memory(96 << 20)));
        assert_eq!(job.part(1.0).limits().poll(), Err(Stop::Memory(96 << 20)));
    }

    #[test]
    fn bounds_only_lower_limits() {
        let job = Job::new(10, 20).writing(30);
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
