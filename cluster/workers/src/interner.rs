//! The interner of a worker, which maps texts to position numbers. Each text belongs to one worker.

use grundy::graph::Names;
use grundy_base::index;

/// The texts that belong to a worker, with the number of each position.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    pub(crate) texts: Names,
    /// Position numbers, by the local index of the text.
    pub(crate) numbers: Vec<u64>,
}

/// Returns the worker that a text belongs to.
pub(crate) fn owner(text: &str, workers: usize) -> usize {
    // The owner's hash index uses the lowest bits of the hash. The rotation makes the owner depend
    // on the bits from 31 downwards, so that the texts of one worker still spread over its index.
    ((u128::from(index::hash(text).rotate_left(32)) * workers as u128) >> 64) as usize
}
