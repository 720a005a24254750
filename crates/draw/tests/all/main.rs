//! Integration tests with one module for each subject, linked as one program.

mod gallery;
mod steps;
mod values;
