//! Long-running jobs. They report progress and can be cancelled. A job is cancelled if no client
//! follows it.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_analysis::progress::ProgressView;
use serde_json::{Value, to_value};
use tokio::sync::{Notify, watch};

use crate::metrics::Metrics;
use crate::protocol::AnswerKind;
use crate::work::{Unanswered, Work};
use crate::worker_pool::{RawQuestion, WorkerAnswer};

/// Largest number of jobs in the table: waiting, running or finished.
const MAX_JOBS: usize = 64;

/// Largest number of unfinished jobs of one client.
const MAX_JOBS_PER_CLIENT: usize = 4;

/// Largest total size of the finished answers that are kept, in bytes.
const MAX_ANSWER_BYTES: usize = 256 << 20;

/// Time after which an unfinished job is cancelled, if in this time no client has followed it or
/// requested its state.
const UNFOLLOWED_TIMEOUT: Duration = Duration::from_secs(30);

/// Time for which the answer of a finished job is kept.
const ANSWER_LIFETIME: Duration = Duration::from_secs(300);

/// Interval between two cleanups of the table of jobs.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(2);

/// The state of a job.
#[derive(Clone, Debug)]
pub(crate) enum JobState {
    /// The job is waiting or running. The value is its last progress report.
    Running(Value),
    /// The job has ended with an answer or an error object.
    Done(Arc<WorkerAnswer>),
}

/// The id of a job: a random number that cannot be guessed. Every client with the id has access to
/// the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct JobId(u128);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl JobId {
    fn random() -> Option<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(u128::from_le_bytes(bytes)))
    }

    /// Parses the id of a job from 32 hexadecimal digits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        // `from_str_radix` alone would also accept a sign and other lengths.
        let plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = u128::from_str_radix(text, 16).ok()?;
        plain.then_some(Self(id))
    }
}

#[derive(Debug)]
struct JobEntry {
    state: watch::Sender<JobState>,
    cancel: Arc<Notify>,
    client: IpAddr,
    /// Time of the last request about this job.
    last_request: Instant,
    ended: Option<Instant>,
}

/// The table of all jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    entries: Mutex<HashMap<JobId, JobEntry>>,
    work: Arc<Work>,
    metrics: Arc<Metrics>,
}

impl Jobs {
    pub(crate) fn new(work: Arc<Work>, metrics: Arc<Metrics>) -> Self {
        Self {
            entries: Mutex::default(),
            work,
            metrics,
        }
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, JobEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a job for a client.
    pub(crate) fn start(
        self: &Arc<Self>,
        question: RawQuestion,
        client: IpAddr,
    ) -> Result<JobId, Unanswered> {
        let id = JobId::random().ok_or(Unanswered::Broken)?;
        let nothing = to_value(ProgressView::default()).unwrap_or_default();
        let (state, _) = watch::channel(JobState::Running(nothing));
        let cancel = Arc::new(Notify::new());
        // The limits are checked and the job is inserted under one lock. Hence concurrent requests
        // cannot exceed the limits.
        {
            let mut entries = self.entries();
            let unfinished = entries.values();
            let unfinished = unfinished.filter(|job| job.ended.is_none() && job.client == client);
            if entries.len() >= MAX_JOBS || unfinished.count() >= MAX_JOBS_PER_CLIENT {
                return Err(Unanswered::Busy);
            }
            let job = JobEntry {
                state: state.clone(),
                cancel: Arc::clone(&cancel),
                client,
                last_request: Instant::now(),
                ended: None,
            };
            entries.insert(id, job);
        }
        self.metrics.jobs.fetch_add(1, Ordering::Relaxed);
        let jobs = Arc::clone(self);
        tokio::spawn(async move { jobs.run(id, question, &cancel, state).await });
        Ok(id)
    }

    /// Waits until the server can run another job, and runs the job. Publishes its progress and its
    /// answer to `state`.
    async fn run(
        self: Arc<Self>,
        id: JobId,
        question: RawQuestion,
        cancel: &Notify,
        state: watch::Sender<JobState>,
    ) {
        let sender = state.clone();
        let report = move |view| {
            sender.send_replace(JobState::Running(view));
        };
        let ended = self.work.job(&question, &report, cancel).await;
        let ended = ended.unwrap_or_else(|_| WorkerAnswer {
            json: crate::error::defect_error(),
            kind: AnswerKind::Defect,
        });
        state.send_replace(JobState::Done(Arc::new(ended)));
        if let Some(job) = self.entries().get_mut(&id) {
            job.ended = Some(Instant::now());
        }
    }

    /// Returns a channel with the present and future states of a job, or `None` if there is no job
    /// with this id.
    pub(crate) fn follow(&self, id: JobId) -> Option<watch::Receiver<JobState>> {
        let mut entries = self.entries();
        let job = entries.get_mut(&id)?;
        // Each such request keeps the job from being cancelled, even if the client follows no
        // stream.
        job.last_request = Instant::now();
        Some(job.state.subscribe())
    }

    /// Cancels a job. Returns whether the job exists.
    pub(crate) fn cancel(&self, id: JobId) -> bool {
        let entries = self.entries();
        let job = entries.get(&id);
        job.is_some_and(|job| {
            job.cancel.notify_one();
            true
        })
    }

    /// Runs the cleanup periodically, forever.
    pub(crate) async fn clean_up_periodically(self: Arc<Self>) {
        loop {
            tokio::time::sleep(CLEANUP_INTERVAL).await;
            self.clean_up(Instant::now());
        }
    }

    // The present time is an argument, so that tests need not wait.
    fn clean_up(&self, now: Instant) {
        let mut entries = self.entries();
        for job in entries.values_mut() {
            // A job that a client follows by a stream is not cancelled.
            if job.state.receiver_count() > 0 {
                job.last_request = now;
            } else if job.ended.is_none()
                && now.duration_since(job.last_request) >= UNFOLLOWED_TIMEOUT
            {
                job.cancel.notify_one();
            }
        }
        entries.retain(|_, job| {
            let old = job
                .ended
                .is_some_and(|ended| now.duration_since(ended) >= ANSWER_LIFETIME);
            !old
        });
        // If the finished answers are too large together, the oldest are removed.
        let mut ended: Vec<(Instant, JobId, usize)> = Vec::new();
        for (id, job) in entries.iter() {
            if let (Some(when), JobState::Done(answer)) = (job.ended, &*job.state.borrow()) {
                ended.push((when, *id, answer.json.len()));
            }
        }
        ended.sort_by_key(|(when, ..)| std::cmp::Reverse(*when));
        let mut free = MAX_ANSWER_BYTES;
        for (_, id, size) in ended {
            match free.checked_sub(size) {
                Some(left) => free = left,
                None => drop(entries.remove(&id)),
            }
        }
    }
}
