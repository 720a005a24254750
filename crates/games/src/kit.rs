//! Shared building blocks of the games: boards of squares, their regions, symmetries and notation.

pub(crate) mod board;
pub(crate) mod endless;
pub(crate) mod grid;
pub(crate) mod large;
pub(crate) mod planes;
pub(crate) mod ranked;
pub(crate) mod regions;
pub(crate) mod reserves;
pub(crate) mod sides;
pub(crate) mod stones;
pub(crate) mod strip;
