//! Rounds: every worker sends, everything arrives, and only then does anybody go on.
//!
//! A worker writes what it has for each other worker into an outbox and calls [`Rounds::swap`]. The
//! dataflow below has one edge: an exchange by the worker that is meant, behind which a probe says
//! when a round has arrived everywhere. What is computed in a round is plain code of the worker
//! that calls.

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
use crate::loss::Losses;
use crate::terms::{Report, Terms};
use crate::wire::{Reader, put};

/// Numbers that every worker tells all others with each round, added up.
pub(crate) const TALLIES: usize = 4;
/// How long a worker sleeps at most before it looks whether somebody wants it to end.
const NAP: Duration = Duration::from_millis(20);
/// The first time it sleeps for so long, and each time for twice as long.
const FIRST_NAP: Duration = Duration::from_micros(100);
/// Steps of the dataflow before it sleeps.
const STEPS: usize = 4;
/// Most bytes that wait for one worker, where memory allows it.
const MOST_ROOM: u64 = 8 << 20;
/// At the end of a part of the work a checkpoint is written when such a part of the time has
/// passed.
const SOON: u32 = 4;
/// Least bytes that may wait for one worker.
const LEAST_ROOM: u64 = 1 << 12;

/// Bytes that travel as they are.
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

/// Whether it is time for a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Due {
    No,
    /// A part of the time has passed.
    Soon,
    Yes,
}

/// A place of the work at which a checkpoint can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// The end of a round, with another to come.
    Round,
    /// The end of a part of the work. What follows may take a while in which none can be written,
    /// so that one is written now though it is not time yet.
    End,
    /// The end of all that comes before the table.
    Table,
}

/// All that one worker has for another in one round.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u32,
    from: u32,
    /// The round that it belongs to: whoever is ahead has sent for the next one already.
    round: u64,
    more: bool,
    /// Whether it is time for a checkpoint, or soon will be.
    due: Due,
    /// Bytes that this worker has sent before.
    sent: u64,
    /// Most bytes that this worker has held.
    held: u64,
    tallies: [u64; TALLIES],
    bytes: Bytes,
}

/// What a round brought.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// By the worker that it came from.
    parcels: Vec<Vec<u8>>,
    /// `true` if any worker has more to send.
    pub(crate) more: bool,
    /// The sums over all workers.
    pub(crate) tallies: [u64; TALLIES],
    /// The tallies of each worker.
    pub(crate) each: Vec<[u64; TALLIES]>,
}

impl Arrived {
    /// What came, by the workers from the first to the last.
    pub(crate) fn readers(&self) -> impl Iterator<Item = (usize, Reader<'_>)> {
        let parcels = self.parcels.iter().enumerate();
        parcels.map(|(from, bytes)| (from, Reader(bytes)))
    }
}

/// A worker among its like.
pub(crate) struct Rounds<'a> {
    worker: Worker,
    input: InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Parcel>>>,
    probe: probe::Handle<u64>,
    arrived: Rc<RefCell<Vec<Parcel>>>,
    outbox: Vec<Vec<u8>>,
    room: usize,
    terms: &'a Terms<'a>,
    losses: &'a Losses,
    traffic: Traffic,
    /// When the next checkpoint is due, as the worker knows it that writes.
    clock: Option<(Instant, Duration)>,
    /// Whether one is due, as all workers know it after the same round.
    due: Due,
    /// Bytes that all workers have sent before the last round.
    sent: u64,
    /// Most bytes that any worker has held before it.
    held: u64,
    /// Checkpoints that were written.
    checkpoints: u64,
}

/// What a worker has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Rounds, with those that a large one was split into.
    pub rounds: u64,
    /// Bytes to other workers.
    pub bytes: u64,
    /// Most bytes that were held at a time, as far as they are counted.
    pub held: u64,
}

