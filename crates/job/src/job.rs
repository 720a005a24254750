//! Work under way: what it may use, how far it is, and how it is stopped.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use grundy::{Limits, Stop};
use serde::Deserialize;

use crate::progress::Progress;

/// No time limit.
const NEVER: u64 = u64::MAX;

/// Bytes that an answer may have, unless it is said otherwise.
pub const OUTPUT: u64 = 64 << 20;

/// Bytes that a program may hold beyond its limit and an eighth of it: what it holds before it is
/// asked anything, and what is not worth an estimate.
const SLACK: u64 = 4 << 20;

/// Limits that a question sets for itself. It cannot have more than it is given.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Positions that may be kept.
    pub positions: Option<u64>,
    /// Bytes that may be held.
    pub memory: Option<u64>,
    /// Bytes of the answer.
    pub output: Option<u64>,
}

/// A counter of the bytes that the program holds.
type Meter = Arc<dyn Fn() -> u64 + Send + Sync>;

/// One piece of work. It can be asked to stop from any thread, and then ends at its next look at
/// the limits with nothing locked and nothing half written; what it saves on the way it can be
/// resumed from.
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

/// Who is told how far a job is.
struct Watcher {
    tell: Box<dyn Fn(&Progress) + Send + Sync>,
    /// Positions that searches have looked at.
    looked_at: AtomicU64,
    /// When that was told last, in nanoseconds, and how many they were; at first, when it was
    /// looked at.
    told: Mutex<Option<(u64, u64)>>,
    /// `true` if the job itself says how much of its work is done.
    measured: AtomicBool,
}

/// Nanoseconds between two words about a search.
const OFTEN: u64 = 200_000_000;

impl Watcher {
    /// Tells how far a search is, where it is time to. The clock is asked only where there is a
    /// search.
    fn look(&self, clock: &Clock) {
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        if looked_at == 0 || self.measured.load(Ordering::Relaxed) {
            return;
        }
        // Others that look at the same time need not wait.
        let Ok(mut told) = self.told.try_lock() else {
            return;
        };
        let now = clock.nanoseconds();
        let (since, before) = *told.get_or_insert((now, looked_at));
        if now < since.saturating_add(OFTEN) {
            return;
        }
        *told = Some((now, looked_at));
        let rate = u128::from(looked_at - before) * 1_000_000_000 / u128::from(now - since);
        drop(told);
        (self.tell)(&Progress::Searching {
            looked_at,
            per_second: rate as u64,
        });
    }
}

/// What tells the time: how long ago something began that stays the same.
type Time = Arc<dyn Fn() -> Duration + Send + Sync>;

/// When a job has to end.
struct Clock {
    time: Time,
    /// In nanoseconds, as `time` tells it.
    deadline: AtomicU64,
    cancelled: AtomicBool,
}

impl Clock {
    /// Nanoseconds that have passed.
    fn nanoseconds(&self) -> u64 {
        (self.time)().as_nanos() as u64
    }
}

/// Stops a job from elsewhere.
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

    /// Asks the job to stop, and says whether it had been asked before.
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
    /// Returns the usual limits of the library, no time limit, and nobody who is told of progress.
    fn default() -> Self {
        let usual = Limits::default();
        Self::new(usual.positions, usual.memory)
    }
}

impl Job {
    /// Returns a job that may keep so many positions and bytes.
    #[must_use]
    pub fn new(positions: u64, memory: u64) -> Self {
        let begun = Instant::now();
        Self::timed(positions, memory, move || begun.elapsed())
    }

    /// Returns the same where there is no clock but the one that is handed over: it tells how much
    /// time has passed, from whenever it likes.
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

    /// Sets the number of bytes that an answer may have.
    #[must_use]
    pub fn writing(self, output: u64) -> Self {
        Self { output, ..self }
    }

    /// Adds a counter of the bytes that the program holds. The job ends at the next look at the
    /// limits when they are more than its limit and an eighth of it.
    ///
    /// Estimates alone, which [`Limits::check`] compares with the limit before memory is asked for,
    /// leave out what nobody thought of; what is measured leaves out nothing.
    #[must_use]
    pub fn measuring(self, held: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        let meter: Meter = Arc::new(held);
        Self {
            meter: Some(meter),
            ..self
        }
        .watching_memory()
    }

