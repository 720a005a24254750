//! Integration tests: one module for each subject, linked as one program.

mod steps;
mod values;
