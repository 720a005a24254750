//! Scheduling of questions among worker processes. Questions with short answers are answered first.
//!
//! A question starts in the quick lane. If it is not answered within [`QUICK`], its process gets
//! the lowest priority and needs one of a few heavy places. If no heavy place is free, the process
//! is killed. The question then waits for a heavy place and starts again there.
//!
//! Hence a question that takes a millisecond rarely waits longer than [`QUICK`], even while others
//! take seconds. If requests arrive faster than they are answered, the oldest ones wait longer (see
//! `stack.rs`). The number of places bounds the total memory.

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

/// Processor time after which a question must leave the quick lane.
const QUICK: Duration = Duration::from_millis(20);

/// Elapsed time after which a question must leave the quick lane. It applies if other processes
/// occupy the cores.
const QUICK_BUSY: Duration = Duration::from_secs(2);

/// Default number of heavy places, that is, of slow questions that are answered at the same time.
pub const WORKERS: usize = 6;

/// Number of jobs that run at the same time.
pub(crate) const JOBS: usize = 2;

/// Memory limit of a job, as a multiple of that of a question.
const SHARES_OF_JOB: u64 = 3;

/// Limits of a question. The memory limit is lowered if the server has less memory.
const ANSWER: WorkLimits = WorkLimits {
    seconds: 10.0,
    positions: 5_000_000,
    memory: 128 << 20,
    output: 16 << 20,
};

/// Limits of a job. The memory limit is lowered if the server has less memory.
const JOB: WorkLimits = WorkLimits {
    seconds: 600.0,
    positions: 20_000_000,
    memory: SHARES_OF_JOB * ANSWER.memory,
    output: 32 << 20,
};

/// Seconds between the time limit of an answer and the end of its process, which is killed then.
const GRACE: f64 = 3.0;

/// Time in which a cancelled job may return a partial answer. Then its process is killed.
const CANCELLED: Duration = Duration::from_millis(800);

/// Largest number of questions that wait for a place in the quick lane.
const WAITING_QUICK: usize = 2_000;

/// Largest number of questions that wait for a heavy place.
const WAITING_HEAVY: usize = 60;

/// Longest time that a question waits for a heavy place, or for memory to send its answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Largest number of slow questions that are remembered. When it is reached, all of them are
/// forgotten.
const SLOW: usize = 20_000;

/// Largest total size of the answers that are being sent, in units of [`UNIT`] bytes.
const UNDER_WAY: usize = 256 << 10;

/// Unit in which the size of an answer is counted, in bytes.
const UNIT: usize = 1 << 10;

/// The scheduler. It has the worker processes, the places, and the number of waiting requests.
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
    /// The server has too many requests.
    Busy,
    /// The server or a worker process has failed because of a defect.
    Broken,
}

