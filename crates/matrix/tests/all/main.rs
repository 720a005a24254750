//! Integration tests: one module for each subject, linked as one program.

mod certificates;
mod dominance;
mod families;
mod kernels;
mod reading;
mod samples;
mod solving;
mod written;
