//! A worker process, which answers questions for a server one after another. It reads the questions
//! from standard input, and ends when the input ends.

use std::alloc::System;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::panic;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cap::Cap;
use grundy_analysis::Job;
use grundy_analysis::job::StopHandle;
use grundy_analysis::request::Request;
use grundy_core::Kind;
use serde_json::to_value;

use crate::error::defect_error;
use crate::protocol::{AnswerKind, FromWorker, QuestionHeader, ToWorker};
use crate::scheduling::Thread;

/// Stack size of the thread that computes answers. It suffices for every question, since the
/// recursion depth of the engine is bounded.
const STACK: usize = 16 << 20;

/// Interval between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// An allocator that counts the allocated bytes and has a limit.
pub type Memory = Cap<System>;

/// A question: its header, its text, and the job that answers it.
type Work = (QuestionHeader, Vec<u8>, Job);

/// Answers the questions on standard input until the input ends.
///
/// # Errors
/// An I/O error, or input that does not follow the protocol.
pub fn work(memory: &'static Memory, tables: Option<PathBuf>) -> io::Result<()> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        usual(info);
        // After a panic, the server gets an error object for a defect. It then kills this process.
        let error = defect_error();
        let _ = write(
            &FromWorker::Ended(AnswerKind::Defect, error.len()),
            error.as_bytes(),
        );
    }));
    // Another thread computes the answers, so that this one can read a cancellation in the
    // meantime.
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name("answer".into())
        .stack_size(STACK)
        .spawn(move || answer_all(&receiver, memory, tables.as_ref()))?;
    let mut input = io::stdin().lock();
    let mut stop: Option<StopHandle> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match serde_json::from_slice(&line)? {
            ToWorker::Cancel => {
                if let Some(stop) = &stop {
                    stop.cancel();
                }
            }
            ToWorker::Ask(header) => {
                let mut text = vec![0; header.length];
                input.read_exact(&mut text)?;
                let limits = header.limits;
                let job = Job::new(limits.positions, limits.memory)
                    .with_output_limit(limits.output)
                    .with_memory_meter(|| memory.allocated() as u64);
                stop = Some(job.handle());
                if sender.send((header, text, job)).is_err() {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
    }
}

/// Writes a line of the protocol, and the bytes that follow it.
fn write(line: &FromWorker, bytes: &[u8]) -> io::Result<()> {
    // Progress reports and answers come from different threads. The lock keeps each line together
    // with its bytes.
    let mut out = io::stdout().lock();
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)?;
    out.write_all(bytes)?;
    out.flush()
}

/// Answers the questions from a channel. Ends when the channel is closed, or when the server no
/// longer reads the output.
fn answer_all(receiver: &Receiver<Work>, memory: &'static Memory, tables: Option<&PathBuf>) {
    let thread = Thread::this().number();
    let mut written = write(&FromWorker::Ready(thread), &[]);
    while written.is_ok() {
        let Ok((header, text, job)) = receiver.recv() else {
            return;
        };
        // The limit cannot be set if more is allocated already. Then only the limit of the job
        // applies.
        let _ = memory.set_limit(usize::try_from(header.limits.ceiling()).unwrap_or(usize::MAX));
        let (kind, json) = answer(&header, &text, job, tables.cloned());
        written = write(&FromWorker::Ended(kind, json.len()), json.as_bytes());
    }
}

/// Returns the kind of the answer to a question, and the answer itself.
fn answer(
    header: &QuestionHeader,
    text: &[u8],
    job: Job,
    tables: Option<PathBuf>,
) -> (AnswerKind, String) {
    let request = match Request::read(&header.name, text) {
        Ok(request) => request.with_tables(tables),
        Err(refusal) => return (AnswerKind::Error, refusal.json()),
    };
    let job = if header.told {
        report_progress(job, &request)
    } else {
        job
    };
    let answered = request.answer_within(&job, header.limits.seconds);
    let kind = match answered.error_kind {
        None => AnswerKind::Answer,
        Some(Kind::Internal) => AnswerKind::Defect,
        Some(_) => AnswerKind::Error,
    };
    (kind, answered.json)
}

/// Returns a job that writes progress reports to the server.
fn report_progress(job: Job, request: &Request) -> Job {
    let audience = request.audience;
    let last = Arc::new(Mutex::new(None::<Instant>));
    job.with_progress(move |progress| {
        // The lock is released before writing. If the pipe is blocked, other threads can still
        // check the time.
        {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if last.is_some_and(|last| now.duration_since(last) < REPORT_INTERVAL) {
                return;
            }
            *last = Some(now);
        }
        // If the server has ended, this write fails. The other thread notices the end of the input.
        if let Ok(view) = to_value(progress.view(audience)) {
            let _ = write(&FromWorker::Progress(view), &[]);
        }
    })
}
