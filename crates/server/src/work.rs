//! Scheduling of questions among worker processes. Questions that need little processor time are
//! answered first.
//!
//! A place is a permit to run one question. A question starts in the quick lane. If it is not
//! answered within [`QUICK`], its process gets the lowest priority and needs one of a few heavy
//! places. If no heavy place is free, the process is killed. The question then waits for a heavy
//! place and starts again there.
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
use grundy_analysis::request::JsonObject;
use grundy_core::{Diagnostic, Stop};
use serde_json::Value;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::error_of;
use crate::metrics::Metrics;
use crate::protocol::{AnswerKind, WorkLimits};
use crate::stack::{Place, Places};
use crate::worker_pool::{Priority, Program, RawQuestion, Worker, WorkerAnswer, WorkerPool};

/// Processor time after which a question must leave the quick lane, in which every question starts.
const QUICK: Duration = Duration::from_millis(20);

/// Elapsed time after which a question must leave the quick lane (in which it starts), whatever its
/// processor time. This limit matters if other processes occupy the cores.
const QUICK_BUSY: Duration = Duration::from_secs(2);

/// Default number of heavy places. A heavy place is a permit to run a slow question, so at most
/// this number of slow questions run at the same time.
pub const WORKERS: usize = 6;

/// Largest number of jobs (long-running questions that report their progress) that run at the same
/// time.
pub(crate) const JOBS: usize = 2;

/// Memory limit of a job (a long-running question), as a multiple of the memory limit of an
/// ordinary question.
const SHARES_PER_JOB: u64 = 3;

/// Limits of an ordinary question, which is not a job. The memory limit is lowered if the server
/// has less memory.
const ANSWER: WorkLimits = WorkLimits {
    seconds: 10.0,
    positions: 5_000_000,
    memory: 128 << 20,
    output: 16 << 20,
};

/// Limits of a job, that is, of a long-running question. The memory limit is lowered if the server
/// has less memory.
const JOB: WorkLimits = WorkLimits {
    seconds: 600.0,
    positions: 20_000_000,
    memory: SHARES_PER_JOB * ANSWER.memory,
    output: 32 << 20,
};

/// Seconds between the time limit of an answer and the time at which its process is killed.
const GRACE: f64 = 3.0;

/// Time in which a cancelled job (a long-running question) may return a partial answer. After this
/// time, the process of the job is killed.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(800);

/// Largest number of questions that wait for a permit to start in the quick lane.
const WAITING_QUICK: usize = 2_000;

/// Largest number of questions that wait for a heavy place, that is, a permit to run a slow
/// question.
const WAITING_HEAVY: usize = 60;

/// Longest time that a question waits for a heavy place (a permit to run a slow question), or for
/// memory to send its answer.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Largest number of questions that are remembered as too slow for the quick lane. If this number
/// is exceeded, all earlier questions are forgotten.
const MAX_SLOW: usize = 20_000;

/// Largest total size of the answers that are being sent, in units of [`SENDING_UNIT`] bytes.
const MAX_SENDING: usize = 256 << 10;

/// Unit in which the size of an answer is counted, in bytes.
const SENDING_UNIT: usize = 1 << 10;

