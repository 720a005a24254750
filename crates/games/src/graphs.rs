//! Games on a graph, in which the players take or colour its vertices or edges, or walk along them.

pub mod arc_kayles;
pub mod col;
pub mod colouring;
pub mod geography;
pub mod graph;
pub mod hackenbush;
pub mod node_kayles;
pub mod snort;
