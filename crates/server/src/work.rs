//! Work: questions are answered by processes of their own, the quick ones first.
//!
//! A question begins in the quick lane. If it does not end within a moment, it yields to all
//! others: its process gets the lowest priority and needs one of a few heavy places. Where none is
//! free, the process is ended, and the question waits for a place and begins again there. So a
//! question that takes a millisecond waits no longer than that moment for questions that take
//! seconds, and the number of places bounds the memory of all.

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

/// The time that a question may work in the quick lane.
const QUICK: Duration = Duration::from_millis(20);

/// The time that it may be there in all, where others keep the cores busy.
const QUICK_BUSY: Duration = Duration::from_secs(2);

/// Heavy questions at once, where the keeper of the server says nothing else.
pub const WORKERS: usize = 6;

/// Jobs that run at once.
pub(crate) const JOBS: usize = 2;

/// The memory of a job, in shares of a question.
const SHARES_OF_JOB: u64 = 3;

/// The limits of an answer; the memory may be less.
const ANSWER: WorkLimits = WorkLimits {
    seconds: 10.0,
    positions: 5_000_000,
    memory: 128 << 20,
    output: 16 << 20,
};

/// The limits of a job; the memory may be less.
const JOB: WorkLimits = WorkLimits {
    seconds: 600.0,
    positions: 20_000_000,
    memory: SHARES_OF_JOB * ANSWER.memory,
    output: 32 << 20,
};

/// Seconds after its time limit in which an answer must be there.
const GRACE: f64 = 3.0;

/// The time in which work that was cancelled must have ended.
const CANCELLED: Duration = Duration::from_millis(800);

/// Questions that may wait for a quick place.
const WAITING_QUICK: usize = 2_000;

/// Questions that may wait for a heavy place.
const WAITING_HEAVY: usize = 60;

/// The time that a question waits for a heavy place.
const PATIENCE: Duration = Duration::from_secs(20);

/// Slow questions that are known, before they are forgotten.
const SLOW: usize = 20_000;

/// Bytes of all answers that are on their way to those who asked, in units of [`UNIT`].
const UNDER_WAY: usize = 256 << 10;

/// The unit in which answers are counted, in bytes.
const UNIT: usize = 1 << 10;

/// The places, and who waits for them.
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

/// The reason that there is no answer to a question.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// Too much is being worked on.
    Busy,
    /// A defect.
    Broken,
}

/// A process that could not be started or has ended.
impl From<io::Error> for Unanswered {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// Questions that did not end in the quick lane. When they are asked again they do not enter it: a
/// client who repeats a question that takes long keeps nobody else waiting.
#[derive(Debug, Default)]
struct SlowQuestions {
    keys: RandomState,
    /// Their hashes.
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

/// One who waits.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(count: &'a AtomicUsize, most: usize) -> Option<Self> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        let waiter = Self(count);
        (before < most).then_some(waiter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer on its way, with the room that it takes up until it has been sent.
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
    /// Work by processes that run `program`. All together hold at most `memory` bytes, `workers` of
    /// them for heavy questions.
    pub(crate) fn new(
        program: Program,
        workers: usize,
        memory: u64,
        metrics: Arc<Metrics>,
    ) -> Self {
        let quick = thread::available_parallelism().map_or(2, usize::from) + 1;
        // Each process may hold twice its limit before it ends.
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

    /// Returns the answer to a question, as it is sent.
    pub(crate) async fn answer(&self, asked: &RawQuestion) -> Result<(CameTo, Bytes), Unanswered> {
        let Ended { json, came_to } = self.ended(asked).await?;
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

    /// Returns the answer to a question.
    async fn ended(&self, asked: &RawQuestion) -> Result<Ended, Unanswered> {
        if !self.slow.knows(asked) {
            let quick = self.quick.acquire().await.ok_or(Unanswered::Busy)?;
            let mut worker = self.crew.worker(Priority::Usual).await?;
            let first = self.first_try(&mut worker, asked, quick).await;
            if let Some(answer) = first {
                return Ok(self.finish(answer, asked, self.answer, worker));
            }
            // The process ends, and what it holds is free.
        }
        let place = timeout(PATIENCE, self.heavy_place()).await;
        let _place = place.map_err(|_| Unanswered::Busy)??;
        let mut worker = self.crew.worker(Priority::Last).await?;
        let never = Notify::new();
        let answer = worker.ask(asked, self.answer, None, &never);
        let answer = within(answer, self.answer.seconds + GRACE).await;
        Ok(self.finish(answer, asked, self.answer, worker))
    }

    /// Returns the answer of a process in the quick lane, or in a heavy place if the question needs
    /// one and one is free; nothing if none is free.
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
            loop {
                if let Ok(answer) = timeout(QUICK, &mut answer).await {
                    break answer;
                }
                let worked = worked().saturating_sub(before);
                if worked >= QUICK {
                    self.slow.note(asked);
                }
                if worked >= QUICK || begun.elapsed() >= QUICK_BUSY {
                    self.metrics.heavy.fetch_add(1, Ordering::Relaxed);
                    place = Some(Arc::clone(&self.heavy).try_acquire_owned().ok()?);
                    thread.go_last();
                    drop(quick);
                    break within(answer, self.answer.seconds + GRACE).await;
                }
            }
        };
        if place.is_some() {
            worker.go_last();
        }
        Some(answer)
    }

    /// Waits for a place, and has a job answered. `tell` hears of progress; the job is cancelled by
    /// `cancel`.
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

    /// Returns the answer of a process, which is kept for the next question. If it has ended, the
    /// answer is that it needed too much memory; if it does not end, that its time is up.
    fn finish(
        &self,
        answer: io::Result<Ended>,
        asked: &RawQuestion,
        limits: WorkLimits,
        worker: Worker,
    ) -> Ended {
        match answer {
            Ok(ended) => {
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

/// Returns the answer, if it is there within so many seconds.
async fn within(
    answer: impl Future<Output = io::Result<Ended>>,
    seconds: f64,
) -> io::Result<Ended> {
    match timeout(Duration::from_secs_f64(seconds), answer).await {
        Ok(answer) => answer,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Returns the answer to a question whose process was ended or has ended: the limit that it met.
fn stopped(asked: &RawQuestion, stop: &Stop) -> Ended {
    let id = JsonObject::read(&asked.text)
        .ok()
        .and_then(|mut object| object.remove("id"));
    Ended {
        json: error_of(id.as_ref(), &Diagnostic::from(stop.clone())),
        came_to: CameTo::Error,
    }
}
