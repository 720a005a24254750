//! Work: questions are answered on threads of their own, the quick ones first.
//!
//! A question begins in the quick lane. What has not ended after a moment yields to everybody else: its thread gets the lowest priority
//! and needs one of a few heavy places; where none is free it is stopped, waits for one, and begins again there. So a question that takes
//! a millisecond waits for questions that take seconds no longer than for that moment, and what all together may hold in memory is
//! bounded by the number of places.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use grundy::Kind;
use grundy_analysis::Job;
use grundy_analysis::job::StopHandle;
use grundy_analysis::request::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use crate::metrics::Metrics;

/// How long a question may work in the quick lane.
const QUICK: Duration = Duration::from_millis(20);

/// How long it may be there in all, where others keep the cores busy.
const QUICK_BUSY: Duration = Duration::from_secs(2);

/// Seconds that an answer may take.
const SECONDS: f64 = 10.0;

/// Positions of one answer.
const POSITIONS: u64 = 5_000_000;

/// Bytes of one answer.
pub(crate) const MEMORY: u64 = 128 << 20;

/// Heavy questions at once.
const HEAVY: usize = 6;

/// Questions that wait for a quick place, and for a heavy one.
const WAITING: [usize; 2] = [2_000, 60];

/// How long a question waits for a heavy place.
const PATIENCE: Duration = Duration::from_secs(20);

/// Stack of a thread that answers: what is asked is never as deep as it is long, so this is plenty.
const STACK: usize = 16 << 20;

/// The places, and who waits for them.
#[derive(Debug)]
pub(crate) struct Work {
    quick: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    waiting: [AtomicUsize; 2],
    tables: Option<PathBuf>,
    metrics: Arc<Metrics>,
}

/// A question as it was received.
#[derive(Clone, Debug)]
pub(crate) struct RawQuestion {
    /// What it goes by.
    pub(crate) name: String,
    /// An object in JSON, if it is one.
    pub(crate) text: Bytes,
}

/// What came of a question: an object in JSON.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) json: String,
    pub(crate) came_to: CameTo,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CameTo {
    /// An answer.
    Answer,
    /// The question is wrong, or a limit was reached.
    Error,
    /// A defect.
    Defect,
}

/// Why nothing came of a question.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// Too much is being worked on.
    Busy,
    /// A defect.
    Broken,
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

/// A thread at work.
struct Running {
    answer: oneshot::Receiver<Ended>,
    thread: Arc<Thread>,
    stop: StopHandle,
}

/// What is known of a thread on both sides.
#[derive(Default)]
struct Thread {
    /// Itself, once it is there.
    itself: OnceLock<Yielding>,
    /// The heavy place that it has until it ends, whoever asked having gone or not: its memory is in use as long.
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

/// The work stops when nobody waits for it any more.
impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Running {
    fn thread(&self) -> Option<Yielding> {
        self.thread.itself.get().copied()
    }

    /// The thread has a heavy place from now on, and lets others go first.
    fn take(&self, place: OwnedSemaphorePermit) {
        let mut taken = self
            .thread
            .place
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *taken = Some(place);
        if let Some(thread) = self.thread() {
            thread.go_last();
        }
    }

    /// How long it has had a core; as long as you like, where nobody counts it.
    fn has_worked(&self) -> Duration {
        let worked = |thread: Yielding| thread.has_worked().unwrap_or(Duration::MAX);
        self.thread().map_or(Duration::ZERO, worked)
    }
}

impl Work {
    pub(crate) fn new(tables: Option<PathBuf>, metrics: Arc<Metrics>) -> Self {
        let cores = thread::available_parallelism().map_or(2, usize::from);
        Self {
            quick: Arc::new(Semaphore::new(cores + 1)),
            heavy: Arc::new(Semaphore::new(HEAVY)),
            waiting: [AtomicUsize::new(0), AtomicUsize::new(0)],
            tables,
            metrics,
        }
    }

