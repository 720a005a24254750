//! Jobs: their limits, their progress, and how they are stopped.

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

/// The default size limit of an answer in bytes.
pub const OUTPUT: u64 = 64 << 20;

/// The number of bytes that a program may hold beyond nine eighths of its limit. It covers the
/// memory at the start of the program, and small allocations without an estimate.
const SLACK: u64 = 4 << 20;

/// Limits that a request sets for itself. They cannot exceed those of the job.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Number of positions that may be stored.
    pub positions: Option<u64>,
    /// Bytes of memory that may be held.
    pub memory: Option<u64>,
    /// Bytes of the answer.
    pub output: Option<u64>,
}

/// A counter of the bytes that the program holds.
type Meter = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A piece of work with its limits. It can be stopped from any thread. It then ends at its next
/// check of the limits, with nothing locked and nothing half written. If it writes checkpoints, it
/// can be resumed.
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

/// The receiver of the progress of a job.
struct Watcher {
    tell: Box<dyn Fn(&Progress) + Send + Sync>,
    /// Number of positions that searches have visited.
    looked_at: AtomicU64,
    /// The time of the last report in nanoseconds, with the number of positions at that time. The
    /// first entry is that of the first check.
    told: Mutex<Option<(u64, u64)>>,
    /// `true` if the job itself reports how much of its work is done.
    measured: AtomicBool,
}

/// The least time between two reports of a search, in nanoseconds.
const OFTEN: u64 = 200_000_000;

impl Watcher {
    /// Reports the progress of a search, if a report is due. Reads the clock only during a search.
    fn look(&self, clock: &Clock) {
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        if looked_at == 0 || self.measured.load(Ordering::Relaxed) {
            return;
        }
        // Another thread is reporting, so this one need not wait for the lock.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = clock.nanoseconds();
        // The first check only stores the time and the count, because a rate needs two of them.
        let (since, before) = *told.get_or_insert((now, looked_at));
        if now < since.saturating_add(OFTEN) {
            return;
        }
        *told = Some((now, looked_at));
        // At least `OFTEN` has passed, so the divisor is not 0. The product needs 128 bits.
        let rate = u128::from(looked_at - before) * 1_000_000_000 / u128::from(now - since);
        // Released before the callback, which may take long.
        drop(told);
        (self.tell)(&Progress::Searching {
            looked_at,
            per_second: rate as u64,
        });
    }
}

/// A clock: the time since some fixed moment.
type Time = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The deadline of a job.
struct Clock {
    time: Time,
    /// The deadline in nanoseconds on the clock.
    deadline: AtomicU64,
    cancelled: AtomicBool,
}

impl Clock {
    /// Returns the time on the clock in nanoseconds.
    fn nanoseconds(&self) -> u64 {
        (self.time)().as_nanos() as u64
    }
}

/// A handle that stops a job from elsewhere.
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
    /// Returns a job with the default limits of the library, no time limit and no receiver of
    /// progress.
    fn default() -> Self {
        let usual = Limits::default();
        Self::new(usual.positions, usual.memory)
    }
}

impl Job {
    /// Creates a job with limits on positions and bytes.
    #[must_use]
    pub fn new(positions: u64, memory: u64) -> Self {
        let begun = Instant::now();
        Self::timed(positions, memory, move || begun.elapsed())
    }

    /// Creates a job with another clock, for targets without one. The clock returns the time since
    /// any fixed moment.
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
        // The flag comes first: reading it is cheaper than reading the clock, and a job without a
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

    /// Sets the size limit of an answer in bytes.
    #[must_use]
    pub fn writing(self, output: u64) -> Self {
        Self { output, ..self }
    }

    /// Adds a counter of the bytes that the program holds. The job ends at a check of its limits if
    /// the counter exceeds nine eighths of the memory limit.
    ///
    /// The estimates that [`Limits::check`] compares with the limit before an allocation may be
    /// incomplete. The counter includes every allocation.
    #[must_use]
    pub fn measuring(self, held: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        let meter: Meter = Arc::new(held);
        Self {
            meter: Some(meter),
            ..self
        }
        .watching_memory()
    }

    /// Adds the memory check to the stop callback.
    fn watching_memory(self) -> Self {
        let Some(meter) = self.meter.clone() else {
            return self;
        };
        let (memory, before) = (self.memory, Arc::clone(&self.stop));
        // An eighth more than the limit, since an allocator holds more than it is asked for.
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

    /// Returns a job with limits that do not exceed `bounds`.
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
        // The memory limit may be lower now, so its check is added again. The old check stays in
        // the chain, where it can only be weaker.
        .watching_memory()
    }

