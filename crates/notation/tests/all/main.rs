//! Integration tests: one module for each subject, linked as one program.

mod corpus;
mod graph_texts;
mod pictures;
mod proof;
mod reading;
