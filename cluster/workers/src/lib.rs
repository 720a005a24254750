//! Labelling by several workers. Workers are threads of one process, or of several processes on
//! many machines.
//!
//! Workers proceed in rounds: each sends its messages, all messages arrive, and only then does any
//! worker continue. The crate `timely`, a dataflow engine, delivers the messages and detects the
//! end of a round. The computation within a round is ordinary code of a worker on its own share of
//! the positions.
mod checkpoint;
mod checkpoint_options;
mod context;
mod edges;
mod explore;
mod handshake;
mod interner;
mod label;
mod labels;
mod link;
mod numbering;
mod options;
mod partial_lists;
mod phase;
mod ranks;
mod results;
mod rounds;
mod share;
mod sieve;
mod store;
mod termination;
mod values;
mod wire;
mod workers;
mod writer;

pub use checkpoint_options::{CheckpointOptions, Resumable};
pub use context::{Context, Report, Stage};
pub use edges::EdgeLists;
pub use explore::Start;
pub use handshake::Handshake;
pub use label::{Source, label};
pub use results::Row;
pub use rounds::Traffic;
pub use store::Store;
pub use workers::Workers;
pub use writer::{TableSummary, TableWriter};
