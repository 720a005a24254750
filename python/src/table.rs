//! Tablebases that are open.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use grundy_analysis::probe::OpenTable;
use grundy_analysis::{Analyst, Files, Job};
use grundy_core::Diagnostic;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::ask::{CallbackError, job};
use crate::bulk::play;
use crate::failure::exception;

/// A tablebase on disk or on a server. It stays open between questions, until it is closed.
#[pyclass(frozen, module = "grundy._native", name = "Table")]
pub(crate) struct Table(Mutex<Option<OpenState>>);

struct OpenState {
    table: OpenTable,
    job: Job,
    caught: CallbackError,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

impl Table {
    fn open(&self) -> MutexGuard<'_, Option<OpenState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `question` with the open tablebase, with a time limit in seconds. Fails if the
    /// tablebase has been closed.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        source: &str,
        question: impl FnOnce(&mut OpenTable, &Job) -> Result<T, Diagnostic> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| {
            // The lock is taken while the thread is detached from the interpreter. Otherwise a
            // thread could wait for the lock while it holds the interpreter.
            let mut open = self.open();
            let OpenState { table, job, caught } = open.as_mut()?;
            job.set_timeout(seconds.unwrap_or(f64::INFINITY));
            let answer = question(table, job);
            Some((answer, caught.clone()))
        });
        let Some((answer, caught)) = answer else {
            return Err(PyValueError::new_err("the tablebase is closed"));
        };
        caught.check()?;
        answer.map_err(|error| exception(py, &error, source))
    }
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (place, seconds=None, positions=None, memory=None))]
    fn new(
        py: Python<'_>,
        place: PathBuf,
        seconds: Option<f64>,
        positions: Option<u64>,
        memory: Option<u64>,
    ) -> PyResult<Self> {
        let (job, caught) = job(positions, memory, None);
        job.set_timeout(seconds.unwrap_or(f64::INFINITY));
        let analyst = Analyst::new(Files::Granted);
        let table = py.detach(|| OpenTable::open(&place, analyst.reader(), &job));
        caught.check()?;
        let table = table.map_err(|error| exception(py, &error, ""))?;
        Ok(Self(Mutex::new(Some(OpenState { table, job, caught }))))
    }

    /// Looks up a position in the tablebase. Returns its outcome, remoteness and other stored data
    /// as JSON.
    fn probe(
        &self,
        py: Python<'_>,
        position: &str,
        play_name: &str,
        moves: bool,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let play = play(play_name)?;
        let probed = self.ask(py, seconds, position, |table, job| {
            table.probe(position, play, moves, job)
        })?;
        json(&probed)
    }

    fn contains(&self, py: Python<'_>, position: &str, seconds: Option<f64>) -> PyResult<bool> {
        self.ask(py, seconds, position, |table, _| table.contains(position))
    }

    /// Returns the manifest of the tablebase, as JSON.
    fn manifest(&self, py: Python<'_>) -> PyResult<String> {
        let manifest = self.ask(py, None, "", |table, _| Ok(table.manifest().clone()))?;
        json(&manifest)
    }

    fn close(&self) {
        *self.open() = None;
    }
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
