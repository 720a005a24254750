//! Processes that answer questions. A question that needs too much memory ends its own process, and
//! never the server.

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

/// Idle processes of each kind that are kept.
const IDLE: usize = 8;

/// The program that answers: this one, with arguments that make it a worker.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
}

impl Program {
    /// Returns the program that is running, with these arguments.
    ///
    /// # Errors
    /// A program whose file cannot be found.
    pub fn this(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        // The link leads to the program that runs, also where its file was replaced.
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

/// A question as it was received.
#[derive(Clone, Debug)]
pub(crate) struct RawQuestion {
    /// The name.
    pub(crate) name: String,
    /// The text, which should be an object in JSON.
    pub(crate) text: Bytes,
}

/// The result of a question: an object in JSON.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) json: String,
    pub(crate) came_to: CameTo,
}

/// A pool of processes.
#[derive(Debug)]
pub(crate) struct Crew {
    program: Program,
    /// Idle ones: those that work as everybody does, and those that let others go first.
    idle: [Mutex<Vec<Worker>>; 2],
}

/// The priority of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// As everybody else.
    Usual,
    /// After everybody else. A process stays there.
    Last,
}

/// A process that answers questions. Dropping the value ends the process.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The process, which ends when this is dropped.
    _child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The line that is being read.
    line: Vec<u8>,
    /// Its thread that answers.
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

    /// Returns an idle process, or a new one.
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

    /// Keeps a process for the next question.
    pub(crate) fn put_back(&self, worker: Worker) {
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
        // Ctrl-C in a terminal goes to the group of the server. The server then waits for the
        // answers.
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

    /// Returns the next line that the process says; nothing when it has ended. A call that is given
    /// up loses nothing: the next one goes on.
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

    /// Notes that the process lets others go first from now on, and has it do so.
    pub(crate) fn go_last(&mut self) {
        self.thread.go_last();
        self.priority = Priority::Last;
    }

    /// Has a question answered. `tell` hears of progress; after `cancel` the answer is what is
    /// known.
    ///
    /// # Errors
    /// The end of the process; it cannot be asked again.
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
