//! Integration tests: one module for each subject, linked as one program.

mod opponent;
mod pages;
mod pictures;
mod progress;
mod ranked;
mod threads;
