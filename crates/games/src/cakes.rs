//! Games in which the players cut a cake.

pub mod cutcake;
pub mod maundy_cake;
