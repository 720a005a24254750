//! Games with a cake that the players cut.

pub mod cutcake;
pub mod maundy_cake;
