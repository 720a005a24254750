//! Integration tests: one module for each subject, linked as one program.

mod brute;
mod definition;
mod limits;
mod long_numbers;
mod published;
