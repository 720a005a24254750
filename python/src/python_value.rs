//! Conversion of positions of user-defined games to Python values.

use std::any::Any;
use std::fmt;

use grundy_core::dynamic::{DynamicPosition, Foreign};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// A Python object that a user-defined game uses as a position.
#[derive(Debug)]
pub(crate) struct PythonValue {
    pub(crate) object: Py<PyAny>,
    pub(crate) code: u64,
}

impl fmt::Display for PythonValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Python::attach(|py| {
            // `repr` may raise an exception. The position needs a text nevertheless, since messages
            // contain it.
            let text = self.object.bind(py).repr().ok();
            text.map(|text| text.to_string_lossy().into_owned())
        });
        f.write_str(text.as_deref().unwrap_or("<a value without a repr>"))
    }
}

impl Foreign for PythonValue {
    fn code(&self) -> u64 {
        self.code
    }

    fn same(&self, other: &dyn Foreign) -> bool {
        // If `__eq__` raises an exception, the objects count as different, since it cannot be
        // raised from here.
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            Python::attach(|py| self.object.bind(py).eq(&other.object).unwrap_or(false))
        })
    }
}

/// Converts a position to the Python value that the rules expect.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    place: &DynamicPosition,
) -> PyResult<Bound<'py, PyAny>> {
    let all = |parts: &[DynamicPosition]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        parts.iter().map(|part| to_python(py, part)).collect()
    };
    Ok(match place {
        DynamicPosition::None => py.None().into_bound(py),
        DynamicPosition::Int(number) => number.into_pyobject(py)?.into_any(),
        DynamicPosition::Wide { .. } => place.to_integer().into_pyobject(py)?.into_any(),
        DynamicPosition::Text(text) => PyString::new(py, text).into_any(),
        DynamicPosition::Tuple(parts) => PyTuple::new(py, all(parts)?)?.into_any(),
        // A list can be modified. Hence each call gets a new one, so that rules cannot change the
        // position.
        DynamicPosition::List(parts) => PyList::new(py, all(parts)?)?.into_any(),
        DynamicPosition::Game(game) => {
            let why = format!(
                "{game} is the value of a game, not a position, so the rule functions cannot be applied to it"
            );
            return Err(PyTypeError::new_err(why));
        }
        DynamicPosition::Foreign(value) => {
            let value: &dyn Any = &**value;
            let wrapper = value.downcast_ref::<PythonValue>();
            let object = wrapper.map(|wrapper| wrapper.object.bind(py).clone());
            object.ok_or_else(|| PyTypeError::new_err("a value of another language"))?
        }
    })
}
