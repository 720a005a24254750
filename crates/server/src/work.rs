//! Scheduling of questions: worker processes answer them, the fast ones first.
//!
//! A question starts in the quick lane. If it does not end within [`QUICK`], its process gets the
//! lowest priority and needs one of a few heavy places. If none is free, the process is killed, and
//! the question waits for a place and starts again there.
//!
//! So a question of a millisecond waits at most for [`QUICK`], even while others take seconds. The
//! number of places bounds the total memory.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use grundy::{Diagnostic, Stop};
use grundy_analysis::request::JsonObject;
use serde_json::Value;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::crew::{Crew, Ended, Priority, Program, RawQuestion, Worker};
use crate::error::error_of;
use crate::metrics::Metrics;
use crate::protocol::{CameTo, WorkLimits};
use crate::stack::{Place, Places};

/// Processor time of a question in the quick lane.
const QUICK: Duration = Duration::from_millis(20);

/// Wall-clock time in the quick lane, in case other processes occupy the cores.
const QUICK_BUSY: Duration = Duration::from_secs(2);

/// Default number of heavy questions that run at the same time.
pub const WORKERS: usize = 6;

/// Number of jobs that run at the same time.
pub(crate) const JOBS: usize = 2;

/// Memory of a job, as a multiple of the memory of a question.
const SHARES_OF_JOB: u64 = 3;

/// Limits of an answer. The memory may be reduced.
const ANSWER: WorkLimits = WorkLimits {
    seconds: 10.0,
    positions: 5_000_000,
    memory: 128 << 20,
    output: 16 << 20,
};

/// Limits of a job. The memory may be reduced.
const JOB: WorkLimits = WorkLimits {
    seconds: 600.0,
    positions: 20_000_000,
    memory: SHARES_OF_JOB * ANSWER.memory,
    output: 32 << 20,
};

/// Seconds after the time limit of an answer, after which its process is killed.
const GRACE: f64 = 3.0;

/// Time limit for the end of a cancelled job.
const CANCELLED: Duration = Duration::from_millis(800);

/// Most questions that wait for a quick place.
const WAITING_QUICK: usize = 2_000;

/// Most questions that wait for a heavy place.
const WAITING_HEAVY: usize = 60;

/// Longest wait for a heavy place, or for room to send an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Most entries of the set of slow questions, which is cleared when full.
const SLOW: usize = 20_000;

/// Most bytes of all answers that are being sent, in units of [`UNIT`].
const UNDER_WAY: usize = 256 << 10;

/// The unit in which answers are counted, in bytes.
const UNIT: usize = 1 << 10;

/// The scheduler: places, and counters of waiting requests.
#[derive(Debug)]
pub(crate) struct Work {
    crew: Crew,
    quick: Arc<Places>,
    heavy: Arc<Semaphore>,
    jobs: Semaphore,
    waiting: AtomicUsize,
    under_way: Arc<Semaphore>,
    slow: SlowQuestions,
    answer: WorkLimits,
    job: WorkLimits,
    metrics: Arc<Metrics>,
}

/// The reason why a question was not answered.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The server is overloaded.
    Busy,
    /// A defect.
    Broken,
}

