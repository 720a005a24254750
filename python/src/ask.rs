//! Questions and answers in JSON.

use std::ffi::CString;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_analysis::request::Request;
use grundy_analysis::{Job, Progress};
use grundy_core::argument::Argument;
use grundy_core::dynamic::{DynamicGame, DynamicPosition};
use grundy_core::heap::HeapRules;
use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Kind, Limits, Position, Stop, Term, message};
use grundy_notation::{Games, NoGames};
use grundy_rules::RuleFile;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::MEMORY;
use crate::native_position::NativePosition;
use crate::rule::{Rule, RuleText};

/// Time between two checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// The name that a question uses for its position. If a second position is compared with the first
/// one, its name is `OTHER`.
const IT: &str = "it";
const OTHER: &str = "other";

/// The names that the expressions in a question may use. A name denotes a position, rules that the
/// caller passes, or rules that a rule file defines.
pub(crate) struct Names {
    positions: Vec<(&'static str, Position)>,
    rules: Vec<(String, DynamicGame)>,
    file: Option<Arc<RuleFile>>,
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl Names {
    pub(crate) fn new(
        positions: Vec<(&'static str, Position)>,
        rules: Vec<(String, DynamicGame)>,
        file: Option<Arc<RuleFile>>,
    ) -> Self {
        Self {
            positions,
            rules,
            file,
        }
    }
}

impl Games for Names {
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        // If a name occurs twice, rules that the caller passed have precedence over those of the
        // file.
        if let Some((_, game)) = self.rules.iter().find(|(name, _)| name == rules) {
            return Ok(Arc::new(Term::new(game.clone(), vec![start])));
        }
        match &self.file {
            Some(file) => file.game(rules, start),
            None if self.rules.is_empty() => NoGames.game(rules, start),
            None => Err(Diagnostic::new(
                Kind::UnknownName,
                message!("there are no rules named `{name}`", name = rules),
            )
            .at([0])
            .help(message!("pass them with rules="))),
        }
    }

    fn heap_rules(&self, rules: &str, limits: &Limits<'_>) -> Result<Option<HeapRules>, Stop> {
        // Nothing is known about the callables that the caller passed.
        let is_passed = self.rules.iter().any(|(name, _)| name == rules);
        match &self.file {
            Some(file) if !is_passed => file.heap_rules(rules, limits),
            _ => Ok(None),
        }
    }

    fn argument(&self, name: &str) -> Result<Option<Argument>, Diagnostic> {
        match &self.file {
            Some(file) => file.argument(name),
            None => Ok(None),
        }
    }

    fn position(&self, name: &str) -> Option<Position> {
        let mut positions = self.positions.iter();
        let found = positions.find(|(known, _)| *known == name);
        found.map(|(_, position)| position.clone())
    }
}

/// Returns the text of a progress report. Also returns its two numbers, which are usually the work
/// done and the total work, if the report has them.
fn progress_text(progress: &Progress) -> (String, Option<(u64, u64)>) {
    let words = |message: &grundy_core::Message| message.to_string();
    match progress {
        Progress::Reading { read, of } => ("reading".to_owned(), Some((*read, *of))),
        Progress::Exploring { visited, found } => {
            ("exploring".to_owned(), Some((*visited, *found)))
        }
        Progress::Computing { computed, of, note } => {
            let note = note.as_ref().map(words).unwrap_or_default();
            (note, Some((*computed, *of)))
        }
        Progress::Searching {
            visited,
            per_second,
        } => (format!("{visited} positions, {per_second} a second"), None),
        Progress::Doing(what) | Progress::Note(what) => (words(what), None),
    }
}

/// The exception that a callback has raised while a job was running.
#[derive(Clone, Default)]
pub(crate) struct CallbackError(Arc<Mutex<Option<PyErr>>>);

impl CallbackError {
    fn set(&self, error: PyErr) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert(error);
    }

    /// Returns the exception as an error, if a callback has raised one, and forgets it.
    pub(crate) fn check(&self) -> PyResult<()> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.take().map_or(Ok(()), Err)
    }
}

