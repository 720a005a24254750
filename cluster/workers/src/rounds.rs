//! Bulk-synchronous rounds: every worker sends, all messages arrive, and only then does any worker
//! continue.
//!
//! A worker writes its messages for each other worker into an outbox and calls [`Rounds::swap`].
//! The dataflow of the crate `timely` underneath has a single edge, which delivers each message to
//! its receiver. A probe behind that edge reports when all messages of a round have been delivered
//! to all workers. The computation in a round is ordinary code of the calling worker.
//!
//! All workers must call [`Rounds::swap`] equally often and in the same order, because a round ends
//! only when every worker has sent its part. Hence the decision whether another round follows may
//! depend only on data that all workers share: `more`, the tallies, or the due checkpoint.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use grundy_base::{Diagnostic, Limits, Message, Stop};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::dataflow::InputHandle;
use timely::dataflow::operators::vec::Map as _;
use timely::dataflow::operators::{Exchange as _, Input as _, Probe as _, probe};
use timely::worker::Worker;

use crate::checkpoint_options::CheckpointOptions;
use crate::context::{Context, Report};
use crate::termination::Termination;
use crate::wire::{Reader, put};

/// Number of tallies: counters that every worker sends with each round and that are summed over all
/// workers.
pub(crate) const TALLIES: usize = 4;
/// Longest sleep of a waiting worker. After each sleep it checks for an interruption or a lost
/// process.
const MAX_SLEEP: Duration = Duration::from_millis(20);
/// First sleep of a waiting worker. Each later sleep is twice as long, up to [`MAX_SLEEP`].
const FIRST_SLEEP: Duration = Duration::from_micros(100);
/// Number of dataflow steps that a waiting worker takes before it sleeps.
const STEPS: usize = 4;
/// Largest capacity in bytes of the outbox for one worker, however large the memory limit is.
const MAX_ROOM: u64 = 8 << 20;
/// Divisor of the checkpoint interval. At the end of a phase, a checkpoint is due as soon as the
/// interval divided by this number has passed.
const SOON_DIVISOR: u32 = 4;
/// Least capacity in bytes of the outbox for one worker, however small the memory limit is.
const MIN_ROOM: u64 = 1 << 12;

/// A byte buffer that is serialized as a whole instead of element by element.
#[derive(Clone, Debug, Default)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

struct BytesVisitor;

impl serde::de::Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("bytes")
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_byte_buf(BytesVisitor)
    }
}

/// State of the checkpoint timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Due {
    No,
    /// At least 1 / [`SOON_DIVISOR`] of the interval has passed.
    Soon,
    Yes,
}

/// A point of the computation at which a checkpoint can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckpointPoint {
    /// The end of a round that is followed by another one.
    Round,
    /// The end of a phase. The next phase may take long to reach its first checkpoint. So a
    /// checkpoint is written at this point even if only a part of the interval has passed.
    PhaseEnd,
    /// The end of the last phase before the table is written.
    BeforeTable,
}

/// All data that one worker sends to another in one round.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u32,
    from: u32,
    /// The round of the parcel. A faster worker may already have sent its parcels of the next
    /// round.
    round: u64,
    more: bool,
    /// State of the checkpoint timer at the sender.
    due: Due,
    /// Number of bytes that the sender has sent in earlier rounds.
    sent: u64,
    /// Largest number of bytes that the sender has held in memory.
    memory: u64,
    tallies: [u64; TALLIES],
    bytes: Bytes,
}

/// The data that a worker received in one round.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// Received bytes, indexed by the sending worker.
    parcels: Vec<Vec<u8>>,
    /// `true` if at least one worker has more to send.
    pub(crate) more: bool,
    /// Tallies summed over all workers.
    pub(crate) tallies: [u64; TALLIES],
    /// The tallies of each worker separately.
    pub(crate) each: Vec<[u64; TALLIES]>,
}

impl Arrived {
    /// Returns a reader for the data of each sender, with the index of the sender, in the order of
    /// the workers.
    pub(crate) fn readers(&self) -> impl Iterator<Item = (usize, Reader<'_>)> {
        let parcels = self.parcels.iter().enumerate();
        parcels.map(|(from, bytes)| (from, Reader(bytes)))
    }
}

