//! Integration tests: one module for each subject, linked as one program.

mod finished;
mod gallery;
mod hostile;
mod positions_by_number;
mod ranks;