/// Converts the failure to start a process, or its unexpected end.
impl From<io::Error> for Unanswered {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// Questions that did not end in the quick lane.
///
/// A repeated slow question skips the quick lane. So a client that repeats one does not occupy
/// quick places.
#[derive(Debug, Default)]
struct SlowQuestions {
    keys: RandomState,
    /// Hashes of the questions. A collision only sends a question to the heavy lane.
    known: Mutex<HashSet<u64>>,
}

impl SlowQuestions {
    fn known(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn knows(&self, asked: &RawQuestion) -> bool {
        let hash = self.keys.hash_one((&asked.name, &asked.text));
        self.known().contains(&hash)
    }

    fn note(&self, asked: &RawQuestion) {
        let mut known = self.known();
        if known.len() == SLOW {
            known.clear();
        }
        known.insert(self.keys.hash_one((&asked.name, &asked.text)));
    }
}

/// A guard that counts a waiting request. Dropping it decrements the counter.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(count: &'a AtomicUsize, most: usize) -> Option<Self> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        let waiter = Self(count);
        // Incremented before the comparison, so that concurrent requests cannot pass the limit
        // together. On failure the guard is dropped and undoes the increment.
        (before < most).then_some(waiter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer that is being sent. It holds its share of the buffer until it is dropped.
struct Sent {
    json: String,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.json.as_bytes()
    }
}

impl Work {
    /// Creates a scheduler with processes that run `program`. They use at most `memory` bytes
    /// together, with `workers` places for heavy questions.
    pub(crate) fn new(
        program: Program,
        workers: usize,
        memory: u64,
        metrics: Arc<Metrics>,
    ) -> Self {
        // One place more than cores, so that a core does not idle between two questions.
        let quick = thread::available_parallelism().map_or(2, usize::from) + 1;
        // A process may allocate twice its limit before it is killed, see `WorkLimits::ceiling`.
        // Hence only half of the memory is distributed.
        let shares = (quick + workers) as u64 + JOBS as u64 * SHARES_OF_JOB;
        let share = (memory / 2 / shares).min(ANSWER.memory);
        let of_share = |limits: WorkLimits, shares: u64| WorkLimits {
            memory: share * shares,
            ..limits
        };
        Self {
            crew: Crew::new(program),
            quick: Places::new(quick, WAITING_QUICK),
            heavy: Arc::new(Semaphore::new(workers)),
            jobs: Semaphore::new(JOBS),
            waiting: AtomicUsize::new(0),
            under_way: Arc::new(Semaphore::new(UNDER_WAY)),
            slow: SlowQuestions::default(),
            answer: of_share(ANSWER, 1),
            job: of_share(JOB, SHARES_OF_JOB),
            metrics,
        }
    }

    /// Returns the answer to a question, ready to send.
    pub(crate) async fn answer(&self, asked: &RawQuestion) -> Result<(CameTo, Bytes), Unanswered> {
        let Ended { json, came_to } = self.ended(asked).await?;
        // Clients that read slowly would otherwise fill the memory with finished answers.
        let room = Arc::clone(&self.under_way);
        let room = room.acquire_many_owned((json.len() / UNIT) as u32);
        let room = timeout(PATIENCE, room).await;
        let room = room.map_err(|_| Unanswered::Busy)?;
        let sent = Sent {
            json,
            _room: room.map_err(|_| Unanswered::Broken)?,
        };
        Ok((came_to, Bytes::from_owner(sent)))
    }

    /// Answers a question, in the quick lane first.
    async fn ended(&self, asked: &RawQuestion) -> Result<Ended, Unanswered> {
        if !self.slow.knows(asked) {
            let quick = self.quick.acquire().await.ok_or(Unanswered::Busy)?;
            let mut worker = self.crew.worker(Priority::Usual).await?;
            let first = self.first_try(&mut worker, asked, quick).await;
            if let Some(answer) = first {
                return Ok(self.finish(answer, asked, self.answer, worker));
            }
            // Dropping the worker kills its process and frees its memory.
        }
        let place = timeout(PATIENCE, self.heavy_place()).await;
        let _place = place.map_err(|_| Unanswered::Busy)??;
        let mut worker = self.crew.worker(Priority::Last).await?;
        let never = Notify::new();
        let answer = worker.ask(asked, self.answer, None, &never);
        let answer = within(answer, self.answer.seconds + GRACE).await;
        Ok(self.finish(answer, asked, self.answer, worker))
    }

