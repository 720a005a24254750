//! Tables of labels.
//!
//! [`label`] finds the labels of every position of a game and writes them as a table or a
//! tablebase. [`probe`] looks positions up in a tablebase, `parts` turns one into Parquet files
//! and back, and [`verify`] checks tablebases and certificates of labels. [`label::Workers`]
//! stands for several processes that label together: they are built elsewhere.

pub mod label;
#[cfg(feature = "parquet")]
pub mod parts;
pub mod probe;
#[cfg(feature = "parquet")]
mod sheet;
pub mod verify;
