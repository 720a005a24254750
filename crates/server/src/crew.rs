//! Processes that answer questions. A question that needs too much memory kills its own process,
//! but not the server.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Notify;

use crate::protocol::{Asked, CameTo, FromWorker, ToWorker, WorkLimits};
use crate::scheduling::Thread;

/// Most idle processes kept for each priority.
const IDLE: usize = 8;

/// The program to run as a worker: this one, with special arguments.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
}

impl Program {
    /// Returns the running program with these arguments.
    ///
    /// # Errors
    /// A program whose file cannot be found.
    pub fn this(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        // The link refers to the running file even after an update has replaced it. Server and
        // workers must have the same version.
        let link = Path::new("/proc/self/exe");
        Ok(Self {
            path: if link.exists() {
                link.to_owned()
            } else {
                std::env::current_exe()?
            },
            arguments: arguments.into_iter().collect(),
        })
    }
}

/// A question as received.
#[derive(Clone, Debug)]
pub(crate) struct RawQuestion {
    /// The name of the question.
    pub(crate) name: String,
    /// The text, which should be a JSON object.
    pub(crate) text: Bytes,
}

/// The result of a question, as a JSON object.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) json: String,
    pub(crate) came_to: CameTo,
}

/// A pool of worker processes.
#[derive(Debug)]
pub(crate) struct Crew {
    program: Program,
    /// Idle processes of usual and of lowest priority.
    idle: [Mutex<Vec<Worker>>; 2],
}

/// The scheduling priority of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// The usual priority.
    Usual,
    /// The lowest priority. A process cannot return from it, because raising a priority needs
    /// privileges.
    Last,
}

/// A worker process. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The process, which is killed on drop.
    _child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The line read so far.
    line: Vec<u8>,
    /// The thread of the process that answers.
    thread: Thread,
    priority: Priority,
}

impl Crew {
    pub(crate) fn new(program: Program) -> Self {
        Self {
            program,
            idle: Default::default(),
        }
    }

    /// Returns an idle process, or starts one.
    pub(crate) async fn worker(&self, priority: Priority) -> io::Result<Worker> {
        let idle = self.idle(priority).pop();
        if let Some(worker) = idle {
            return Ok(worker);
        }
        let mut worker = Worker::start(&self.program).await?;
        if priority == Priority::Last {
            worker.go_last();
        }
        Ok(worker)
    }

    /// Returns a process to the pool.
    pub(crate) fn put_back(&self, worker: Worker) {
        // A surplus process is dropped, and thereby killed.
        let mut idle = self.idle(worker.priority);
        if idle.len() < IDLE {
            idle.push(worker);
        }
    }

    fn idle(&self, priority: Priority) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        let idle = &self.idle[usize::from(priority == Priority::Last)];
        idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    async fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C in a terminal is sent to the whole process group. The worker must not get it,
        // since the server waits for its answer before it stops.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut worker = Self {
            _child: child,
            to,
            from: BufReader::new(from),
            line: Vec::new(),
            thread: Thread::this(),
            priority: Priority::Usual,
        };
        match worker.hear().await? {
            Some(FromWorker::Ready(thread)) => worker.thread = Thread::of(thread),
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        Ok(worker)
    }

    /// Reads the next line from the process, or `None` at its end.
    ///
    /// Cancel-safe: a partial line stays in the buffer for the next call.
    async fn hear(&mut self) -> io::Result<Option<FromWorker>> {
        self.from.read_until(b'\n', &mut self.line).await?;
        if self.line.is_empty() {
            return Ok(None);
        }
        let said = serde_json::from_slice(&self.line)?;
        self.line.clear();
        Ok(Some(said))
    }

    /// Returns the thread that answers.
    pub(crate) fn thread(&self) -> Thread {
        self.thread
    }

    /// Sets the lowest priority, and records it for the pool.
    pub(crate) fn go_last(&mut self) {
        self.thread.go_last();
        self.priority = Priority::Last;
    }

    /// Asks a question and waits for the answer.
    ///
    /// `tell` receives progress reports. After `cancel` the worker answers with what it has found.
    ///
    /// # Errors
    /// The end of the process, which cannot be used again.
    pub(crate) async fn ask(
        &mut self,
        asked: &RawQuestion,
        limits: WorkLimits,
        tell: Option<&(dyn Fn(Value) + Send + Sync)>,
        cancel: &Notify,
    ) -> io::Result<Ended> {
        let header = ToWorker::Ask(Asked {
            name: asked.name.clone(),
            length: asked.text.len(),
            limits,
            told: tell.is_some(),
        });
        self.send(&header, &asked.text).await?;
        loop {
            // `hear` is cancel-safe, so losing the race to `cancel` loses no data.
            let said = tokio::select! {
                said = self.hear() => said?,
                () = cancel.notified() => {
                    self.send(&ToWorker::Cancel, &[]).await?;
                    continue;
                }
            };
            match said {
                Some(FromWorker::Ended(came_to, length)) => {
                    let mut json = vec![0; length];
                    self.from.read_exact(&mut json).await?;
                    let json = String::from_utf8(json).map_err(io::Error::other)?;
                    return Ok(Ended { json, came_to });
                }
                Some(FromWorker::Progress(view)) => {
                    if let Some(tell) = tell {
                        tell(view);
                    }
                }
                Some(FromWorker::Ready(_)) | None => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
    }

    async fn send(&mut self, line: &ToWorker, bytes: &[u8]) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.to.write_all(&text).await?;
        self.to.write_all(bytes).await?;
        self.to.flush().await
    }
}
