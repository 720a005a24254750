//! Games composed of other games, and values written as games.

pub mod impartial;
pub mod literal;
pub mod ordinal_sum;
