//! The compiled part of the Python package `grundy`: positions, questions, rules that consist of
//! callables, and arrays.
//!
//! It contains no game logic. It converts Python values to types of the library, calls
//! `grundy-analysis`, and returns the answers as JSON or as arrays. The public interface of the
//! package is written in Python, in `grundy/`.

mod argument;
mod array;
mod ask;
mod bulk;
mod construct;
mod failure;
mod native_position;
mod python_value;
mod rule;
mod table;

use std::alloc::System;

use cap::Cap;
use pyo3::prelude::*;

/// The allocator. It counts the allocated bytes for the memory limit of questions.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<argument::EmptyBoard>()?;
    module.add_class::<native_position::NativePosition>()?;
    module.add_class::<rule::Rule>()?;
    module.add_class::<rule::Sum>()?;
    module.add_class::<rule::RuleText>()?;
    module.add_class::<array::Labels>()?;
    module.add_class::<bulk::Rows>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(construct::construct, module)?)?;
    module.add_function(wrap_pyfunction!(construct::read, module)?)?;
    module.add_function(wrap_pyfunction!(construct::picture, module)?)?;
    module.add_function(wrap_pyfunction!(construct::games, module)?)?;
    module.add_function(wrap_pyfunction!(ask::ask, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::solve_many, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::values, module)?)?;
    module.add_function(wrap_pyfunction!(array::sequence, module)?)?;
    module.add_function(wrap_pyfunction!(array::edges, module)?)?;
    module.add_function(wrap_pyfunction!(array::label_edges, module)?)?;
    module.add_function(wrap_pyfunction!(array::label_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(array::label_rows, module)?)?;
    Ok(())
}
