//! Worker processes, which answer questions. If a question needs too much memory, its process is
//! killed, but the server continues.

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

use crate::protocol::{AnswerKind, FromWorker, QuestionHeader, ToWorker, WorkLimits};
use crate::scheduling::Thread;

/// Largest number of idle processes that are kept, for each priority.
const MAX_IDLE: usize = 8;

/// The program that worker processes run: the executable of the server, with certain arguments.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
}

impl Program {
    /// Returns the running program, to be started with these arguments.
    ///
    /// # Errors
    /// The file of the program cannot be found.
    pub fn this(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        // The link refers to the file of this process even if an update has replaced the program.
        // The server and its workers must have the same version.
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

/// A question that has been received, but not parsed.
#[derive(Clone, Debug)]
pub(crate) struct RawQuestion {
    /// The kind of question, such as `solve`.
    pub(crate) name: String,
    /// The text of the question, which should be a JSON object.
    pub(crate) text: Bytes,
}

/// The answer of a process to a question: a JSON object and its kind.
#[derive(Debug)]
pub(crate) struct WorkerAnswer {
    pub(crate) json: String,
    pub(crate) kind: AnswerKind,
}

/// A pool of worker processes.
#[derive(Debug)]
pub(crate) struct WorkerPool {
    program: Program,
    /// Idle processes: first those with the usual priority, then those with the lowest.
    idle: [Mutex<Vec<Worker>>; 2],
}

/// The scheduling priority of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// The usual priority.
    Usual,
    /// The lowest priority. Raising a priority needs privileges, so a process with the lowest
    /// priority keeps it until its end.
    Lowest,
}

/// A worker process, which is killed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The handle of the process. Dropping it kills the process.
    _child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The part of the next line that has been read.
    line: Vec<u8>,
    /// The thread that computes answers in the process.
    thread: Thread,
    priority: Priority,
}

impl WorkerPool {
    pub(crate) fn new(program: Program) -> Self {
        Self {
            program,
            idle: Default::default(),
        }
    }

    /// Returns an idle process with this priority. Starts a process if there is none.
    pub(crate) async fn worker(&self, priority: Priority) -> io::Result<Worker> {
        let idle = self.idle(priority).pop();
        if let Some(worker) = idle {
            return Ok(worker);
        }
        let mut worker = Worker::start(&self.program).await?;
        if priority == Priority::Lowest {
            worker.set_lowest_priority();
        }
        Ok(worker)
    }

    /// Makes a process available for other questions. If the pool has enough idle processes, ends
    /// the process instead.
    pub(crate) fn release(&self, worker: Worker) {
        // If the pool has enough, dropping the worker kills its process.
        let mut idle = self.idle(worker.priority);
        if idle.len() < MAX_IDLE {
            idle.push(worker);
        }
    }

    fn idle(&self, priority: Priority) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        let idle = &self.idle[usize::from(priority == Priority::Lowest)];
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
        // Ctrl-C in a terminal is sent to the whole process group of the server. The workers must
        // not receive it, since the server waits for their answers before it stops.
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
        match worker.read_line().await? {
            Some(FromWorker::Ready(thread)) => worker.thread = Thread::of(thread),
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        Ok(worker)
    }

    /// Reads the next line from the process. Returns `None` if the process has closed its output.
    ///
    /// If this future is dropped, no data are lost: the next call continues with the same line.
    async fn read_line(&mut self) -> io::Result<Option<FromWorker>> {
        self.from.read_until(b'\n', &mut self.line).await?;
        if self.line.is_empty() {
            return Ok(None);
        }
        let message = serde_json::from_slice(&self.line)?;
        self.line.clear();
        Ok(Some(message))
    }

    /// Returns the thread that computes answers in the process.
    pub(crate) fn thread(&self) -> Thread {
        self.thread
    }

    /// Gives the process the lowest priority. From then on, the pool counts it among the processes
    /// with the lowest priority.
    pub(crate) fn set_lowest_priority(&mut self) {
        self.thread.set_lowest_priority();
        self.priority = Priority::Lowest;
    }

    /// Asks a question and waits for its answer.
    ///
    /// Progress reports are passed to `report`. After a notification of `cancel`, the answer
    /// contains what the process has found so far.
    ///
    /// # Errors
    /// The process has ended. It cannot be used again.
    pub(crate) async fn ask(
        &mut self,
        question: &RawQuestion,
        limits: WorkLimits,
        report: Option<&(dyn Fn(Value) + Send + Sync)>,
        cancel: &Notify,
    ) -> io::Result<WorkerAnswer> {
        let header = ToWorker::Ask(QuestionHeader {
            name: question.name.clone(),
            length: question.text.len(),
            limits,
            told: report.is_some(),
        });
        self.send(&header, &question.text).await?;
        loop {
            // If `cancel` is notified first, the future of `read_line` is dropped, which loses no
            // data.
            let message = tokio::select! {
                message = self.read_line() => message?,
                () = cancel.notified() => {
                    self.send(&ToWorker::Cancel, &[]).await?;
                    continue;
                }
            };
            match message {
                Some(FromWorker::Ended(kind, length)) => {
                    let mut json = vec![0; length];
                    self.from.read_exact(&mut json).await?;
                    let json = String::from_utf8(json).map_err(io::Error::other)?;
                    return Ok(WorkerAnswer { json, kind });
                }
                Some(FromWorker::Progress(view)) => {
                    if let Some(report) = report {
                        report(view);
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
