//! Tables of labels, which state the outcome and the remoteness of every position of a game.
//!
//! [`label`] labels every position of a game and writes a table or a tablebase. [`probe`] looks up
//! positions in a tablebase. `parts` converts tablebases to Parquet files and back. [`verify`]
//! checks tablebases and certificates of labels. [`label::Workers`] is the interface for labelling
//! by several processes; another crate implements it.
//!
//! This crate is an implementation detail of the interfaces of grundy.

pub mod label;
#[cfg(feature = "parquet")]
pub mod parts;
pub mod probe;
#[cfg(feature = "parquet")]
mod sheet;
pub mod verify;