/// The scheduler of questions: the pool of worker processes, the permits to run questions, and the
/// number of waiting requests.
#[derive(Debug)]
pub(crate) struct Work {
    pool: WorkerPool,
    quick: Arc<Places>,
    heavy: Arc<Semaphore>,
    jobs: Semaphore,
    waiting: AtomicUsize,
    sending: Arc<Semaphore>,
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

/// The questions that were too slow for the quick lane, in which every new question starts.
///
/// A question in this set skips the quick lane when it is asked again. Hence a client that repeats
/// a slow question does not occupy permits of the quick lane.
#[derive(Debug, Default)]
struct SlowQuestions {
    keys: RandomState,
    /// Hashes of the slow questions. A fast question that happens to have one of these hashes skips
    /// the quick lane, too, which does no harm.
    hashes: Mutex<HashSet<u64>>,
}

impl SlowQuestions {
    fn hashes(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn contains(&self, question: &RawQuestion) -> bool {
        let hash = self.keys.hash_one((&question.name, &question.text));
        self.hashes().contains(&hash)
    }

    fn insert(&self, question: &RawQuestion) {
        let mut hashes = self.hashes();
        if hashes.len() == MAX_SLOW {
            hashes.clear();
        }
        hashes.insert(self.keys.hash_one((&question.name, &question.text)));
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

/// An answer that is being sent. It holds a permit for its share of the memory for answers.
/// Dropping the value releases the permit.
struct SentAnswer {
    json: String,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for SentAnswer {
    fn as_ref(&self) -> &[u8] {
        self.json.as_bytes()
    }
}

impl Work {
    /// Creates a scheduler whose worker processes run `program` and use at most `memory` bytes
    /// together. At most `workers` slow questions are answered at the same time.
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
        let shares = (quick + workers) as u64 + JOBS as u64 * SHARES_PER_JOB;
        let share = (memory / 2 / shares).min(ANSWER.memory);
        let of_share = |limits: WorkLimits, shares: u64| WorkLimits {
            memory: share * shares,
            ..limits
        };
        Self {
            pool: WorkerPool::new(program),
            quick: Places::new(quick, WAITING_QUICK),
            heavy: Arc::new(Semaphore::new(workers)),
            jobs: Semaphore::new(JOBS),
            waiting: AtomicUsize::new(0),
            sending: Arc::new(Semaphore::new(MAX_SENDING)),
            slow: SlowQuestions::default(),
            answer: of_share(ANSWER, 1),
            job: of_share(JOB, SHARES_PER_JOB),
            metrics,
        }
    }

    /// Answers a question. Returns the kind of the answer and its bytes. Until the bytes are
    /// dropped, they count towards the limit on answers that are being sent.
    pub(crate) async fn answer(
        &self,
        question: &RawQuestion,
    ) -> Result<(AnswerKind, Bytes), Unanswered> {
        let WorkerAnswer { json, kind } = self.answer_in_lanes(question).await?;
        // Without this limit, finished answers could fill the memory if clients read slowly.
        let permit = Arc::clone(&self.sending);
        let permit = permit.acquire_many_owned((json.len() / SENDING_UNIT) as u32);
        let permit = timeout(MAX_WAIT, permit).await;
        let permit = permit.map_err(|_| Unanswered::Busy)?;
        let sent = SentAnswer {
            json,
            _permit: permit.map_err(|_| Unanswered::Broken)?,
        };
        Ok((kind, Bytes::from_owner(sent)))
    }

    /// Answers a question, first in the quick lane. A question that is too slow for this lane needs
    /// a heavy place, that is, a permit to run a slow question.
    async fn answer_in_lanes(&self, question: &RawQuestion) -> Result<WorkerAnswer, Unanswered> {
        if !self.slow.contains(question) {
            let quick = self.quick.acquire().await.ok_or(Unanswered::Busy)?;
            let mut worker = self.pool.worker(Priority::Usual).await?;
            let first = self.first_try(&mut worker, question, quick).await;
            if let Some(answer) = first {
                return Ok(self.finish(answer, question, self.answer, worker));
            }
            // Dropping the worker kills its process, which releases its memory.
        }
        let place = timeout(MAX_WAIT, self.heavy_place()).await;
        let _place = place.map_err(|_| Unanswered::Busy)??;
        let mut worker = self.pool.worker(Priority::Lowest).await?;
        let never = Notify::new();
        let answer = worker.ask(question, self.answer, None, &never);
        let answer = with_timeout(answer, self.answer.seconds + GRACE).await;
        Ok(self.finish(answer, question, self.answer, worker))
    }

    /// Answers a question in the quick lane. A question that turns out to be slow continues with a
    /// heavy place, a permit to run a slow question. Returns `None` if no heavy place is free.
    async fn first_try(
        &self,
        worker: &mut Worker,
        question: &RawQuestion,
        quick: Place,
    ) -> Option<io::Result<WorkerAnswer>> {
        let thread = worker.thread();
        let worked = || thread.cpu_time().unwrap_or(Duration::MAX);
        let (start, before) = (Instant::now(), worked());
        let (never, mut place) = (Notify::new(), None);
        let answer = {
            let mut answer = std::pin::pin!(worker.ask(question, self.answer, None, &never));
            // Processor time is measured because a fast question may wait long for a core on a busy
            // machine. If it cannot be measured, both readings are `MAX`, so `worked` is 0.
            loop {
                if let Ok(answer) = timeout(QUICK, &mut answer).await {
                    break answer;
                }
                let worked = worked().saturating_sub(before);
                // The question is recorded as slow only if it used much processor time. If only the
                // elapsed time is long, other processes may be the reason.
                if worked >= QUICK {
                    self.slow.insert(question);
                }
                if worked >= QUICK || start.elapsed() >= QUICK_BUSY {
                    self.metrics.heavy.fetch_add(1, Ordering::Relaxed);
                    place = Some(Arc::clone(&self.heavy).try_acquire_owned().ok()?);
                    // The question continues in the same process, so no work is lost.
                    thread.set_lowest_priority();
                    drop(quick);
                    break with_timeout(answer, self.answer.seconds + GRACE).await;
                }
            }
        };
        // `worker` was borrowed until here, so the priority that it records is updated only now.
        if place.is_some() {
            worker.set_lowest_priority();
        }
        Some(answer)
    }

    /// Waits for a permit and runs a job, that is, a long-running question. Progress is passed to
    /// `report`. A notification of `cancel` cancels the job.
    pub(crate) async fn job(
        &self,
        question: &RawQuestion,
        report: &(dyn Fn(Value) + Send + Sync),
        cancel: &Notify,
    ) -> Result<WorkerAnswer, Unanswered> {
        let _place = self.jobs.acquire().await.map_err(|_| Unanswered::Broken)?;
        let mut worker = self.pool.worker(Priority::Lowest).await?;
        let stop = Notify::new();
        let answer = {
            let answer = worker.ask(question, self.job, Some(report), &stop);
            let mut answer = std::pin::pin!(with_timeout(answer, self.job.seconds + GRACE));
            tokio::select! {
                answer = &mut answer => answer,
                () = cancel.notified() => {
                    // A cancelled job may return a partial answer. If it takes too long, its
                    // process is killed.
                    stop.notify_one();
                    match timeout(CANCEL_TIMEOUT, answer).await {
                        Ok(answer) => answer,
                        Err(_) => return Ok(limit_answer(question, &Stop::Interrupted)),
                    }
                }
            }
        };
        Ok(self.finish(answer, question, self.job, worker))
    }

    /// Returns the answer of a process, or an error object if the process failed. A timeout becomes
    /// a time limit error, and any other failure a memory limit error. Puts the process back into
    /// the pool if it has answered without a defect.
    fn finish(
        &self,
        answer: io::Result<WorkerAnswer>,
        question: &RawQuestion,
        limits: WorkLimits,
        worker: Worker,
    ) -> WorkerAnswer {
        match answer {
            Ok(ended) => {
                // After a defect the state of the process is unknown, so it is not used again.
                if ended.kind != AnswerKind::Defect {
                    self.pool.release(worker);
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
                limit_answer(question, &stop)
            }
        }
    }

    /// Waits for a heavy place, that is, a permit to run a slow question.
    async fn heavy_place(&self) -> Result<OwnedSemaphorePermit, Unanswered> {
        let _waiter = Waiter::new(&self.waiting, WAITING_HEAVY).ok_or(Unanswered::Busy)?;
        let place = Arc::clone(&self.heavy).acquire_owned().await;
        place.map_err(|_| Unanswered::Broken)
    }
}

/// Returns the answer of a process, or a timeout error if it takes longer than `seconds`.
async fn with_timeout(
    answer: impl Future<Output = io::Result<WorkerAnswer>>,
    seconds: f64,
) -> io::Result<WorkerAnswer> {
    match timeout(Duration::from_secs_f64(seconds), answer).await {
        Ok(answer) => answer,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Returns the error object for a question whose process has died or was killed. It reports the
/// limit `stop`.
fn limit_answer(question: &RawQuestion, stop: &Stop) -> WorkerAnswer {
    let id = JsonObject::read(&question.text)
        .ok()
        .and_then(|mut object| object.remove("id"));
    WorkerAnswer {
        json: error_of(id.as_ref(), &Diagnostic::from(stop.clone())),
        kind: AnswerKind::Error,
    }
}