/// The connection of one worker to all workers, itself included.
pub(crate) struct Rounds<'a> {
    worker: Worker,
    input: InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Parcel>>>,
    probe: probe::Handle<u64>,
    arrived: Rc<RefCell<Vec<Parcel>>>,
    outboxes: Vec<Vec<u8>>,
    room: usize,
    context: &'a Context<'a>,
    termination: &'a Termination,
    traffic: Traffic,
    /// Start and length of the checkpoint interval. It is `None` at every worker except worker 0.
    clock: Option<(Instant, Duration)>,
    /// State of the checkpoint timer of worker 0, as of the last round. It is equal on all workers.
    due: Due,
    /// Number of bytes sent by all workers before the last round.
    sent: u64,
    /// Largest number of bytes that any worker held in memory before the last round.
    memory: u64,
    /// Number of checkpoints written so far.
    checkpoints: u64,
}

/// Network and memory statistics of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of rounds. If messages do not fit into one round, each further round counts as well.
    pub rounds: u64,
    /// Bytes sent to other workers.
    pub bytes: u64,
    /// Largest number of bytes held in memory. Only large data structures are counted.
    pub memory: u64,
}

impl std::fmt::Debug for Rounds<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rounds")
            .field("index", &self.index())
            .field("workers", &self.workers())
            .finish_non_exhaustive()
    }
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(
        mut worker: Worker,
        context: &'a Context<'a>,
        termination: &'a Termination,
    ) -> Self {
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let (sink, mut input) = (Rc::clone(&arrived), InputHandle::new());
        let probe = worker.dataflow(|scope| {
            let stream = scope.input_from(&mut input);
            let stream = stream.exchange(|parcel: &Parcel| parcel.to.into());
            let stream = stream.map(move |parcel| sink.borrow_mut().push(parcel));
            stream.probe().0
        });
        let workers = worker.peers();
        // A process has `here * workers` outboxes. Together they take at most an eighth of its
        // memory. The received messages take as much again.
        let here = context.workers_here.max(1) as u64;
        let room = context.memory / (8 * here * workers as u64);
        Self {
            worker,
            input,
            probe,
            arrived,
            outboxes: vec![Vec::new(); workers],
            room: room.clamp(MIN_ROOM, MAX_ROOM) as usize,
            context,
            termination,
            traffic: Traffic::default(),
            clock: None,
            due: Due::No,
            sent: 0,
            memory: 0,
            checkpoints: 0,
        }
    }

    /// Returns the checkpoint options, if checkpoints are enabled.
    pub(crate) fn checkpoint_options(&self) -> Option<&'a CheckpointOptions<'a>> {
        self.context.checkpoint_options.as_ref()
    }

    /// Restarts the checkpoint timer with a new interval.
    pub(crate) fn set_clock(&mut self, every: Duration) {
        // Only the clock of worker 0 counts. With several clocks, workers would disagree on the
        // round in which a checkpoint is due, but all must write it in the same round.
        self.due = Due::No;
        self.clock = (self.index() == 0).then(|| (Instant::now(), every));
    }

    /// Returns whether a checkpoint is due. All workers get the same result at the same point.
    pub(crate) fn is_due(&self, point: CheckpointPoint) -> bool {
        match point {
            CheckpointPoint::Round => self.due == Due::Yes,
            CheckpointPoint::PhaseEnd | CheckpointPoint::BeforeTable => self.due >= Due::Soon,
        }
    }

    /// Passes a message for the user to the callback [`Context::note`].
    pub(crate) fn note(&self, message: Message) {
        (self.context.note)(message);
    }

    /// Returns the index of this worker.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// Returns the number of workers in all processes.
    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    pub(crate) fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Returns the limits of one worker. Its memory limit is that of the process divided by the
    /// number of workers in the process.
    pub(crate) fn limits(&self) -> Limits<'a> {
        Limits {
            positions: self.context.positions,
            memory: self.context.memory / self.context.workers_here.max(1) as u64,
            interrupted: self.context.interrupted,
            visited: None,
        }
    }

    /// Returns the limits for a ranked table. The number of its cells follows from the game, so
    /// only the memory is limited.
    pub(crate) fn table_limits(&self) -> Limits<'a> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Records the bytes held by this worker. Fails if they exceed the worker's share of the
    /// memory.
    pub(crate) fn check_memory(&mut self, bytes: u64) -> Result<(), Stop> {
        self.traffic.memory = self.traffic.memory.max(bytes);
        self.limits().check(1, bytes)
    }

    /// Returns the number of bytes sent by all workers before the last round.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// Adds one to the number of checkpoints written.
    pub(crate) fn count_checkpoint(&mut self) {
        self.checkpoints += 1;
    }

    /// Passes a progress report to the callback, if this is the first worker of its process.
    pub(crate) fn report(&self, report: &Report) {
        if self
            .worker
            .index()
            .is_multiple_of(self.context.workers_here)
        {
            (self.context.report)(&Report {
                rounds: self.traffic.rounds,
                memory: self.memory.max(self.traffic.memory),
                checkpoints: self.checkpoints,
                ..*report
            });
        }
    }

    /// Returns the outbox for messages to a worker.
    #[inline]
    pub(crate) fn outbox(&mut self, worker: usize) -> &mut Vec<u8> {
        &mut self.outboxes[worker]
    }

    /// Returns whether the outbox for a worker is below its capacity.
    #[inline]
    pub(crate) fn has_room_to(&self, worker: usize) -> bool {
        self.outboxes[worker].len() < self.room
    }

    /// Returns whether every outbox is below its capacity.
    pub(crate) fn has_room(&self) -> bool {
        self.outboxes.iter().all(|bytes| bytes.len() < self.room)
    }

    /// Ends a round: sends all outboxes and returns the data received from all workers.
    ///
    /// `more` is `true` if this worker has more to send. If it is set for any worker, then
    /// [`Arrived::more`] is set for all, and all must call `swap` again.
    pub(crate) fn swap(
        &mut self,
        more: bool,
        tallies: [u64; TALLIES],
    ) -> Result<Arrived, Diagnostic> {
        self.poll()?;
        let (me, workers) = (self.index(), self.workers());
        let sent = self.traffic.bytes;
        let due = self.clock.map_or(Due::No, |(last, every)| {
            let passed = last.elapsed();
            if passed >= every {
                Due::Yes
            } else if passed >= every / SOON_DIVISOR {
                Due::Soon
            } else {
                Due::No
            }
        });
        // Every worker sends a parcel to every worker including itself, even if it is empty. So
        // each worker has the flags and tallies of all, and all compute the same sums.
        for (to, bytes) in self.outboxes.iter_mut().enumerate() {
            let bytes = std::mem::take(bytes);
            if to != me {
                self.traffic.bytes += bytes.len() as u64;
            }
            self.input.send(Parcel {
                to: to as u32,
                from: me as u32,
                round: self.traffic.rounds,
                more,
                due,
                sent,
                memory: self.traffic.memory,
                tallies,
                bytes: Bytes(bytes),
            });
        }
        // The frontier of the probe depends on all workers. It passes this time only when all
        // workers have advanced their inputs and all parcels of the round are delivered.
        let next = self.input.time() + 1;
        self.input.advance_to(next);
        let mut sleep = FIRST_SLEEP;
        while self.probe.less_than(self.input.time()) {
            sleep = wait(&mut self.worker, sleep, |_| {
                !self.probe.less_than(self.input.time())
            });
            self.poll()?;
        }
        let mut found = Arrived {
            parcels: vec![Vec::new(); workers],
            more: false,
            tallies: [0; TALLIES],
            each: vec![[0; TALLIES]; workers],
        };
        self.sent = 0;
        // The worker that leaves the loop above first may send its next round before the others
        // have read this one. It cannot be two rounds ahead, because each round needs the parcels
        // of all workers. Hence `arrived` holds parcels of at most two rounds.
        let mut arrived = self.arrived.borrow_mut();
        let round = self.traffic.rounds;
        for parcel in arrived.extract_if(.., |parcel| parcel.round == round) {
            found.more |= parcel.more;
            self.due = self.due.max(parcel.due);
            self.sent += parcel.sent;
            self.memory = self.memory.max(parcel.memory);
            for (sum, tally) in found.tallies.iter_mut().zip(parcel.tallies) {
                // The sum may overflow: some tallies, such as random run numbers, are read from
                // `each` only, and their sum has no meaning.
                *sum = sum.wrapping_add(tally);
            }
            found.each[parcel.from as usize] = parcel.tallies;
            found.parcels[parcel.from as usize] = parcel.bytes.0;
        }
        drop(arrived);
        self.traffic.rounds += 1;
        Ok(found)
    }

    /// Returns the sums of the given numbers over all workers.
    pub(crate) fn sums(&mut self, numbers: [u64; TALLIES]) -> Result<[u64; TALLIES], Diagnostic> {
        Ok(self.swap(false, numbers)?.tallies)
    }

    /// Sends each key to its owner, the worker `key % workers`. At the owner, `answer` encodes the
    /// answer. At the asking worker, `take` receives the answers in the order of the keys.
    ///
    /// All workers must call this together, including those that have no key.
    pub(crate) fn query(
        &mut self,
        mut keys: impl Iterator<Item = u64>,
        mut answer: impl FnMut(u64, &mut Vec<u8>),
        mut take: impl FnMut(&mut Reader<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (me, workers) = (self.index(), self.workers() as u64);
        // `owners` holds the owner of each key in this piece. Each owner answers its keys in the
        // order in which they arrived. Hence reading the answers from the owners in this order
        // restores the order of the keys.
        let (mut owners, mut ended, mut own) = (Vec::new(), false, Vec::new());
        loop {
            owners.clear();
            own.clear();
            while !ended && own.len() < self.room && self.has_room() {
                // Testing the room of all outboxes takes O(workers), so it is done once for every
                // 64 keys.
                for _ in 0..64 {
                    let Some(key) = keys.next() else {
                        ended = true;
                        break;
                    };
                    let owner = (key % workers) as usize;
                    owners.push(owner as u32);
                    if owner == me {
                        // A key that belongs to this worker is answered directly and is not sent.
                        answer(key, &mut own);
                    } else {
                        put(self.outbox(owner), key / workers);
                    }
                }
            }
            let requests = self.swap(!ended, [0; TALLIES])?;
            for (from, mut reader) in requests.readers() {
                while !reader.is_empty() {
                    let key = reader.number()? * workers + me as u64;
                    answer(key, self.outbox(from));
                }
            }
            let answers = self.swap(false, [0; TALLIES])?;
            let mut readers: Vec<Reader<'_>> =
                answers.readers().map(|(_, reader)| reader).collect();
            readers[me] = Reader(&own);
            for &owner in &owners {
                take(&mut readers[owner as usize])?;
            }
            if !requests.more {
                return Ok(());
            }
        }
    }

    /// Fails if the computation was interrupted or a process was lost.
    pub(crate) fn poll(&self) -> Result<(), Diagnostic> {
        if let Some(stop) = (self.context.interrupted)() {
            return Err(stop.into());
        }
        self.termination.check()
    }

    /// Leaves the dataflow together with all other workers.
    pub(crate) fn leave(mut self) -> Result<(), Diagnostic> {
        self.input.close();
        // The dataflow ends only when every worker has closed its input. After that no worker sends
        // anything, so a closed connection is no longer an error.
        let mut sleep = FIRST_SLEEP;
        while self.worker.has_dataflows() {
            sleep = wait(&mut self.worker, sleep, |worker| !worker.has_dataflows());
            self.termination.check()?;
        }
        self.termination.record_finished();
        Ok(())
    }
}

/// Steps the dataflow up to `STEPS` times, and returns `sleep` as soon as `done` is true.
/// Otherwise sleeps for `sleep`, or until a message wakes the thread, and returns the length of the
/// next sleep.
///
/// `Worker::step_or_park` does not let a worker with network connections sleep. Hence this function
/// parks the thread, and incoming messages unpark it. Some messages may still be unprocessed when
/// the thread parks, so the first sleeps are short.
fn wait(worker: &mut Worker, sleep: Duration, done: impl Fn(&Worker) -> bool) -> Duration {
    for _ in 0..STEPS {
        worker.step();
        if done(worker) {
            return sleep;
        }
    }
    thread::park_timeout(sleep);
    MAX_SLEEP.min(2 * sleep)
}