/// Issues a `UserWarning` for the line of the caller of the package.
fn warn(py: Python<'_>, what: &str) -> PyResult<()> {
    let text = CString::new(what.replace('\0', " "))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Creates a job that Ctrl-C interrupts and that reports its progress. If a limit is `None`, its
/// default applies.
pub(crate) fn job(
    positions: Option<u64>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> (Job, CallbackError) {
    let usual = Limits::default();
    let callback_error = CallbackError::default();
    let caught = callback_error.clone();
    let job = Job::new(
        positions.unwrap_or(usual.positions),
        memory.unwrap_or(usual.memory),
    );
    // Memory that the process has already allocated does not count towards the limit of this job.
    let before = MEMORY.allocated();
    let job = job.with_memory_meter(move || MEMORY.allocated().saturating_sub(before) as u64);
    // Signal handlers run only in the main thread while it is attached to the interpreter. Hence
    // the job regularly attaches and runs them. Ctrl-C then raises an exception.
    let job = job.with_poll(SIGNAL_INTERVAL, move || {
        Python::attach(|py| match py.check_signals() {
            Ok(()) => false,
            Err(error) => {
                caught.set(error);
                true
            }
        })
    });
    let (handle, caught) = (job.handle(), callback_error.clone());
    let job = job.with_warnings(move |what| {
        Python::attach(|py| {
            // The filters of Python may turn a warning into an exception, which ends the job.
            if let Err(error) = warn(py, what) {
                caught.set(error);
                handle.cancel();
            }
        });
    });
    let Some(progress) = progress else {
        return (job, callback_error);
    };
    let (last, caught) = (Mutex::new(Instant::now()), callback_error.clone());
    let handle = job.handle();
    let job = job.with_progress(move |report| {
        // The lock is released before attaching to the interpreter. Otherwise another thread could
        // hold the interpreter and wait for the lock.
        {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() < REPORT_INTERVAL {
                return;
            }
            *last = Instant::now();
        }
        Python::attach(|py| {
            let (what, counted) = progress_text(report);
            if let Err(error) = progress.call1(py, (what, counted)) {
                caught.set(error);
                handle.cancel();
            }
        });
    });
    (job, callback_error)
}

/// Returns the answer to a question as JSON, and `true` if it is an error object.
///
/// The argument `question` is a JSON object with the keys of the question `command`. The
/// expressions in it may use the positions `it` and `other`, and the rules in `rules` by their
/// names. If a rule raises an exception, the same exception is raised again.
#[pyfunction]
#[pyo3(signature = (command, question, it, rules, file=None, tables=None, seconds=None, positions=None, memory=None, progress=None, other=None))]
#[expect(clippy::too_many_arguments, reason = "named where it is called, once")]
pub(crate) fn ask(
    py: Python<'_>,
    command: &str,
    question: &str,
    it: Option<PyRef<'_, NativePosition>>,
    rules: Vec<(String, PyRef<'_, Rule>)>,
    file: Option<PyRef<'_, RuleText>>,
    tables: Option<PathBuf>,
    seconds: Option<f64>,
    positions: Option<u64>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
    other: Option<PyRef<'_, NativePosition>>,
) -> PyResult<(String, bool)> {
    let request = match Request::read(command, question.as_bytes()) {
        Ok(request) => request,
        Err(refusal) => return Ok((refusal.json(), true)),
    };
    let rules = rules.into_iter().map(|(name, rule)| (name, rule.game()));
    // The positions are cloned, since a `PyRef` cannot be used while the thread is detached from
    // Python.
    let positions_by_name = [(IT, it), (OTHER, other)].into_iter();
    let positions_by_name =
        positions_by_name.filter_map(|(name, position)| Some((name, position?.position.clone())));
    let names = Names::new(
        positions_by_name.collect(),
        rules.collect(),
        file.map(|file| file.file()),
    );
    let request = request.with_games(Arc::new(names)).with_tables(tables);
    let (job, callback_error) = job(positions, memory, progress);
    let seconds = seconds.unwrap_or(f64::INFINITY);
    // A panic is converted to an exception. It must not unwind through the interpreter.
    let answered =
        py.detach(|| catch_unwind(AssertUnwindSafe(|| request.answer_within(&job, seconds))));
    callback_error.check()?;
    let Ok(answered) = answered else {
        let message = message!("internal error: please report this question");
        return Err(crate::failure::exception(
            py,
            &Diagnostic::new(Kind::Internal, message),
            "",
        ));
    };
    // The exception of a rule is the cause of the diagnostic that the library returned.
    if let Some(error) = answered
        .cause
        .as_ref()
        .and_then(|cause| cause.of_type::<PyErr>())
    {
        return Err(error.clone_ref(py));
    }
    Ok((answered.json, answered.error_kind.is_some()))
}
