//! The manifest: what a tablebase is of, and what belongs to it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use grundy_base::{Diagnostic, Message, Play, message};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::ranks::Ranks;

/// The name of the file.
const FILE: &str = "manifest.json";
/// What it says first.
const FORMAT: &str = "grundy tablebase";
/// Longest manifest that is read.
const LONGEST: u64 = 1 << 28;
/// What stands before the checksum of all before.
const SUM: &str = ",\"crc32\":\"";

/// How positions are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Keys {
    /// By their text, in sorted blocks.
    Sorted {
        /// How many levels there are.
        levels: usize,
    },
    /// By their rank.
    Ranked(Ranks),
}

/// What kind of game was labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// Both players have the same moves.
    #[default]
    Impartial,
    /// Left and Right have their own: each position has two entries, Left to move and Right to move.
    Partizan,
    /// The end of a play can be a tie: N is a win for the player to move, P a loss and D a tie.
    Ties,
}

impl GameKind {
    /// How many entries there are for each position.
    #[must_use]
    pub fn turns(self) -> u32 {
        match self {
            Self::Partizan => 2,
            Self::Impartial | Self::Ties => 1,
        }
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over references"
    )]
    fn is_impartial(&self) -> bool {
        *self == Self::Impartial
    }
}

/// A column: two files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// What it is called.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// In how many blocks.
    pub blocks: u64,
    /// How many bytes these have together.
    pub bytes: u64,
    /// The CRC-32 of the file of blocks.
    #[serde(rename = "crc32", with = "hexadecimal")]
    pub data: u32,
    /// The CRC-32 of the index.
    #[serde(rename = "index_crc32", with = "hexadecimal")]
    pub index: u32,
}

/// How many entries are N, P and D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Tally {
    /// Won by the player to move.
    pub n: u64,
    /// Won by the other player.
    pub p: u64,
    /// Drawn.
    pub d: u64,
}

/// What a tablebase is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What was labelled.
    pub game: String,
    /// Normal or misère play.
    #[serde(with = "PlayWord")]
    pub play: Play,
    /// How many positions there are.
    pub positions: u64,
    /// How many of their entries are N, P and D.
    pub outcomes: Tally,
    /// How positions are found.
    pub keys: Keys,
    /// The columns.
    pub columns: Vec<Column>,
    /// Of what kind it is.
    #[serde(default, skip_serializing_if = "GameKind::is_impartial")]
    pub kind: GameKind,
}

impl Manifest {
    /// The column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string(&Versioned {
            format: FORMAT.to_owned(),
            version: Versioned::version_of(self.kind),
            manifest: self.clone(),
        })?;
        text.pop();
        let sum = crc32fast::hash(text.as_bytes());
        let text = format!("{text}{SUM}{sum:08x}\"}}\n");
        let mut file = File::create(folder.join(FILE))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    pub(crate) fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let path = folder.join(FILE);
        let damaged = |what: &Message| crate::damaged(&path, what);
        let mut text = String::new();
        let file = File::open(&path).map_err(|error| {
            if fs::metadata(folder).is_ok_and(|data| data.is_dir()) {
                damaged(&message!(
                    "there is no manifest: this is no tablebase, or not a whole one"
                ))
            } else {
                Diagnostic::io(folder.display(), &error)
            }
        })?;
        file.take(LONGEST)
            .read_to_string(&mut text)
            .map_err(|error| Diagnostic::io(path.display(), &error))?;
        let (before, sum) = text
            .rsplit_once(SUM)
            .ok_or_else(|| damaged(&message!("it is no manifest, or cut off")))?;
        if sum.trim_end() != format!("{:08x}\"}}", crc32fast::hash(before.as_bytes())) {
            return Err(damaged(&message!("it is damaged: its checksum is wrong")));
        }
        let read: Versioned = serde_json::from_str(&text).map_err(|error| {
            let data = error.classify() == Category::Data;
            damaged(&if data {
                message!("it is no manifest of this version")
            } else {
                message!("it is no JSON")
            })
        })?;
        if !read.is_known() {
            return Err(damaged(&message!("it is no manifest of this version")));
        }
        Ok(read.manifest)
    }
}

/// The manifest as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Versioned {
    format: String,
    version: u64,
    #[serde(flatten)]
    manifest: Manifest,
}

impl Versioned {
    /// The first version knew impartial games only.
    fn version_of(kind: GameKind) -> u64 {
        if kind == GameKind::Impartial { 1 } else { 2 }
    }

    fn is_known(&self) -> bool {
        self.format == FORMAT && self.version == Self::version_of(self.manifest.kind)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Play", rename_all = "lowercase")]
enum PlayWord {
    Normal,
    Misere,
}

/// Checksums are eight digits in hexadecimal.
mod hexadecimal {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::Serializer;

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over references"
    )]
    pub(super) fn serialize<S: Serializer>(sum: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{sum:08x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = String::deserialize(from)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}
