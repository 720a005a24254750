//! Questions about many positions at once, answered by several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use grundy_analysis::batch::Batch;
use grundy_analysis::question::Solve;
use grundy_analysis::{Analyst, Job};
use grundy_core::argument::Argument;
use grundy_core::diagnostic::Cause;
use grundy_core::solve::Detail;
use grundy_core::{Diagnostic, Kind, Play, Position, Solver, Stop, message, registry};
use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ask::{CallbackError, job};
use crate::failure::{AUDIENCE, exception};
use crate::native_position::NativePosition;

/// Time between two checks for signals while the calling thread waits for other threads.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(5);

/// Number of positions that a thread takes at a time.
const CHUNK: usize = 64;

/// Positions of one game, stored as rows of integers. Each row contains the arguments of the
/// constructor for one position. The position is created from its row when it is needed.
#[pyclass(frozen, module = "grundy._native")]
#[derive(Debug)]
pub(crate) struct Rows {
    name: String,
    width: usize,
    numbers: Vec<i64>,
}

impl Rows {
    fn len(&self) -> usize {
        self.numbers.len() / self.width
    }

    fn position(&self, index: usize) -> Result<Position, Diagnostic> {
        let row = &self.numbers[index * self.width..(index + 1) * self.width];
        let items: Vec<_> = row
            .iter()
            .map(|&number| (None, Argument::Int(number.into())))
            .collect();
        registry::construct(&self.name, &items).map(Position::from)
    }
}

#[pymethods]
impl Rows {
    #[new]
    fn new(name: &str, numbers: PyReadonlyArray2<'_, i64>) -> PyResult<Self> {
        let numbers = numbers.as_array();
        if numbers.ncols() == 0 {
            return Err(PyValueError::new_err(
                "rows: each row must contain at least one number",
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            width: numbers.ncols(),
            numbers: numbers.iter().copied().collect(),
        })
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn at(&self, py: Python<'_>, index: usize) -> PyResult<NativePosition> {
        let position = self.position(index);
        Ok(position.map_err(|error| exception(py, &error, ""))?.into())
    }
}

/// The positions that the caller passes.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    Rows(PyRef<'py, Rows>),
    List(Vec<PyRef<'py, NativePosition>>),
}

/// The positions of a [`Source`], without references to Python objects, so that all threads can use
/// them.
enum DetachedSource<'a> {
    Rows(&'a Rows),
    List(Vec<Position>),
}

impl DetachedSource<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::List(list) => list.len(),
        }
    }

    fn with<T>(
        &self,
        index: usize,
        read: impl FnOnce(&Position) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        match self {
            Self::Rows(rows) => read(&rows.position(index)?),
            Self::List(list) => read(&list[index]),
        }
    }
}

impl<'a> From<&'a Source<'_>> for DetachedSource<'a> {
    fn from(source: &'a Source<'_>) -> Self {
        match source {
            Source::Rows(rows) => Self::Rows(rows),
            Source::List(list) => {
                Self::List(list.iter().map(|item| item.position.clone()).collect())
            }
        }
    }
}

pub(crate) fn play(name: &str) -> PyResult<Play> {
    match name {
        "normal" => Ok(Play::Normal),
        "misere" => Ok(Play::Misere),
        other => Err(PyValueError::new_err(format!(
            "play: expected 'normal' or 'misere', not {other:?}"
        ))),
    }
}

/// Returns the number of threads, at least 1 and at most 256: the requested number, or one thread
/// per core.
fn thread_count(requested: Option<usize>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    requested.unwrap_or_else(cores).clamp(1, 256)
}

/// Calls `answer` for each index below `count`, with several threads. Returns the answers in the
/// order of the indices.
///
/// Each thread calls `memory` once and passes the returned value, such as a solver with its caches,
/// to each call of `answer`. An error ends the computation, and is returned with the index at which
/// it occurred.
fn compute_each<M, T: Clone + Default + Send>(
    count: usize,
    threads: usize,
    job: &Job,
    memory: impl Fn() -> M + Sync,
    answer: impl Fn(&mut M, usize) -> Result<T, Diagnostic> + Sync,
) -> Result<Vec<T>, (usize, Diagnostic)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut memory = memory();
        let mut found: Vec<(usize, Vec<T>)> = Vec::new();
        loop {
            // Relaxed ordering suffices, since the counter only distributes indices and publishes
            // no other data.
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= count {
                return Ok(found);
            }
            let mut answers = Vec::with_capacity(CHUNK);
            for index in first..count.min(first + CHUNK) {
                match answer(&mut memory, index) {
                    Ok(answer) => answers.push(answer),
                    Err(error) => {
                        // Then no thread takes further positions.
                        next.store(count, Ordering::Relaxed);
                        return Err((index, error));
                    }
                }
            }
            found.push((first, answers));
        }
    };
    let found = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(count.div_ceil(CHUNK)))
            .map(|_| scope.spawn(work))
            .collect();
        // The calling thread computes answers, too. Only the main thread runs signal handlers, and
        // the calling thread may be the main thread.
        let mut found = vec![work()];
        for other in others {
            while !other.is_finished() {
                // Polling checks for Ctrl-C. A plain `join` would delay this check until the thread
                // ends.
                let _ = job.limits().poll();
                thread::sleep(SIGNAL_INTERVAL);
            }
            found.push(other.join().unwrap_or_else(|panic| {
                std::panic::resume_unwind(panic);
            }));
        }
        found
    });
    let mut all = vec![T::default(); count];
    let mut failed: Option<(usize, Diagnostic)> = None;
    for part in found {
        match part {
            Ok(pieces) => {
                for (first, answers) in pieces {
                    all[first..first + answers.len()].clone_from_slice(&answers);
                }
            }
            Err(error) => {
                // Several threads can fail. The error with the smallest index is returned, so that
                // the result depends less on timing.
                if failed.as_ref().is_none_or(|(index, _)| error.0 < *index) {
                    failed = Some(error);
                }
            }
        }
    }
    failed.map_or(Ok(all), Err)
}

