//! Tests of the library as its users see it.

mod constructors;
mod positions;
mod solver;
mod user_games;
mod values;
