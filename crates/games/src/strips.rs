//! Games on a strip of squares.

pub mod elephants;
pub mod push;
pub mod rows;
pub mod toads_and_frogs;
pub mod toppling_dominoes;