    /// Runs a question in the quick lane, and continues in a heavy place if it is slow and one is
    /// free. Returns `None` if none is free.
    async fn first_try(
        &self,
        worker: &mut Worker,
        asked: &RawQuestion,
        quick: Place,
    ) -> Option<io::Result<Ended>> {
        let thread = worker.thread();
        let worked = || thread.has_worked().unwrap_or(Duration::MAX);
        let (begun, before) = (Instant::now(), worked());
        let (never, mut place) = (Notify::new(), None);
        let answer = {
            let mut answer = std::pin::pin!(worker.ask(asked, self.answer, None, &never));
            // The processor time decides, not the elapsed time: on a loaded machine a fast question
            // may wait long for a core. Without such a clock `worked` is 0, since both readings are
            // `MAX`.
            loop {
                if let Ok(answer) = timeout(QUICK, &mut answer).await {
                    break answer;
                }
                let worked = worked().saturating_sub(before);
                // Only measured slowness is remembered. A question that ran out of wall-clock time
                // may be a victim of others.
                if worked >= QUICK {
                    self.slow.note(asked);
                }
                if worked >= QUICK || begun.elapsed() >= QUICK_BUSY {
                    self.metrics.heavy.fetch_add(1, Ordering::Relaxed);
                    place = Some(Arc::clone(&self.heavy).try_acquire_owned().ok()?);
                    // The answer continues in the same process, so no work is lost.
                    thread.go_last();
                    drop(quick);
                    break within(answer, self.answer.seconds + GRACE).await;
                }
            }
        };
        // The future above borrowed the worker, so its own record of the priority is updated
        // afterwards.
        if place.is_some() {
            worker.go_last();
        }
        Some(answer)
    }

    /// Waits for a place and runs a job. `tell` receives progress, and `cancel` cancels the job.
    pub(crate) async fn job(
        &self,
        asked: &RawQuestion,
        tell: &(dyn Fn(Value) + Send + Sync),
        cancel: &Notify,
    ) -> Result<Ended, Unanswered> {
        let _place = self.jobs.acquire().await.map_err(|_| Unanswered::Broken)?;
        let mut worker = self.crew.worker(Priority::Last).await?;
        let stop = Notify::new();
        let answer = {
            let answer = worker.ask(asked, self.job, Some(tell), &stop);
            let mut answer = std::pin::pin!(within(answer, self.job.seconds + GRACE));
            tokio::select! {
                answer = &mut answer => answer,
                () = cancel.notified() => {
                    // A cancelled job may still return a partial answer. If it does not within the
                    // limit, its process is killed.
                    stop.notify_one();
                    match timeout(CANCELLED, answer).await {
                        Ok(answer) => answer,
                        Err(_) => return Ok(stopped(asked, &Stop::Interrupted)),
                    }
                }
            }
        };
        Ok(self.finish(answer, asked, self.job, worker))
    }

    /// Converts the result of a process to an answer, and returns the process to the pool. A
    /// timeout becomes a time limit. Any other end is attributed to the memory limit.
    fn finish(
        &self,
        answer: io::Result<Ended>,
        asked: &RawQuestion,
        limits: WorkLimits,
        worker: Worker,
    ) -> Ended {
        match answer {
            Ok(ended) => {
                // After a defect the state of the process is unknown, so it is not used again.
                if ended.came_to != CameTo::Defect {
                    self.crew.put_back(worker);
                }
                ended
            }
            Err(error) => {
                self.metrics.ended.fetch_add(1, Ordering::Relaxed);
                let late = error.kind() == io::ErrorKind::TimedOut;
                let stop = if late {
                    Stop::Time
                } else {
                    Stop::Memory(limits.memory)
                };
                stopped(asked, &stop)
            }
        }
    }

    /// Waits for a heavy place.
    async fn heavy_place(&self) -> Result<OwnedSemaphorePermit, Unanswered> {
        let _waiter = Waiter::new(&self.waiting, WAITING_HEAVY).ok_or(Unanswered::Busy)?;
        let place = Arc::clone(&self.heavy).acquire_owned().await;
        place.map_err(|_| Unanswered::Broken)
    }
}

/// Returns the answer, or a timeout error after a number of seconds.
async fn within(
    answer: impl Future<Output = io::Result<Ended>>,
    seconds: f64,
) -> io::Result<Ended> {
    match timeout(Duration::from_secs_f64(seconds), answer).await {
        Ok(answer) => answer,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Returns the error object for a question whose process was killed or died, with the limit as the
/// reason.
fn stopped(asked: &RawQuestion, stop: &Stop) -> Ended {
    let id = JsonObject::read(&asked.text)
        .ok()
        .and_then(|mut object| object.remove("id"));
    Ended {
        json: error_of(id.as_ref(), &Diagnostic::from(stop.clone())),
        came_to: CameTo::Error,
    }
}
