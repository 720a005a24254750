//! Games given by their tree.

pub mod tree;