    /// The answer to a question.
    pub(crate) async fn answer(&self, asked: RawQuestion) -> Result<Ended, Unanswered> {
        let quick = self.place(0).await?;
        let mut running = self.start(&asked, false)?;
        let begun = Instant::now();
        loop {
            if let Ok(answer) = timeout(QUICK, &mut running.answer).await {
                return answer.map_err(|_| Unanswered::Broken);
            }
            if running.has_worked() >= QUICK || begun.elapsed() >= QUICK_BUSY {
                break;
            }
        }
        self.metrics.heavy.fetch_add(1, Ordering::Relaxed);
        let heavy = Arc::clone(&self.heavy).try_acquire_owned();
        if let Ok(heavy) = heavy {
            running.take(heavy);
            drop(quick);
        } else {
            // What it has got hold of in that moment is little: others need not wait until it has stopped.
            running.stop.cancel();
            drop(quick);
            let _ = (&mut running.answer).await;
            let heavy = timeout(PATIENCE, self.place(1)).await;
            let heavy = heavy.map_err(|_| Unanswered::Busy)??;
            running = self.start(&asked, true)?;
            running.take(heavy);
        }
        let answer = (&mut running.answer).await;
        answer.map_err(|_| Unanswered::Broken)
    }

    /// Starts a thread with a question.
    fn start(&self, asked: &RawQuestion, last: bool) -> Result<Running, Unanswered> {
        let job = Job::new(POSITIONS, MEMORY);
        let stop = job.handle();
        let thread = Arc::new(Thread::default());
        let known = Arc::clone(&thread);
        let (tell, answer) = oneshot::channel();
        let (asked, tables) = (asked.clone(), self.tables.clone());
        spawn(last, move |yielding| {
            let _ = known.itself.set(yielding);
            // Whoever asked may have gone.
            let _ = tell.send(match Request::read(&asked.name, &asked.text) {
                Ok(request) => ended(&request.beside(tables), &job, SECONDS),
                Err(refusal) => Ended {
                    json: refusal.json(),
                    came_to: CameTo::Error,
                },
            });
        })?;
        Ok(Running {
            answer,
            thread,
            stop,
        })
    }

    /// A place in a lane: 0 is the quick one, 1 the heavy one.
    async fn place(&self, lane: usize) -> Result<OwnedSemaphorePermit, Unanswered> {
        let places = [&self.quick, &self.heavy][lane];
        let _waiter = Waiter::new(&self.waiting[lane], WAITING[lane]).ok_or(Unanswered::Busy)?;
        let place = Arc::clone(places).acquire_owned().await;
        place.map_err(|_| Unanswered::Broken)
    }
}

/// What comes of a question, within the limits of a job and so many seconds.
pub(crate) fn ended(request: &Request, job: &Job, seconds: f64) -> Ended {
    let answered = request.answer_within(job, seconds);
    Ended {
        json: answered.json,
        came_to: match answered.wrong {
            None => CameTo::Answer,
            Some(Kind::Internal) => CameTo::Defect,
            Some(_) => CameTo::Error,
        },
    }
}

/// Runs something on a thread of its own; with the lowest priority where it goes last.
pub(crate) fn spawn(
    last: bool,
    work: impl FnOnce(Yielding) + Send + 'static,
) -> Result<(), Unanswered> {
    let thread = thread::Builder::new()
        .name("answer".into())
        .stack_size(STACK);
    let started = thread.spawn(move || {
        let yielding = Yielding::of_this_thread();
        if last {
            yielding.go_last();
        }
        work(yielding);
    });
    started.map(drop).map_err(|_| Unanswered::Busy)
}

/// A thread that can be asked to let others go first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yielding {
    #[cfg(target_os = "linux")]
    thread: rustix::thread::Pid,
}

impl Yielding {
    fn of_this_thread() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            thread: rustix::thread::gettid(),
        }
    }

    /// How long the thread has had a core, where the operating system tells.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unused_self))]
    fn has_worked(self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            let thread = self.thread.as_raw_nonzero();
            let told = std::fs::read_to_string(format!("/proc/self/task/{thread}/schedstat"));
            let nanoseconds = told.ok()?.split(' ').next()?.parse().ok()?;
            Some(Duration::from_nanos(nanoseconds))
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// The thread works from now on only where nobody else would. Where the operating system has no such thing, it works on as it is.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unused_self))]
    fn go_last(self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(Some(self.thread), 19);
    }
}
