//! Games on a board of squares.

pub mod amazons;
pub mod chomp;
pub mod clobber;
pub mod corner_piece;
pub mod cram;
pub mod domineering;
pub mod fission;
pub mod k_in_a_row;
pub mod konane;
pub mod nogo;
pub mod ski_jumps;
