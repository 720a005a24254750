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

use crate::crew::{Ended, RawQuestion};
use crate::metrics::Metrics;
use crate::protocol::CameTo;
use crate::work::{Unanswered, Work};

/// Largest number of jobs that are known at the same time: waiting, running or finished.
const KNOWN: usize = 64;

/// Largest number of unfinished jobs of one client.
const OF_ONE: usize = 4;

/// Largest total size of the finished answers that are kept, in bytes.
const KEPT: usize = 256 << 20;

/// Time after which a job is cancelled if no client has followed it or asked for it.
const ALONE: Duration = Duration::from_secs(30);

/// Time for which the answer of a finished job is kept.
const REMEMBERED: Duration = Duration::from_secs(300);

/// Interval between two cleanups of the table of jobs.
const ROUND: Duration = Duration::from_secs(2);

/// The state of a job.
#[derive(Clone, Debug)]
pub(crate) enum Stands {
    /// The job is waiting or running. The value is its last progress report.
    Running(Value),
    /// The job has ended with an answer or an error object.
    Done(Arc<Ended>),
}

/// The name of a job: a random number that cannot be guessed. Every client that knows it has access
/// to the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(u128);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Name {
    fn any() -> Option<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(u128::from_le_bytes(bytes)))
    }

    /// Parses the name of a job.
    pub(crate) fn read(text: &str) -> Option<Self> {
        // `from_str_radix` alone would also accept a sign and other lengths.
        let plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let name = u128::from_str_radix(text, 16).ok()?;
        plain.then_some(Self(name))
    }
}

#[derive(Debug)]
struct JobEntry {
    stands: watch::Sender<Stands>,
    cancel: Arc<Notify>,
    client: IpAddr,
    /// Time of the last request about this job.
    asked: Instant,
    ended: Option<Instant>,
}

/// The table of all known jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    known: Mutex<HashMap<Name, JobEntry>>,
    work: Arc<Work>,
    metrics: Arc<Metrics>,
}

impl Jobs {
    pub(crate) fn new(work: Arc<Work>, metrics: Arc<Metrics>) -> Self {
        Self {
            known: Mutex::default(),
            work,
            metrics,
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<Name, JobEntry>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a job for a client.
    pub(crate) fn begin(
        self: &Arc<Self>,
        asked: RawQuestion,
        client: IpAddr,
    ) -> Result<Name, Unanswered> {
        let name = Name::any().ok_or(Unanswered::Broken)?;
        let nothing = to_value(ProgressView::default()).unwrap_or_default();
        let (stands, _) = watch::channel(Stands::Running(nothing));
        let cancel = Arc::new(Notify::new());
        // The limits are checked and the job is inserted under one lock. Hence concurrent requests
        // cannot exceed the limits.
        {
            let mut known = self.known();
            let own = known.values();
            let own = own.filter(|job| job.ended.is_none() && job.client == client);
            if known.len() >= KNOWN || own.count() >= OF_ONE {
                return Err(Unanswered::Busy);
            }
            let job = JobEntry {
                stands: stands.clone(),
                cancel: Arc::clone(&cancel),
                client,
                asked: Instant::now(),
                ended: None,
            };
            known.insert(name, job);
        }
        self.metrics.jobs.fetch_add(1, Ordering::Relaxed);
        let jobs = Arc::clone(self);
        tokio::spawn(async move { jobs.run(name, asked, &cancel, stands).await });
        Ok(name)
    }

    /// Waits for a place and runs the job.
    async fn run(
        self: Arc<Self>,
        name: Name,
        asked: RawQuestion,
        cancel: &Notify,
        stands: watch::Sender<Stands>,
    ) {
        let teller = stands.clone();
        let tell = move |view| {
            teller.send_replace(Stands::Running(view));
        };
        let ended = self.work.job(&asked, &tell, cancel).await;
        let ended = ended.unwrap_or_else(|_| Ended {
            json: crate::error::broken(),
            came_to: CameTo::Defect,
        });
        stands.send_replace(Stands::Done(Arc::new(ended)));
        if let Some(job) = self.known().get_mut(&name) {
            job.ended = Some(Instant::now());
        }
    }

    /// Returns a channel with the present and future states of a job, or `None` if it is unknown.
    pub(crate) fn follow(&self, name: Name) -> Option<watch::Receiver<Stands>> {
        let mut known = self.known();
        let job = known.get_mut(&name)?;
        // Each such request keeps the job from being cancelled, even if the client follows no
        // stream.
        job.asked = Instant::now();
        Some(job.stands.subscribe())
    }

    /// Cancels a job. Returns whether the job exists.
    pub(crate) fn cancel(&self, name: Name) -> bool {
        let known = self.known();
        let job = known.get(&name);
        job.is_some_and(|job| {
            job.cancel.notify_one();
            true
        })
    }

    /// Runs the cleanup periodically, forever.
    pub(crate) async fn look_after(self: Arc<Self>) {
        loop {
            tokio::time::sleep(ROUND).await;
            self.tidy(Instant::now());
        }
    }

    // The present time is an argument, so that tests need not wait.
    fn tidy(&self, now: Instant) {
        let mut known = self.known();
        for job in known.values_mut() {
            // A job that a client follows by a stream is not cancelled.
            if job.stands.receiver_count() > 0 {
                job.asked = now;
            } else if job.ended.is_none() && now.duration_since(job.asked) >= ALONE {
                job.cancel.notify_one();
            }
        }
        known.retain(|_, job| {
            let old = job
                .ended
                .is_some_and(|ended| now.duration_since(ended) >= REMEMBERED);
            !old
        });
        // If the finished answers are too large together, the oldest are removed.
        let mut ended: Vec<(Instant, Name, usize)> = Vec::new();
        for (name, job) in known.iter() {
            if let (Some(when), Stands::Done(answer)) = (job.ended, &*job.stands.borrow()) {
                ended.push((when, *name, answer.json.len()));
            }
        }
        ended.sort_by_key(|(when, ..)| std::cmp::Reverse(*when));
        let mut room = KEPT;
        for (_, name, size) in ended {
            match room.checked_sub(size) {
                Some(left) => room = left,
                None => drop(known.remove(&name)),
            }
        }
    }
}
