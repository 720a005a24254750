//! Conversion of diagnostics to exceptions.

use grundy_core::Diagnostic;
use grundy_wording::diagnostic::ErrorView;
use grundy_wording::{Audience, Interface, Language};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The reader for whom messages are worded: an English-speaking user of the Python package.
pub(crate) const AUDIENCE: Audience = Audience {
    language: Language::En,
    interface: Interface::Python,
};

/// The Python function that converts an error object to an exception.
static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the exception for a diagnostic. If a rule has raised an exception, returns that
/// exception, otherwise a `GrundyError`.
pub(crate) fn exception(py: Python<'_>, diagnostic: &Diagnostic, source: &str) -> PyErr {
    let cause = diagnostic.cause.as_ref();
    if let Some(error) = cause.and_then(|cause| cause.of_type::<PyErr>()) {
        return error.clone_ref(py);
    }
    let view = ErrorView::new(diagnostic, source, AUDIENCE);
    let json = serde_json::to_string(&view).unwrap_or_default();
    of_json(py, &json)
}

/// Returns the exception for an error object in JSON.
pub(crate) fn of_json(py: Python<'_>, json: &str) -> PyErr {
    // The class of the exception is written in Python. It is imported when it is first needed.
    let maker = MAKER.get_or_try_init(py, || {
        let module = py.import("grundy._errors")?;
        module.getattr("of_json").map(Bound::unbind)
    });
    let made = maker.and_then(|maker| maker.call1(py, (json,)));
    match made {
        Ok(error) => PyErr::from_value(error.into_bound(py)),
        Err(error) => error,
    }
}
