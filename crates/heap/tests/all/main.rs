//! Integration tests with one module for each subject, linked as one program.

mod heaps;
mod pattern;
