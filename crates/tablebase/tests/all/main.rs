//! Integration tests: one module for each subject, linked as one program.

#[cfg(feature = "http")]
mod server;
mod tables;
mod verify;
#[cfg(feature = "http")]
mod web;
