//! Games given by an explicit game tree.

pub mod tree;
