//! Integration tests of the library: one module per subject, linked as one program.

mod beyond_reach;
mod boards;
mod clobber;
mod coloured_hackenbush;
mod coloured_trees;
mod contest;
mod graph_sums;
mod graphs;
mod hackenbush;
mod heap_moves;
mod implicit;
mod ordinal_sums;
mod partizan;
mod partizan_boards;
mod partizan_parts;
mod quotients;
mod ranked;
mod rulesets;
mod stretches;
mod sums;
mod ties;
mod user_games;
mod values_of_small_positions;
mod winners;
