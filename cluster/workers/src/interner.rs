//! The interner of a worker, which maps texts to local indices. Each text belongs to one worker.

use grundy_base::index;
use grundy_core::graph::Names;

/// The texts that belong to a worker, with the position number of each.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    pub(crate) texts: Names,
    /// Position number of each text, by the local index of the text.
    pub(crate) numbers: Vec<u64>,
}

/// Returns the worker that a text belongs to.
pub(crate) fn owner(text: &str, workers: usize) -> usize {
    // The lowest bits of the hash determine the slot in the hash index of the owner. So the owner
    // is computed from higher bits. Otherwise the texts of a worker would cluster in its index.
    ((u128::from(index::hash(text).rotate_left(32)) * workers as u128) >> 64) as usize
}
