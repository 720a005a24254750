//! Labelling by several workers: threads of one process, or of processes on many machines.
//!
//! Workers meet in rounds: each sends, everything arrives, and only then does anybody go on. The dataflow below (the crate
//! `timely`) owns exchange, progress and the end; what is computed in a round is plain code of a worker over its share of the positions.
mod checkpoint;
mod company;
mod desk;
mod edges;
mod explore;
mod held;
mod keeping;
mod known;
mod label;
mod labels;
mod link;
mod loss;
mod meeting;
mod numbering;
mod options;
mod phase;
mod ranks;
mod read;
mod rounds;
mod share;
mod sieve;
mod store;
mod terms;
mod values;
mod wire;

pub use company::Company;
pub use desk::{Desk, Whole};
pub use edges::EdgeLists;
pub use explore::Start;
pub use held::Row;
pub use keeping::{Keeping, Kept};
pub use label::{Source, label};
pub use meeting::Meeting;
pub use rounds::Traffic;
pub use store::Store;
pub use terms::{Stage, Terms, Told};
