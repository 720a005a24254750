//! Games with coins on a strip or in a row.

pub mod coin_turning;
pub mod nimble;
pub mod northcott;
pub mod strip_coins;
