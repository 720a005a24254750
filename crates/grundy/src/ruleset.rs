//! Rulesets: one file a game.
//!
//! Each has its rules in the head comment, the state of one component, its moves, and, where a theorem gives the value, the
//! theorem. The trait that they implement is [`crate::rules::Ruleset`].

pub mod all_but;
pub mod amazons;
pub mod arc_kayles;
mod board;
pub mod calendar;
pub mod chomp;
pub mod clobber;
pub mod coin_turning;
pub mod col;
pub mod colouring;
pub mod corner_piece;
pub mod cram;
pub mod cutcake;
pub mod domineering;
pub mod elephants;
pub mod euclid;
pub mod fibonacci_nim;
pub mod fission;
pub mod graph;
mod grid;
pub mod grundys_game;
pub mod hackenbush;
pub mod halves;
pub mod heap_game;
pub mod impartial;
pub mod k_in_a_row;
pub mod konane;
pub mod laskers_nim;
pub mod literal;
pub mod maundy_cake;
pub mod moore_nim;
pub mod nim;
pub mod nimble;
pub mod node_kayles;
pub mod nogo;
pub mod northcott;
pub mod ordinal_sum;
pub mod partizan_subtraction;
mod planes;
mod regions;
pub mod rows;
mod sides;
mod slots;
pub mod snort;
pub mod staircase_nim;
mod stones;
pub mod strip_coins;
pub mod subtraction;
pub mod take_and_break;
pub mod toads_and_frogs;
pub mod toppling_dominoes;
pub mod tree;

pub use crate::rules::*;
