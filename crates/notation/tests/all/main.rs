//! Integration tests: one module for each subject, linked as one program.

mod corpus;
mod pictures;
mod proof;
mod reading;
