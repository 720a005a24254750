//! Conversion of Python values to arguments of constructors.

use grundy_core::argument::Argument;
use grundy_core::heap::GivenSet;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::native_position::NativePosition;
use crate::rule::CallableSet;

/// An empty board with the numbers of rows and columns in its fields, as an argument of a
/// constructor.
#[pyclass(frozen, module = "grundy._native", name = "EmptyBoard")]
#[derive(Debug)]
pub(crate) struct EmptyBoard {
    rows: u64,
    columns: u64,
}

#[pymethods]
impl EmptyBoard {
    #[new]
    fn new(rows: u64, columns: u64) -> Self {
        Self { rows, columns }
    }
}

/// Largest depth of nested sequences in an argument.
const MAX_DEPTH: usize = 50;

/// Largest number of items that are taken from an iterable. A longer set is an error of the
/// constructor.
const MOST_NUMBERS: usize = 1_000_001;

/// Converts a Python value to the set of a subtraction game: a callable, any iterable, or a name.
///
/// # Errors
/// A value of another type.
pub(crate) fn set_argument(value: &Bound<'_, PyAny>) -> PyResult<Argument> {
    if value.is_callable() {
        return Ok(Argument::Set(GivenSet::new(CallableSet::new(value))));
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyDict>() {
        return argument(value);
    }
    let Ok(items) = value.try_iter() else {
        return argument(value);
    };
    let numbers = items.take(MOST_NUMBERS).map(|item| convert(&item?, 1));
    Ok(Argument::List(numbers.collect::<PyResult<_>>()?))
}

/// Converts a Python value to an argument.
///
/// # Errors
/// A value of another type, or sequences that are nested too deeply.
pub(crate) fn argument(value: &Bound<'_, PyAny>) -> PyResult<Argument> {
    convert(value, 0)
}

fn convert(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Argument> {
    if depth > MAX_DEPTH {
        let message = format!("an argument is nested more than {MAX_DEPTH} deep");
        return Err(PyValueError::new_err(message));
    }
    // In Python, `bool` is a subclass of `int`, so it must be tested first.
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Argument::Bool(truth.is_true()));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return integer(number);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Argument::Text(text.to_str()?.to_owned()));
    }
    if value.is_none() {
        return Ok(Argument::None);
    }
    // The text has the digits that the user sees. The constructor decides whether a fraction is
    // valid.
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(Argument::Float(number.repr()?.to_string()));
    }
    if let Ok(map) = value.cast::<PyDict>() {
        let mut pairs = Vec::with_capacity(map.len());
        for (key, value) in map {
            pairs.push((convert(&key, depth + 1)?, convert(&value, depth + 1)?));
        }
        return Ok(Argument::Map(pairs));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return items(value, depth);
    }
    if let Ok(game) = value.cast::<NativePosition>() {
        return Ok(Argument::Game(game.get().position.clone()));
    }
    if let Ok(board) = value.cast::<EmptyBoard>() {
        let EmptyBoard { rows, columns } = *board.get();
        return Ok(Argument::Board(rows, columns));
    }
    // This accepts integer types of other libraries, such as those of NumPy.
    if let Ok(number) = value.call_method0("__index__") {
        return convert(&number, depth + 1);
    }
    // A range, an array and a view of keys have a length and an order. Sets and generators are
    // rejected.
    if value.hasattr("__len__")? && value.hasattr("__getitem__")? {
        return items(value, depth);
    }
    Err(PyTypeError::new_err(format!(
        "expected a number, a string, a list or a dict, not {}",
        value.get_type().name()?
    )))
}

/// Converts an integer. A value that does not fit into 126 bits becomes `i128::MIN` or `i128::MAX`.
fn integer(number: &Bound<'_, PyInt>) -> PyResult<Argument> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(Argument::Int(number.into()));
    }
    let bits = number
        .call_method0("bit_length")
        .and_then(|bits| bits.extract::<u64>())?;
    let negative = number.lt(0)?;
    // These two values exceed every limit of a constructor, so the constructor reports an error. A
    // huge integer is never written in decimal.
    if bits > 126 {
        return Ok(Argument::Int(if negative { i128::MIN } else { i128::MAX }));
    }
    let digits = number.str()?;
    let number = digits.to_str()?.parse();
    Ok(Argument::Int(number.map_err(|_| {
        PyValueError::new_err("the text of an integer is not a decimal number")
    })?))
}

fn items(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Argument> {
    let items = value.try_iter()?;
    let items: PyResult<Vec<Argument>> = items.map(|item| convert(&item?, depth + 1)).collect();
    Ok(Argument::List(items?))
}
