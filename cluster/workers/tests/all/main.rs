//! Integration tests: one module for each subject, linked as one program.

mod checkpoints;
