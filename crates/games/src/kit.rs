//! Shared parts of games: boards of squares, their regions, their symmetries and their text.

pub(crate) mod board;
pub(crate) mod grid;
pub(crate) mod large;
pub(crate) mod planes;
pub(crate) mod ranked;
pub(crate) mod regions;
pub(crate) mod sides;
pub(crate) mod slots;
pub(crate) mod stones;
pub(crate) mod strip;
