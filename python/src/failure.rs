//! What is wrong, as an exception.

use grundy::Diagnostic;
use grundy_wording::diagnostic::ErrorView;
use grundy_wording::{Audience, Interface, Language};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The reader of errors.
pub(crate) const AUDIENCE: Audience = Audience {
    language: Language::En,
    interface: Interface::Python,
};

/// Makes the exception of the contract's error object.
static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the exception for an error: that of a rule itself where a rule has raised one, else a
/// `GrundyError`.
pub(crate) fn raised(py: Python<'_>, diagnostic: &Diagnostic, source: &str) -> PyErr {
    let cause = diagnostic.cause.as_ref();
    if let Some(error) = cause.and_then(|cause| cause.of_type::<PyErr>()) {
        return error.clone_ref(py);
    }
    let view = ErrorView::told(diagnostic, source, AUDIENCE);
    let json = serde_json::to_string(&view).unwrap_or_default();
    of_json(py, &json)
}

/// Returns the exception for an error object.
pub(crate) fn of_json(py: Python<'_>, json: &str) -> PyErr {
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
