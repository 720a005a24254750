//! A piece of work and what it may use.
//!
//! A [`Job`] has the limits, the clock, the stop handle and the progress. [`Files`] is the
//! permission to open files. A [`Reader`] reads positions in the notation, knows the rules of an
//! open rule file, and opens files if that was granted.

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
