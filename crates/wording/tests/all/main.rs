//! Integration tests: one module for each subject, linked as one program.

mod explanations;
mod explanations_loops;
mod explanations_partizan;
mod explanations_values;
mod interfaces;
mod options;
mod wording;
