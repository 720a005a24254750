//! Integration tests: one module for each subject, linked as one program.

mod samples;
mod trees;
