//! Tablebases: a labelled game in a directory, written once and asked position by position without
//! loading it.
//!
//! The directory holds `manifest.json` (what the game is, how many positions there are, which
//! columns, checksums) and two files a column: compressed blocks one after the other in
//! `NAME.data`, and in `NAME.index` where each begins. Columns are dense: row i of each belongs to
//! position i, in a partizan game rows 2i with Left to move and 2i + 1 with Right. Positions are
//! found in one of two ways ([`Keys`]): sorted by their text, with a tree of first keys above, one
//! block a level; or by their rank, which the rules of the game say, with no keys at all.
//!
//! A block is a stream of zlib (P. Deutsch and J.-L. Gailly, RFC 1950, 1996). An entry of the index
//! has 28 bytes, in little-endian order: where the block begins in the data (8), its first row (8),
//! its length (4), its length unpacked (4), and the CRC-32 (4) of what the rows are, the number of
//! the block (8), the first row, the length unpacked and the bytes of the block. What the rows are,
//! is said by these texts of the manifest, each with a byte 0 after it: the game, the text of the
//! rules, the checksum of the graph, the play, the kind, the form of the keys, the version of the
//! program, and the name of the column; those that are missing are empty. So a column of another
//! table is told from the right one.
//!
//! | column | its values |
//! |---|---|
//! | `outcome` | 0 for P, 1 for N, 2 for D |
//! | `remoteness` | 0 for none, r + 1 for r |
//! | `grundy` | 0 for none, 2 v + 1 for a number v, 2 s + 2 for infinity with set number s |
//! | `move` | 0 for none, r + 1 for a best move to row r |
//! | `options` | texts, of a graph: the rows that each row has a move to, with commas |
//! | `sets` | texts: the sets of infinite values, numbers with commas |
//! | `keys0`, `keys1`, ... | texts: the positions, sorted; what separates the blocks of the level below |
//!
//! A block of numbers is their width in bytes (1, 2, 4 or 8) and then the numbers, little-endian; a
//! block of texts is for each its length (4 bytes) and its bytes.
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
//! write_ranked(&folder, &about, &ranked, &|_| Ok(Vec::new()), &grundy_base::Limits::none(), None)?;
//! let mut table = Tablebase::open(&folder)?;
//! assert_eq!(table.record(6)?.outcome, Outcome::P);
//! assert_eq!(table.manifest().positions, 8);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), grundy_base::Diagnostic>(())
//! ```

mod blocks;
mod census;
pub mod checked;
mod column;
mod folder;
mod keys;
mod manifest;
mod marks;
mod ordered;
mod pauses;
mod place;
mod probe;
mod ranked;
mod recent;
mod records;
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
    About, Column, Extra, ExtraFile, Extras, GameKind, Kept, Keys, Manifest, RuleText, Tally,
};
pub use marks::MarkFile;
pub use ordered::{RowWriter, write_rows};
pub use pauses::Pauses;
pub use place::{Disk, Place, is_address};
pub use probe::{Tablebase, VisitOptions, VisitRecord};
pub use ranked::{RankedTable, packed, write_ranked};
#[cfg(feature = "http")]
pub use web::{Watch, Web};
pub use write::{Rows, write};

/// What is kept of a position, with the player to move whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who wins.
    pub outcome: Outcome,
    /// Moves left with best play; nothing for a draw, or where it is not kept.
    pub remoteness: Option<u32>,
    /// The value in normal play, where it is kept.
    pub value: Option<Loopy>,
    /// The row that a best move leads to, where it is kept.
    pub best: Option<u64>,
}

/// Returns a file of a tablebase that is not what was written.
fn damaged(file: &str, what: &Message) -> Diagnostic {
    Diagnostic::new(Kind::Io, message!("{file}: {what}", file, what)).help(message!(
        "write the tablebase again: {command}",
        command = Command::typed("label")
    ))
}
