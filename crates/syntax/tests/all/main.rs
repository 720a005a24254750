//! Tests of the parser.

mod dump;
mod hostile;
mod starlark;
