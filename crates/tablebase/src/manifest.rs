//! The manifest of a tablebase: its game and its files.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use grundy_base::{Diagnostic, Message, Play, message};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::census::Census;
use crate::place::Place;

/// The name of the file.
pub(crate) const FILE: &str = "manifest.json";
/// The name of the format, which comes first in the file.
const FORMAT: &str = "grundy tablebase";
/// The version of the format, for the manifest and the blocks.
const VERSION: u64 = 3;
/// Size limit of a manifest: 64 MiB, which includes a rule file of at most 16 MiB.
const LONGEST: u64 = 1 << 26;
/// The text before the checksum, which covers everything before it.
const SUM: &str = ",\"crc32\":\"";

/// The way in which positions are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Keys {
    /// By their text, in sorted blocks.
    Sorted {
        /// The number of levels.
        levels: usize,
    },
    /// By their rank, which the rules of the game compute: the position of rank i has row i.
    Ranked,
}

/// The kind of a labelled game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// Both players have the same moves.
    #[default]
    Impartial,
    /// Left and Right have different moves. Each position has two entries: Left to move, and Right
    /// to move.
    Partizan,
    /// The end of the game can be a tie: N is a win for the player to move, P a loss and D a tie.
    Ties,
}

impl GameKind {
    /// Returns the number of entries for each position.
    #[must_use]
    pub fn turns(self) -> u32 {
        match self {
            Self::Partizan => 2,
            Self::Impartial | Self::Ties => 1,
        }
    }
}

/// The optional columns of a tablebase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct Kept {
    /// The texts of the positions, by which they are found. Without them positions are found by
    /// rank.
    pub names: bool,
    /// Grundy values.
    pub values: bool,
    /// Best moves.
    pub moves: bool,
    /// The moves themselves, for a graph without rules.
    pub options: bool,
}

/// The callback that creates the additional files. It receives a manifest that is complete but for
/// them, and may reject it.
pub type Extras<'a> = &'a dyn Fn(&Manifest) -> Result<Vec<Extra>, Diagnostic>;

/// A column, which is stored in two files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// Total size of the blocks in bytes.
    pub bytes: u64,
    /// The CRC-32 of the file with the blocks.
    #[serde(rename = "crc32", with = "hexadecimal")]
    pub data: u32,
    /// The CRC-32 of the index.
    #[serde(rename = "index_crc32", with = "hexadecimal")]
    pub index: u32,
}

/// The number of entries with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Tally {
    /// Entries won by the player to move.
    pub n: u64,
    /// Entries lost by the player to move.
    pub p: u64,
    /// Drawn entries.
    pub d: u64,
}

impl Tally {
    pub(crate) fn of(census: &Census) -> Self {
        Self {
            n: census.won.total(),
            p: census.lost.total(),
            d: census.drawn,
        }
    }
}

/// The rule file of the user. Its whole text is stored, so that the tablebase is self-contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// The name of the file, without its folder.
    pub file: String,
    /// The text of the file.
    pub text: String,
}

/// The content of a tablebase and the way to reproduce it, as known before the first row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The game that was labelled.
    pub game: String,
    /// The rules, if they are not built in.
    pub rules: Option<RuleText>,
    /// The CRC-32 of a graph from a file. It distinguishes files of one name.
    #[serde(rename = "graph_crc32", with = "hexadecimal::optional")]
    pub graph: Option<u32>,
    /// Normal or misère play.
    #[serde(with = "PlayWord")]
    pub play: Play,
    /// The kind of the game.
    pub kind: GameKind,
    /// The command line that reproduces the tablebase. Folders are written as `DIR`, and a rule
    /// file as its name alone.
    pub command: String,
    /// The version of the program that wrote the tablebase.
    pub program: String,
}

impl About {
    /// Returns the CRC-32 of the identity of a column. The checksum of each block continues from
    /// it, so that a block of another table is detected.
    pub(crate) fn seed(&self, ranked: bool, column: &str) -> u32 {
        let rules = self.rules.as_ref().map_or("", |rules| &rules.text);
        let play = if self.play == Play::Normal {
            "normal"
        } else {
            "misere"
        };
        let kind = match self.kind {
            GameKind::Impartial => "impartial",
            GameKind::Partizan => "partizan",
            GameKind::Ties => "ties",
        };
        let form = if ranked { "ranked" } else { "sorted" };
        let graph = self.graph.map_or(String::new(), |sum| format!("{sum:08x}"));
        let mut sum = crc32fast::Hasher::new();
        for text in [
            // A 0 byte after each text keeps the boundaries of the texts in the sum.
            &self.game,
            rules,
            &graph,
            play,
            kind,
            form,
            &self.program,
            column,
        ] {
            sum.update(text.as_bytes());
            sum.update(&[0]);
        }
        sum.finalize()
    }
}