    /// Returns the same job, which ends when the counter says that too much is held.
    fn watching_memory(self) -> Self {
        let Some(meter) = self.meter.clone() else {
            return self;
        };
        let (memory, before) = (self.memory, Arc::clone(&self.stop));
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

    /// Returns the same job with limits that are at most these.
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
        .watching_memory()
    }

    /// Returns the number of bytes that an answer may have.
    #[must_use]
    pub fn output(&self) -> u64 {
        self.output
    }

    /// Returns the same job, which tells `progress` how far it is.
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

    /// Gives the work from now on so many seconds, whatever it had before. A number that is no time
    /// is no limit.
    pub fn give(&self, seconds: f64) {
        let end = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|time| self.now().checked_add(time))
            .and_then(|end| u64::try_from(end.as_nanos()).ok());
        let end = end.unwrap_or(NEVER);
        self.clock.deadline.store(end, Ordering::Relaxed);
    }

    /// Returns the same job, which is stopped at its look number `looks` (from 0) at the limits:
    /// for trying out what a stop leaves.
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

    /// Returns the same job, which at most every so often asks on this very thread whether somebody
    /// else wants it to end, as an interpreter does that answers nowhere else.
    #[must_use]
    pub fn asking(self, every: Duration, ends: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let (next, before) = (AtomicU64::new(0), Arc::clone(&self.stop));
        let (clock, every) = (Arc::clone(&self.clock), every.as_nanos() as u64);
        let asked = thread::current().id();
        let stop = move || {
            let now = clock.nanoseconds();
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

    /// Returns a job of its own with the same limits, which ends after so many seconds, and when
    /// this one does.
    #[must_use]
    pub fn part(&self, seconds: f64) -> Self {
        let part = Self::by(self.positions, self.memory, Arc::clone(&self.clock.time));
        part.give(seconds);
        let (own, whole) = (Arc::clone(&part.stop), Arc::clone(&self.stop));
        Self {
            output: self.output,
            meter: self.meter.clone(),
            stop: Arc::new(move || whole().or_else(|| own())),
            ..part
        }
    }

    /// Returns a job of its own with the same limits for a first try, which may take half of the
    /// time that is left: where it fails, the other half is for what costs less. It ends when this
    /// one does.
    #[must_use]
    pub fn first_try(&self) -> Self {
        self.share(2)
    }

    /// Returns a job of its own with the same limits for one of so many parts of the work that are
    /// still to do: it may take that share of the time that is left. It ends when this one does.
    #[must_use]
    pub fn share(&self, parts: usize) -> Self {
        let left = match self.clock.deadline.load(Ordering::Relaxed) {
            NEVER => None,
            deadline => Some(Duration::from_nanos(deadline).saturating_sub(self.now())),
        };
        let share = left.map(|left| left.as_secs_f64() / parts as f64);
        self.part(share.unwrap_or(f64::INFINITY))
    }

    /// How much time has passed, from when does not matter.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock.time)()
    }

    /// How much time has passed since it was `before`.
    #[must_use]
    pub fn since(&self, before: Duration) -> Duration {
        self.now().saturating_sub(before)
    }

    /// What stops this job from elsewhere.
    #[must_use]
    pub fn handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.clock))
    }

    /// Returns whether the job was asked to stop.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.clock.cancelled.load(Ordering::Relaxed)
    }

    /// What the library may use.
    #[must_use]
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
            looked_at: self.progress.as_ref().map(|watcher| &watcher.looked_at),
        }
    }

    /// Returns the limits for long rows of values that say themselves how many there are to be:
    /// memory, time and the wish to stop.
    #[must_use]
    pub fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// What rules of a file ask whether to go on.
    #[must_use]
    pub fn stop(&self) -> Arc<dyn Fn() -> Option<Stop> + Send + Sync> {
        Arc::clone(&self.stop)
    }

    /// Tells how far it is.
    pub fn report(&self, progress: &Progress) {
        if let Some(watcher) = &self.progress {
            let said = matches!(progress, Progress::Doing(_) | Progress::Note(_));
            watcher.measured.fetch_or(!said, Ordering::Relaxed);
            (watcher.tell)(progress);
        }
    }

    /// Returns whether anybody is told.
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
        held.store(112 << 20, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Ok(()));
        assert_eq!(job.part(1.0).limits().poll(), Ok(()));
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
