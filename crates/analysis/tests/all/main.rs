//! Integration tests: one module for each subject, linked as one program.

mod pages;
mod progress;
mod ranked;
mod stopped_lines;
mod threads;
mod verifiers;