    /// Returns the size limit of an answer in bytes.
    #[must_use]
    pub fn output(&self) -> u64 {
        self.output
    }

    /// Sets the callback for progress.
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
        // Searches report through a shared counter. It is read here, because every long computation
        // polls the stop callback.
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

    /// Sets the time limit of the job, counted from now. A number that is not a valid duration
    /// removes the limit.
    pub fn give(&self, seconds: f64) {
        let end = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|time| self.now().checked_add(time))
            .and_then(|end| u64::try_from(end.as_nanos()).ok());
        let end = end.unwrap_or(NEVER);
        self.clock.deadline.store(end, Ordering::Relaxed);
    }

    /// Stops the job at check number `looks` of its limits, starting at 0. Tests use this to
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

    /// Adds a callback that is polled on the present thread, at most once in `every`. If it returns
    /// `true`, the job ends. An interpreter that handles signals on one thread only needs this.
    #[must_use]
    pub fn asking(self, every: Duration, ends: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let (next, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let (clock, every) = (Arc::clone(&self.clock), every.as_nanos() as u64);
        let asked = thread::current().id();
        let stop = move || {
            let now = clock.nanoseconds();
            // Other threads of the job skip the callback, since it may require the thread of the
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

    /// Creates a job with the same limits that ends after `seconds`, or when this job ends.
    #[must_use]
    pub fn part(&self, seconds: f64) -> Self {
        let part = Self::by(self.positions, self.memory, Arc::clone(&self.clock.time));
        part.give(seconds);
        let (own, whole) = (Arc::clone(&part.stop), Arc::clone(&self.stop));
        Self {
            output: self.output,
            meter: self.meter.clone(),
            // The limits of the whole come first, so that its reason is the one that is reported.
            stop: Arc::new(move || whole().or_else(|| own())),
            ..part
        }
    }

    /// Creates a job for a first attempt, with half of the remaining time. If the attempt fails,
    /// the other half remains for a cheaper method. The job ends when this one ends.
    #[must_use]
    pub fn first_try(&self) -> Self {
        self.share(2)
    }

    /// Creates a job for one of `parts` remaining parts of the work, with that share of the
    /// remaining time. The job ends when this one ends.
    #[must_use]
    pub fn share(&self, parts: usize) -> Self {
        let left = match self.clock.deadline.load(Ordering::Relaxed) {
            NEVER => None,
            deadline => Some(Duration::from_nanos(deadline).saturating_sub(self.now())),
        };
        let share = left.map(|left| left.as_secs_f64() / parts as f64);
        self.part(share.unwrap_or(f64::INFINITY))
    }

    /// Returns the time since a fixed moment.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock.time)()
    }

    /// Returns the time since `before`.
    #[must_use]
    pub fn since(&self, before: Duration) -> Duration {
        self.now().saturating_sub(before)
    }

    /// Returns a handle that stops this job from elsewhere.
    #[must_use]
    pub fn handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.clock))
    }

    /// Returns whether the job was asked to stop.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.clock.cancelled.load(Ordering::Relaxed)
    }

    /// Returns the limits for the library.
    #[must_use]
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
            looked_at: self.progress.as_ref().map(|watcher| &watcher.looked_at),
        }
    }

    /// Returns the limits for computations whose size the caller sets, such as tables of values.
    /// Memory, time and the stop handle apply, but the number of positions is unlimited.
    #[must_use]
    pub fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Returns the stop callback, which rules in a file poll.
    #[must_use]
    pub fn stop(&self) -> Arc<dyn Fn() -> Option<Stop> + Send + Sync> {
        Arc::clone(&self.stop)
    }

    /// Reports progress.
    pub fn report(&self, progress: &Progress) {
        if let Some(watcher) = &self.progress {
            // Once the job reports numbers itself, the counts of searches would only interfere (see
            // `Watcher::look`).
            let said = matches!(progress, Progress::Doing(_) | Progress::Note(_));
            watcher.measured.fetch_or(!said, Ordering::Relaxed);
            (watcher.tell)(progress);
        }
    }

    /// Returns whether anyone receives the progress.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.progress.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_ends_when_more_is_held_than_its_limit_and_an_eighth() {
        let held = Arc::new(AtomicU64::new(0));
        let meter = Arc::clone(&held);
        let job = Job::new(1, 96 << 20).measuring(move || meter.load(Ordering::Relaxed));
        // 96 MiB, an eighth of it, and `SLACK` are exactly 112 MiB, so one byte more must stop the
        // job.
        held.store(112 << 20, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Ok(()));
        assert_eq!(job.part(1.0).limits().poll(), Ok(()));
        // 60 MiB allow 71.5 MiB, so the lower bound must stop the job at 112 MiB.
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
