//! The workers of a process, alone or connected to the workers of other processes.

use std::io;
use std::panic;
use std::sync::Arc;
use std::thread;

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, message};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::worker::Worker;

use crate::context::Context;
use crate::handshake::Handshake;
use crate::link::{ControlHandle, Link};
use crate::rounds::Rounds;
use crate::termination::Termination;

/// The workers of this process, before they are started.
#[derive(Debug)]
pub struct Workers {
    process: usize,
    links: Vec<Option<Link>>,
    termination: Arc<Termination>,
}

impl Workers {
    /// Creates the workers of a single process.
    #[must_use]
    pub fn alone() -> Self {
        Self {
            process: 0,
            links: vec![None],
            termination: Arc::default(),
        }
    }

    /// Connects this process to all other processes of the labelling.
    ///
    /// # Errors
    /// An address that cannot be bound, or another process that cannot be connected, does not know
    /// the secret, or has other settings.
    pub fn connected(handshake: &Handshake<'_>, context: &Context<'_>) -> Result<Self, Diagnostic> {
        let termination = Arc::default();
        let links = handshake.connect_all(&termination, context.interrupted)?;
        Ok(Self {
            process: handshake.process,
            links,
            termination,
        })
    }

    /// Returns whether this process writes the table.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.process == 0
    }

    /// Runs `work` on every worker of this process, together with the workers of all other
    /// processes.
    pub(crate) fn run<T: Send>(
        self,
        context: &Context<'_>,
        work: impl Fn(&mut Rounds<'_>) -> Result<T, Diagnostic> + Sync,
    ) -> Result<Vec<T>, Diagnostic> {
        let Self {
            process,
            links,
            termination,
        } = self;
        let termination = &*termination;
        // The control handles are created first, because the links are moved into the dataflow.
        let handles: io::Result<Vec<ControlHandle>> =
            links.iter().flatten().map(Link::control_handle).collect();
        let handles = handles.map_err(|error| Diagnostic::new(Kind::Io, (&error).into()))?;
        let here = context.workers_here;
        termination.begin(here);
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(here, hooks.refill.clone(), None);
        let (builders, guard): (Vec<Builder>, _) = if handles.is_empty() {
            (inner.into_iter().map(Builder::Process).collect(), None)
        } else {
            let (builders, guard) =
                initialize_networking_from_sockets(inner, links, process, here, hooks)
                    .map_err(|error| Diagnostic::new(Kind::Io, (&error).into()))?;
            (
                builders.into_iter().map(Builder::Tcp).collect(),
                Some(guard),
            )
        };
        let one = |builder: Builder| {
            let _alarm = Alarm(termination);
            let worker = Worker::new(WorkerConfig::default(), builder.build(), None);
            let mut rounds = Rounds::new(worker, context, termination);
            let done = work(&mut rounds).and_then(|done| rounds.leave().map(|()| done));
            if let Err(why) = &done {
                termination.end(why.clone());
            }
            done
        };
        let results: Vec<Result<T, Diagnostic>> = thread::scope(|scope| {
            let heartbeats = handles
                .iter()
                .map(|handle| scope.spawn(|| handle.send_heartbeats(termination)));
            let heartbeats: Vec<_> = heartbeats.collect();
            let mut builders = builders.into_iter();
            // The first worker runs on this thread, the others on scoped threads.
            let first = builders.next();
            let others: Vec<_> = builders
                .map(|builder| scope.spawn(|| one(builder)))
                .collect();
            let first = first.map(one);
            let others = others.into_iter().map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| panic::resume_unwind(panic))
            });
            let results = first.into_iter().chain(others).collect();
            // The reason is sent before the connections are closed, because nothing can be sent
            // afterwards.
            if let Err(why) = termination.check() {
                handles
                    .iter()
                    .for_each(|handle| handle.send_failure(&why.message));
                handles.iter().for_each(ControlHandle::close);
            }
            termination.release();
            heartbeats
                .iter()
                .for_each(|heartbeat| heartbeat.thread().unpark());
            results
        });
        let results: Result<Vec<T>, Diagnostic> = results.into_iter().collect();
        match (results, termination.check()) {
            (Ok(results), Ok(())) => {
                // Dropping the guard waits until the last messages have been sent.
                drop(guard);
                Ok(results)
            }
            (_, Err(why)) | (Err(why), Ok(())) => {
                // After a failure, dropping the guard would wait for its threads, some of which end
                // by a panic. They end without it, so the guard is leaked.
                std::mem::forget(guard);
                Err(why)
            }
        }
    }
}

/// A guard that ends the computation of all workers if its own worker panics. Otherwise the others
/// would wait for that worker's next round forever.
struct Alarm<'a>(&'a Termination);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let message = message!("internal error: a worker thread panicked");
            self.0.end(Diagnostic::new(Kind::Internal, message));
        }
    }
}

/// The data from which a worker creates its message channels.
enum Builder {
    Process(ProcessBuilder),
    Tcp(timely::communication::allocator::zero_copy::allocator::TcpBuilder),
}

impl Builder {
    fn build(self) -> Allocator {
        match self {
            Self::Process(builder) => Allocator::Process(builder.build()),
            Self::Tcp(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

/// Largest number of workers in one process. Every worker sends a message to every other worker, so
/// with more workers most messages would be empty.
const MAX_WORKERS_PER_PROCESS: usize = 256;
/// Largest number of workers in all processes together. An owner is stored in 16 bits, where
/// `u16::MAX` stands for no owner.
const MAX_WORKERS: usize = 65_535;

impl Workers {
    /// Rejects more workers than are allowed in one process or in all processes together. `here` is
    /// the number of workers in each process.
    ///
    /// # Errors
    /// A number of workers above the limit.
    pub fn check_workers(here: usize, processes: usize) -> Result<(), Diagnostic> {
        let (all, most) = (
            here.saturating_mul(processes),
            MAX_WORKERS.min(MAX_WORKERS_PER_PROCESS * processes),
        );
        if all <= most {
            return Ok(());
        }
        let message = message!(
            "{count} workers are too many: the limit is {most}",
            count = all,
            most
        );
        Err(Diagnostic::new(Kind::Range, message).help(message!(
            "use one worker for each core: {option}",
            option = Setting::command_line("workers").with_placeholder("N")
        )))
    }

    /// Rejects a process number that is not an index into the list of hosts.
    ///
    /// # Errors
    /// A process number outside the list.
    pub fn check(hosts: &[String], process: usize) -> Result<(), Diagnostic> {
        if process < hosts.len() {
            return Ok(());
        }
        let message = message!(
            "there is no process {process}: the list of hosts contains {count} hosts, numbered from 0",
            process,
            count = hosts.len()
        );
        Err(Diagnostic::new(Kind::Range, message))
    }
}