/// A worker process that cannot be started, or ends unexpectedly, counts as a defect.
impl From<io::Error> for Unanswered {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// Questions that were too slow for the quick lane.
///
/// If such a question is asked again, it skips the quick lane. Hence a client that repeats a slow
/// question does not occupy quick places.
#[derive(Debug, Default)]
struct SlowQuestions {
    keys: RandomState,
    /// Hashes of the questions. If another question has the same hash, it only skips the quick
    /// lane.
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

/// A guard that counts a request while it waits. When dropped, it decrements the counter.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(count: &'a AtomicUsize, most: usize) -> Option<Self> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        let waiter = Self(count);
        // The counter is incremented before it is compared. Hence concurrent requests cannot exceed
        // the limit together. If the limit was reached, `waiter` is dropped and decrements the
        // counter.
        (before < most).then_some(waiter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer that is being sent. Its share of the memory for answers is released when it is
/// dropped.
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
    /// Creates a scheduler whose worker processes run `program`. They use at most `memory` bytes
    /// together. The number of heavy places is `workers`.
    pub(crate) fn new(
        program: Program,
        workers: usize,
        memory: u64,
        metrics: Arc<Metrics>,
    ) -> Self {
        // One place more than cores, so that every core has a next question.
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

    /// Returns the answer to a question and its kind. The answer counts as being sent until it is
    /// dropped.
    pub(crate) async fn answer(&self, asked: &RawQuestion) -> Result<(CameTo, Bytes), Unanswered> {
        let Ended { json, came_to } = self.ended(asked).await?;
        // Without this limit, finished answers could fill the memory if clients read slowly.
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

    /// Answers a question: first in the quick lane, then in a heavy place if it is slow.
    async fn ended(&self, asked: &RawQuestion) -> Result<Ended, Unanswered> {
        if !self.slow.knows(asked) {
            let quick = self.quick.acquire().await.ok_or(Unanswered::Busy)?;
            let mut worker = self.crew.worker(Priority::Usual).await?;
            let first = self.first_try(&mut worker, asked, quick).await;
            if let Some(answer) = first {
                return Ok(self.finish(answer, asked, self.answer, worker));
            }
            // Dropping the worker kills its process, which releases its memory.
        }
        let place = timeout(PATIENCE, self.heavy_place()).await;
        let _place = place.map_err(|_| Unanswered::Busy)??;
        let mut worker = self.crew.worker(Priority::Last).await?;
        let never = Notify::new();
        let answer = worker.ask(asked, self.answer, None, &never);
        let answer = within(answer, self.answer.seconds + GRACE).await;
        Ok(self.finish(answer, asked, self.answer, worker))
    }

    /// Asks a question in the quick lane. If it is slow, it continues in a heavy place. Returns
    /// `None` if it is slow and no heavy place is free.
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
            // Processor time is measured because a fast question may wait long for a core on a busy
            // machine. If it cannot be measured, both readings are `MAX`, so `worked` is 0.
            loop {
                if let Ok(answer) = timeout(QUICK, &mut answer).await {
                    break answer;
                }
                let worked = worked().saturating_sub(before);
                // The question is remembered as slow only if its processor time shows it. If only
                // the elapsed time is long, other processes may be the reason.
                if worked >= QUICK {
                    self.slow.note(asked);
                }
                if worked >= QUICK || begun.elapsed() >= QUICK_BUSY {
                    self.metrics.heavy.fetch_add(1, Ordering::Relaxed);
                    place = Some(Arc::clone(&self.heavy).try_acquire_owned().ok()?);
                    // The question continues in the same process, so no work is lost.
                    thread.go_last();
                    drop(quick);
                    break within(answer, self.answer.seconds + GRACE).await;
                }
            }
        };
        // `worker` was borrowed until here, so the priority that it records is updated only now.
        if place.is_some() {
            worker.go_last();
        }
        Some(answer)
    }

    /// Waits for a place and runs a job. Progress is passed to `tell`. A notification of `cancel`
    /// cancels the job.
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
                    // A cancelled job may return a partial answer. If it takes too long, its
                    // process is killed.
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

    /// Converts what a process returned to an answer. Keeps the process for other questions if it
    /// has answered without a defect. If it was too slow, the answer is the time limit. If it
    /// failed in another way, the answer is the memory limit.
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

/// Returns the answer of a process, or a timeout error if it takes longer than `seconds`.
async fn within(
    answer: impl Future<Output = io::Result<Ended>>,
    seconds: f64,
) -> io::Result<Ended> {
    match timeout(Duration::from_secs_f64(seconds), answer).await {
        Ok(answer) => answer,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Returns the error object for a question whose process has died or was killed. The reason is the
/// limit `stop`.
fn stopped(asked: &RawQuestion, stop: &Stop) -> Ended {
    let id = JsonObject::read(&asked.text)
        .ok()
        .and_then(|mut object| object.remove("id"));
    Ended {
        json: error_of(id.as_ref(), &Diagnostic::from(stop.clone())),
        came_to: CameTo::Error,
    }
}
