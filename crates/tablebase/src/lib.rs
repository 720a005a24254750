//! Tablebases: labelled games in a directory, which are written once and read position by position.
//!
//! The directory contains a manifest and two files for each column. The manifest, `manifest.json`,
//! describes the game, the number of positions, the columns and the checksums. The file `NAME.data`
//! contains compressed blocks, and `NAME.index` their offsets. In a column of outcomes, remoteness,
//! values or best moves, position i has row i. In a partizan game it has two rows: 2i with Left to
//! move, and 2i + 1 with Right to move. Positions are found in one of two ways, see [`Keys`].
//! Sorted keys find a position by its text, in sorted blocks with a search tree above them. Ranked
//! keys find a position by its rank, which the rules of the game compute, so that no keys are
//! stored.
//!
//! A block is a zlib stream (P. Deutsch and J.-L. Gailly, RFC 1950, 1996). An entry of the index
//! has 28 bytes in little-endian order. They are the offset of the block in the data file (8), its
//! first row (8), and its compressed and unpacked lengths (4 each). A CRC-32 (4) follows. It covers
//! the identity of the column, the zero-based number of the block (8), its first row, its unpacked
//! length and its compressed bytes. The identity consists of texts of the manifest, each followed
//! by a byte 0:
//!
//! - the game,
//! - the text of the rules,
//! - the checksum of the graph,
//! - the play and the kind,
//! - the form of the keys,
//! - the version of the program,
//! - the name of the column.
//!
//! A text that does not exist counts as empty. The identity serves to detect a column of another
//! table.
//!
//! | column | its values |
//! |---|---|
//! | `outcome` | 0 for P, 1 for N, 2 for D |
//! | `remoteness` | 0 for none, r + 1 for r |
//! | `grundy` | 0 for none, 2 v + 1 for a number v, 2 s + 2 for infinity with set number s |
//! | `move` | 0 for none, r + 1 for a best move to row r |
//! | `options` | texts, for a graph: the rows of the options of each row, with commas |
//! | `sets` | texts: the sets of infinite values, numbers with commas |
//! | `keys0`, `keys1`, ... | texts: the sorted positions; separators of the level below |
//!
//! A block of numbers is their width in bytes (1, 2, 4 or 8), followed by the numbers in
//! little-endian order. A block of texts holds the length (4 bytes) and the bytes of each text.
//!
//! ```
//! use grundy_base::{Outcome, Play};
//! use grundy_tablebase::{About, GameKind, RankedTable, Record, Tablebase, write_ranked};
//!
//! let folder = std::env::temp_dir().join(format!("grundy-tablebase-{}", std::process::id()));
//! // A heap of up to seven chips from which one or two are taken, by the number of chips.
//! let record = |chips: u64| {
//!     Ok(Record {
//!         outcome: Outcome::from_win(chips % 3 > 0),
//!         remoteness: None,
//!         value: None,
//!         best: None,
//!     })
//! };
//! let about = About {
//!     game: "subtraction([1, 2], 7)".to_owned(),
//!     rules: None,
//!     graph: None,
//!     play: Play::Normal,
//!     kind: GameKind::Impartial,
//!     command: "grundy label \"subtraction([1, 2], 7)\" --tablebase DIR".to_owned(),
//!     program: "0.1.0".to_owned(),
//! };
//! let name = |n| Ok(format!("subtraction([1, 2], {n})"));
//! let ranked = RankedTable { positions: 8, has_values: false, record, name };
//! let limits = grundy_base::Limits::none();
//! write_ranked(&folder, &about, &ranked, &|_| Ok(Vec::new()), &limits, None)?;
//! let mut table = Tablebase::open(&folder)?;
//! assert_eq!(table.record(6)?.outcome, Outcome::P);
//! assert_eq!(table.manifest().positions, 8);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), grundy_base::Diagnostic>(())
//! ```
//!
//! This crate is an implementation detail of the interfaces of grundy.

mod blocks;
mod census;
pub mod checked;
mod column;
mod folder;
mod keys;
mod lru_cache;
mod manifest;
mod marks;
mod ordered;
mod probe;
mod ranked;
mod records;
mod schedule;
mod storage;
#[cfg(feature = "https")]
mod trust;
pub mod verify;
#[cfg(feature = "http")]
mod web;
mod write;

use grundy_base::message::Command;
use grundy_base::{Diagnostic, Kind, Loopy, Message, Outcome, message};

pub use census::{Census, Histogram};
pub use column::VisitName;
pub use folder::check_free;
pub use manifest::{
    About, Column, Extra, ExtraFile, Extras, GameKind, Keys, Manifest, OptionalColumns, RuleText,
    Tally,
};
pub use marks::MarkFile;
pub use ordered::{RowWriter, write_rows};
pub use probe::{Tablebase, VisitOptions, VisitRecord};
pub use ranked::{RankedTable, estimated_size, write_ranked};
pub use schedule::CheckpointSchedule;
pub use storage::{Disk, Storage, is_address};
#[cfg(feature = "http")]
pub use web::{Watch, Web};
pub use write::{Rows, write};

/// The record of an entry. An entry is a position together with the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The number of moves left with best play. `None` for a draw, or if remoteness is not stored.
    pub remoteness: Option<u32>,
    /// The value in normal play, if values are stored.
    pub value: Option<Loopy>,
    /// The row of the position after a best move, if best moves are stored.
    pub best: Option<u64>,
}

/// Returns the error for a damaged file of a tablebase. `what` describes the damage.
fn damaged(file: &str, what: &Message) -> Diagnostic {
    Diagnostic::new(Kind::Io, message!("{file}: {what}", file, what)).help(message!(
        "write the tablebase again: {command}",
        command = Command::command_line("label")
    ))
}