fn item_error(
    py: Python<'_>,
    caught: &CallbackError,
    index: usize,
    mut error: Diagnostic,
) -> PyErr {
    if let Err(error) = caught.check() {
        return error;
    }
    error.message = message!("positions[{index}]: {what}", index, what = error.message);
    exception(py, &error, "")
}

/// Returns the answer to each position as JSON. If a position has no answer, its entry is an error
/// object.
#[pyfunction]
#[pyo3(signature = (positions, play_name, remoteness, threads=None, seconds=None, most=None, memory=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "named where it is called, once")]
pub(crate) fn solve_many(
    py: Python<'_>,
    positions: Source<'_>,
    play_name: &str,
    remoteness: bool,
    threads: Option<usize>,
    seconds: Option<f64>,
    most: Option<u64>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let play = play(play_name)?;
    let source = DetachedSource::from(&positions);
    let (job, caught) = job(most, memory, progress);
    let answers = py.detach(|| {
        compute_each(
            source.len(),
            thread_count(threads),
            &job,
            || {
                let mut batch = Batch::default();
                batch.audience = AUDIENCE;
                batch
            },
            |batch, index| {
                source.with(index, |position| {
                    let question = Solve {
                        source: position.clone().into(),
                        play,
                        remoteness,
                        ..Solve::default()
                    };
                    solve_one(batch, &question, &job, seconds)
                })
            },
        )
    });
    answers.map_err(|(index, error)| item_error(py, &caught, index, error))
}

/// Returns the answer to a position as JSON. Fails only for an exception in the rules or an
/// interruption, which end the whole call.
fn solve_one(
    batch: &mut Batch,
    question: &Solve,
    job: &Job,
    seconds: Option<f64>,
) -> Result<String, Diagnostic> {
    if job.cancelled() {
        return Err(Stop::Interrupted.into());
    }
    // Each position has its own time limit. It also stops when the whole job stops.
    let own_job = seconds.map(|seconds| job.with_timeout(seconds));
    let job = own_job.as_ref().unwrap_or(job);
    let answer = batch.ask(question, &Analyst::default(), job);
    if let Some(cause) = answer
        .cause()
        .filter(|cause: &&Cause| cause.of_type::<PyErr>().is_some())
    {
        let mut error = Diagnostic::new(Kind::IllegalPosition, message!("the rules failed"));
        error.cause = Some(cause.clone());
        return Err(error);
    }
    Ok(answer.json())
}

/// Returns the Grundy values or the outcomes of many positions as an array. Grundy values are
/// `uint64`. An outcome consists of four character codes in `uint32`.
#[pyfunction]
#[pyo3(signature = (positions, of, play_name, threads=None, most=None, memory=None))]
pub(crate) fn values<'py>(
    py: Python<'py>,
    positions: Source<'py>,
    of: &str,
    play_name: &str,
    threads: Option<usize>,
    most: Option<u64>,
    memory: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let play = play(play_name)?;
    let source = DetachedSource::from(&positions);
    let (job, caught) = job(most, memory, None);
    let (count, threads) = (source.len(), thread_count(threads));
    let limits = || job.limits();
    match of {
        "grundy" => {
            if play == Play::Misere {
                return Err(PyValueError::new_err(
                    "of: Grundy values are defined in normal play only; use 'outcome'",
                ));
            }
            let found = py.detach(|| {
                compute_each(count, threads, &job, Solver::default, |solver, index| {
                    source.with(index, |position| Ok(solver.grundy(position, &limits())?))
                })
            });
            let found = found.map_err(|(index, error)| item_error(py, &caught, index, error))?;
            Ok(found.into_pyarray(py).into_any())
        }
        "outcome" => {
            let found = py.detach(|| {
                compute_each(count, threads, &job, Solver::default, |solver, index| {
                    source.with(index, |position| {
                        outcome_codes(solver, position, play, &job)
                    })
                })
            });
            let found = found.map_err(|(index, error)| item_error(py, &caught, index, error))?;
            Ok(found.concat().into_pyarray(py).into_any())
        }
        other => Err(PyValueError::new_err(format!(
            "of: expected 'grundy' or 'outcome', not {other:?}"
        ))),
    }
}

/// Returns an outcome, which has up to four letters, as four character codes. The codes of missing
/// letters are 0.
fn outcome_codes(
    solver: &mut Solver,
    position: &Position,
    play: Play,
    job: &Job,
) -> Result<[u32; 4], Diagnostic> {
    let solution = solver.answer(position, play, Detail::Outcome, &job.limits())?;
    // NumPy reads these four codes as a string of type `<U4`, which ends before the first zero.
    let mut letters = [0; 4];
    let word = solution.verdict().to_string();
    for (letter, c) in letters.iter_mut().zip(word.chars()) {
        *letter = c.into();
    }
    Ok(letters)
}