impl std::fmt::Debug for Rounds<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rounds")
            .field("me", &self.me())
            .field("workers", &self.workers())
            .finish_non_exhaustive()
    }
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(mut worker: Worker, terms: &'a Terms<'a>, losses: &'a Losses) -> Self {
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let (sink, mut input) = (Rc::clone(&arrived), InputHandle::new());
        let probe = worker.dataflow(|scope| {
            let stream = scope.input_from(&mut input);
            let stream = stream.exchange(|parcel: &Parcel| parcel.to.into());
            let stream = stream.map(move |parcel| sink.borrow_mut().push(parcel));
            stream.probe().0
        });
        let workers = worker.peers();
        // What waits to be sent, and the same as it arrives: an eighth of the memory.
        let here = terms.workers_here.max(1) as u64;
        let room = terms.memory / (8 * here * workers as u64);
        Self {
            worker,
            input,
            probe,
            arrived,
            outbox: vec![Vec::new(); workers],
            room: room.clamp(LEAST_ROOM, MOST_ROOM) as usize,
            terms,
            losses,
            traffic: Traffic::default(),
            clock: None,
            due: Due::No,
            sent: 0,
            held: 0,
            checkpoints: 0,
        }
    }

    /// Returns the checkpoints that are wanted.
    pub(crate) fn checkpoint_options(&self) -> Option<&'a CheckpointOptions<'a>> {
        self.terms.checkpoint_options.as_ref()
    }

    /// The next checkpoint is due after this time.
    pub(crate) fn set_clock(&mut self, every: Duration) {
        self.due = Due::No;
        self.clock = (self.me() == 0).then(|| (Instant::now(), every));
    }

    /// Returns whether it is time for a checkpoint, which all workers find at the same place of
    /// their work.
    pub(crate) fn is_due(&self, at: At) -> bool {
        match at {
            At::Round => self.due == Due::Yes,
            At::End | At::Table => self.due >= Due::Soon,
        }
    }

    /// Says something besides, once for all.
    pub(crate) fn note(&self, message: Message) {
        (self.terms.noted)(message);
    }

    /// Returns the number of this worker.
    pub(crate) fn me(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are in all processes.
    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    pub(crate) fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Returns the limits of one worker: its share of what its process may hold.
    pub(crate) fn limits(&self) -> Limits<'a> {
        Limits {
            positions: self.terms.positions,
            memory: self.terms.memory / self.terms.workers_here.max(1) as u64,
            interrupted: self.terms.interrupted,
            looked_at: None,
        }
    }

    /// Returns the same for a table by ranks, which has as many positions as the game: its memory
    /// is what counts.
    pub(crate) fn table_limits(&self) -> Limits<'a> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// So many bytes are held here: refused where that is more than the share of this worker.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<(), Stop> {
        self.traffic.held = self.traffic.held.max(bytes);
        self.limits().check(1, bytes)
    }

    /// Bytes that all workers have sent, but for the last round.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// One more checkpoint was written.
    pub(crate) fn count_checkpoint(&mut self) {
        self.checkpoints += 1;
    }

    /// Reports how far the work is, if this worker does so for its process.
    pub(crate) fn report(&self, report: &Report) {
        if self.worker.index().is_multiple_of(self.terms.workers_here) {
            (self.terms.report)(&Report {
                rounds: self.traffic.rounds,
                held: self.held.max(self.traffic.held),
                checkpoints: self.checkpoints,
                ..*report
            });
        }
    }

    /// Where to write what a worker is to be sent in this round.
    #[inline]
    pub(crate) fn to(&mut self, worker: usize) -> &mut Vec<u8> {
        &mut self.outbox[worker]
    }

    /// Returns whether there is room for more to this worker in this round.
    #[inline]
    pub(crate) fn has_room_to(&self, worker: usize) -> bool {
        self.outbox[worker].len() < self.room
    }

    /// Returns whether there is room for more to every worker.
    pub(crate) fn has_room(&self) -> bool {
        self.outbox.iter().all(|bytes| bytes.len() < self.room)
    }

    /// Ends a round: what was written goes out, and what others wrote has come when this returns.
    /// `more` says that this worker has more to send; where any has, all are told, and swap again.
    pub(crate) fn swap(
        &mut self,
        more: bool,
        tallies: [u64; TALLIES],
    ) -> Result<Arrived, Diagnostic> {
        self.look()?;
        let (me, workers) = (self.me(), self.workers());
        let sent = self.traffic.bytes;
        let due = self.clock.map_or(Due::No, |(last, every)| {
            let passed = last.elapsed();
            if passed >= every {
                Due::Yes
            } else if passed >= every / SOON {
                Due::Soon
            } else {
                Due::No
            }
        });
        for (to, bytes) in self.outbox.iter_mut().enumerate() {
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
                held: self.traffic.held,
                tallies,
                bytes: Bytes(bytes),
            });
        }
        let next = self.input.time() + 1;
        self.input.advance_to(next);
        let mut nap = FIRST_NAP;
        while self.probe.less_than(self.input.time()) {
            nap = wait(&mut self.worker, nap, |_| {
                !self.probe.less_than(self.input.time())
            });
            self.look()?;
        }
        let mut found = Arrived {
            parcels: vec![Vec::new(); workers],
            more: false,
            tallies: [0; TALLIES],
            each: vec![[0; TALLIES]; workers],
        };
        self.sent = 0;
        let mut arrived = self.arrived.borrow_mut();
        let round = self.traffic.rounds;
        for parcel in arrived.extract_if(.., |parcel| parcel.round == round) {
            found.more |= parcel.more;
            self.due = self.due.max(parcel.due);
            self.sent += parcel.sent;
            self.held = self.held.max(parcel.held);
            for (sum, tally) in found.tallies.iter_mut().zip(parcel.tallies) {
                // Some tallies are asked for one by one, and are no numbers to be added.
                *sum = sum.wrapping_add(tally);
            }
            found.each[parcel.from as usize] = parcel.tallies;
            found.parcels[parcel.from as usize] = parcel.bytes.0;
        }
        drop(arrived);
        self.traffic.rounds += 1;
        Ok(found)
    }

    /// Returns the sums of some numbers over all workers.
    pub(crate) fn sums(&mut self, numbers: [u64; TALLIES]) -> Result<[u64; TALLIES], Diagnostic> {
        Ok(self.swap(false, numbers)?.tallies)
    }

    /// Asks the owner of each key, which is `key % workers`, and has `take` read the answers in the
    /// order of the keys. All workers ask together, those too that have nothing to ask.
    pub(crate) fn ask(
        &mut self,
        mut keys: impl Iterator<Item = u64>,
        mut answer: impl FnMut(u64, &mut Vec<u8>),
        mut take: impl FnMut(&mut Reader<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (me, workers) = (self.me(), self.workers() as u64);
        let (mut asked, mut ended, mut own) = (Vec::new(), false, Vec::new());
        loop {
            asked.clear();
            own.clear();
            while !ended && own.len() < self.room && self.has_room() {
                for _ in 0..64 {
                    let Some(key) = keys.next() else {
                        ended = true;
                        break;
                    };
                    let owner = (key % workers) as usize;
                    asked.push(owner as u32);
                    if owner == me {
                        // What is known here need not be asked for.
                        answer(key, &mut own);
                    } else {
                        put(self.to(owner), key / workers);
                    }
                }
            }
            let questions = self.swap(!ended, [0; TALLIES])?;
            for (from, mut reader) in questions.readers() {
                while !reader.is_empty() {
                    let key = reader.number()? * workers + me as u64;
                    answer(key, self.to(from));
                }
            }
            let answers = self.swap(false, [0; TALLIES])?;
            let mut readers: Vec<Reader<'_>> =
                answers.readers().map(|(_, reader)| reader).collect();
            readers[me] = Reader(&own);
            for &owner in &asked {
                take(&mut readers[owner as usize])?;
            }
            if !questions.more {
                return Ok(());
            }
        }
    }

    /// Whether to go on.
    pub(crate) fn look(&self) -> Result<(), Diagnostic> {
        if let Some(stop) = (self.terms.interrupted)() {
            return Err(stop.into());
        }
        self.losses.check()
    }

    /// Ends the work of this worker with all others.
    pub(crate) fn leave(mut self) -> Result<(), Diagnostic> {
        self.input.close();
        let mut nap = FIRST_NAP;
        while self.worker.has_dataflows() {
            nap = wait(&mut self.worker, nap, |worker| !worker.has_dataflows());
            self.losses.check()?;
        }
        self.losses.leave();
        Ok(())
    }
}

/// Goes on as far as can be gone on, and then sleeps until something comes; answers how long to
/// sleep the next time. A worker that hears from other processes does not sleep when the dataflow
/// is told to park it, but is woken up as others are. What may be left to do when it goes to sleep
/// is why the first naps are short.
fn wait(worker: &mut Worker, nap: Duration, done: impl Fn(&Worker) -> bool) -> Duration {
    for _ in 0..STEPS {
        worker.step();
        if done(worker) {
            return nap;
        }
    }
    thread::park_timeout(nap);
    NAP.min(2 * nap)
}
