//! Games on a graph: its vertices or its edges are taken, coloured or walked.

pub mod arc_kayles;
pub mod col;
pub mod colouring;
pub mod graph;
pub mod hackenbush;
pub mod node_kayles;
pub mod snort;
