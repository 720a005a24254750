//! Jobs, and the resources that they may use.
//!
//! A [`Job`] contains the limits, the clock, the stop handle and the progress callback of a
//! computation. [`Files`] is the permission to open files. A [`Reader`] parses positions in the
//! notation. It uses the rules of an open rule file, and opens files if this is permitted.
//!
//! This crate is an implementation detail of the interfaces of grundy.

pub mod csv;
pub mod files;
pub mod graph_file;
pub mod job;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod picture;
pub mod progress;
pub mod random;
pub mod range;
pub mod reader;

pub use files::Files;
pub use job::Job;
pub use progress::Progress;
pub use reader::Reader;
