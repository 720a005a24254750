//! Games with heaps of chips, and with pairs of numbers.

pub mod all_but;
pub mod at_most;
pub mod calendar;
pub mod euclid;
pub mod fibonacci_nim;
pub mod grundys_game;
pub mod halves;
pub mod heap_game;
pub mod laskers_nim;
pub mod moore_nim;
pub mod nim;
pub mod nim_except;
pub mod partizan_subtraction;
pub mod staircase_nim;
pub mod subtraction;
pub mod take_and_break;
