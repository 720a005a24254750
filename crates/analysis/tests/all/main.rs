//! The integration tests: one module for each subject, linked into one program.

mod pages;
mod progress;
mod ranked;
mod stopped_lines;
mod threads;
mod verifiers;