/// An additional file of the folder, such as a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The name of the file, without a folder.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The entry of an additional file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraFile {
    /// The name of the file, without a folder.
    pub name: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The CRC-32 of the file.
    #[serde(rename = "crc32", with = "hexadecimal")]
    pub sum: u32,
}

/// The manifest of a tablebase: its game and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The content of the tablebase.
    #[serde(flatten)]
    pub about: About,
    /// Number of positions.
    pub positions: u64,
    /// The number of entries with each outcome.
    pub outcomes: Tally,
    /// The number of entries with each label, and the hardest entries.
    pub census: Census,
    /// The names of the hardest positions.
    pub hardest: Vec<String>,
    /// The way in which positions are found.
    pub keys: Keys,
    /// The columns.
    pub columns: Vec<Column>,
    /// Additional files.
    pub files: Vec<ExtraFile>,
}

impl Manifest {
    /// Returns the column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Serializes the manifest as one JSON object, whose last key is the checksum of everything
    /// before.
    #[must_use]
    pub fn text(&self) -> String {
        let versioned = Versioned {
            format: FORMAT.to_owned(),
            version: VERSION,
            manifest: self.clone(),
        };
        // Texts, numbers and lists of them always serialize.
        let mut text = serde_json::to_string(&versioned).unwrap_or_default();
        // The closing brace is dropped, so that the checksum becomes a key of the same object.
        text.pop();
        let sum = crc32fast::hash(text.as_bytes());
        format!("{text}{SUM}{sum:08x}\"}}\n")
    }

    /// Parses the output of [`Manifest::text`]. Errors call it `name`.
    ///
    /// # Errors
    /// A text that is no manifest, and a damaged or impossible one.
    pub fn of_text(name: &str, text: &str) -> Result<Self, Diagnostic> {
        let damaged = |what: &Message| crate::damaged(name, what);
        // The last occurrence, since a rule file in the manifest may contain the same text.
        let (before, sum) = text
            .rsplit_once(SUM)
            .ok_or_else(|| damaged(&message!("it is no manifest, or cut off")))?;
        // Before parsing, so that the message tells damage from another version.
        if sum.trim_end() != format!("{:08x}\"}}", crc32fast::hash(before.as_bytes())) {
            return Err(damaged(&message!("it is damaged: its checksum is wrong")));
        }
        let read: Versioned = serde_json::from_str(text).map_err(|error| {
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
        read.manifest.is_possible().map_err(|what| damaged(&what))?;
        Ok(read.manifest)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = File::create(folder.join(FILE))?;
        file.write_all(self.text().as_bytes())?;
        file.sync_all()
    }

    pub(crate) fn read(place: &dyn Place) -> Result<Self, Diagnostic> {
        let name = place.name(FILE);
        let text = String::from_utf8(place.whole(FILE, LONGEST)?)
            .map_err(|_| crate::damaged(&name, &message!("it is no manifest, or cut off")))?;
        Self::of_text(&name, &text)
    }

    /// Checks that all files are in the folder itself and that no number is too large.
    fn is_possible(&self) -> Result<(), Message> {
        let columns = self.columns.iter().map(|column| &column.name);
        let files = self.files.iter().map(|file| &file.name);
        if !columns.chain(files).all(|name| is_plain(name)) {
            return Err(message!("it names a file outside of the tablebase"));
        }
        // Far beyond any table, and small enough that offsets and row numbers cannot overflow
        // `u64`.
        let most = u64::from(u32::MAX) << 16;
        let possible = |column: &Column| column.blocks <= column.rows && column.rows <= most;
        if self.positions > most || !self.columns.iter().all(possible) {
            return Err(message!("it speaks of more rows than can be"));
        }
        Ok(())
    }
}

/// Returns whether a file name stays in the folder itself, on every system and every server.
pub(crate) fn is_plain(name: &str) -> bool {
    // A leading dot is refused below, which also excludes `..`.
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(known)
}

/// The manifest with its format and version.
#[derive(Serialize, Deserialize)]
struct Versioned {
    format: String,
    version: u64,
    #[serde(flatten)]
    manifest: Manifest,
}

impl Versioned {
    fn is_known(&self) -> bool {
        self.format == FORMAT && self.version == VERSION
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Play", rename_all = "lowercase")]
enum PlayWord {
    Normal,
    Misere,
}

/// Serialization of checksums as eight hexadecimal digits.
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

    /// Serialization of optional checksums.
    pub(super) mod optional {
        use super::{Deserialize as _, Deserializer, Serializer};
        use serde::de::Error as _;

        #[expect(
            clippy::ref_option,
            clippy::trivially_copy_pass_by_ref,
            reason = "serde hands over references"
        )]
        pub(in super::super) fn serialize<S: Serializer>(
            sum: &Option<u32>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            match sum {
                Some(sum) => super::serialize(sum, to),
                None => to.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<u32>, D::Error> {
            let text = Option::<String>::deserialize(from)?;
            let sum = text.map(|text| u32::from_str_radix(&text, 16));
            sum.transpose().map_err(D::Error::custom)
        }
    }
}
