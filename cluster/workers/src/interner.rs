//! The interner of a worker: positions by their texts. Each text belongs to one worker.

use grundy::graph::Names;
use grundy_base::index;

/// The texts that a worker has met, with the number of each position.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    pub(crate) texts: Names,
    /// By the number of the text here.
    pub(crate) numbers: Vec<u64>,
}

/// Returns the worker that a text belongs to.
pub(crate) fn owner(text: &str, workers: usize) -> usize {
    // The low bits find the text in the index of that worker.
    ((u128::from(index::hash(text).rotate_left(32)) * workers as u128) >> 64) as usize
}
