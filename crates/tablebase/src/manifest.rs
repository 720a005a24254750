//! The manifest of a tablebase, which describes its game and its files.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use grundy_base::{Diagnostic, Message, Play, message};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::census::Census;
use crate::storage::Storage;

/// The file name of the manifest.
pub(crate) const FILE: &str = "manifest.json";
/// The name of the format, which is the first value in the file.
const FORMAT: &str = "grundy tablebase";
/// The version of the format, which covers the manifest and the blocks.
const VERSION: u64 = 3;
/// Size limit of a manifest in bytes (64 MiB). It may contain a rule file of at most 16 MiB.
const MAX_BYTES: u64 = 1 << 26;
/// The text that precedes the checksum at the end of the manifest. The checksum covers everything
/// before this text.
const SUM: &str = ",\"crc32\":\"";

/// The way in which positions are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Keys {
    /// By their text, in sorted blocks.
    Sorted {
        /// The number of levels of the search tree, including the keys themselves.
        levels: usize,
    },
    /// By their rank, which the rules of the game compute. The position of rank i is position i of
    /// the tablebase.
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
    /// Both players have the same moves, and the end of the game can be a tie. For the player to
    /// move, N is a win, P a loss, and D a tie.
    Ties,
}

impl GameKind {
    /// Returns the number of entries of each position, one for each player who may be to move: 2 in
    /// a partizan game, otherwise 1.
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
pub struct OptionalColumns {
    /// The texts of the positions, by which positions are found. Without them, positions are found
    /// by rank.
    pub names: bool,
    /// Grundy values of the positions.
    pub values: bool,
    /// Best moves of the entries, that is, of each position for each player who may be to move.
    pub moves: bool,
    /// The options of each position, for a graph without rules.
    pub options: bool,
}

/// The callback that creates the additional files of a tablebase, such as a README. It receives the
/// manifest, which is complete except for these files, and may reject the table.
pub type Extras<'a> = &'a dyn Fn(&Manifest) -> Result<Vec<Extra>, Diagnostic>;

/// The description of a column of a tablebase in the manifest. A column is stored in two files: its
/// compressed blocks and their index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// Total size of the compressed blocks in bytes.
    pub bytes: u64,
    /// The CRC-32 of the file with the blocks.
    #[serde(rename = "crc32", with = "hexadecimal")]
    pub data: u32,
    /// The CRC-32 of the index file.
    #[serde(rename = "index_crc32", with = "hexadecimal")]
    pub index: u32,
}

/// The number of entries with each outcome. An entry is a position with a player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Tally {
    /// Number of entries won by the player to move.
    pub n: u64,
    /// Number of entries lost by the player to move.
    pub p: u64,
    /// Number of drawn entries.
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

/// A rule file of the user. The tablebase stores its whole text, so that the file is not needed
/// later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// The name of the file, without its folder.
    pub file: String,
    /// The text of the file.
    pub text: String,
}

/// The content of a tablebase and the command that reproduces it. All this is known before the
/// first row is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The game that was labelled.
    pub game: String,
    /// The rules, if they are not built in.
    pub rules: Option<RuleText>,
    /// The CRC-32 of a graph that was read from a file. It distinguishes different graphs in files
    /// of the same name.
    #[serde(rename = "graph_crc32", with = "hexadecimal::optional")]
    pub graph: Option<u32>,
    /// Normal or misère play.
    #[serde(with = "PlayWord")]
    pub play: Play,
    /// The kind of the game.
    pub kind: GameKind,
    /// The command line that reproduces the tablebase. In it, folders are written as `DIR`, and a
    /// rule file is given without its folder.
    pub command: String,
    /// The version of the program that wrote the tablebase.
    pub program: String,
}

impl About {
    /// Returns the CRC-32 of the texts that identify a column and its tablebase. The checksum of
    /// each block continues this value, so a block of another table is detected.
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
            // A byte 0 follows each text. So the checksum depends on where one text ends and the
            // next begins.
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

/// An additional file of the folder, such as a README.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The name of the file, without a folder.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The description of an additional file in the manifest.
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

/// The manifest of a tablebase, which describes its game and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The content of the tablebase.
    #[serde(flatten)]
    pub about: About,
    /// Number of positions.
    pub positions: u64,
    /// The number of entries with each outcome.
    pub outcomes: Tally,
    /// The number of entries with each label (outcome and remoteness), and the entries of greatest
    /// remoteness. An entry is a position with a player to move.
    pub census: Census,
    /// The names of the positions of greatest remoteness.
    pub hardest: Vec<String>,
    /// The way in which positions are found.
    pub keys: Keys,
    /// The columns.
    pub columns: Vec<Column>,
    /// The additional files of the folder.
    pub files: Vec<ExtraFile>,
}

impl Manifest {
    /// Returns the column named `name`, if there is one.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Serializes the manifest as one JSON object. Its last key is a checksum of everything before
    /// that key.
    #[must_use]
    pub fn text(&self) -> String {
        let versioned = Versioned {
            format: FORMAT.to_owned(),
            version: VERSION,
            manifest: self.clone(),
        };
        // Serialization cannot fail, since the manifest consists of texts, numbers and lists of
        // these.
        let mut text = serde_json::to_string(&versioned).unwrap_or_default();
        // The closing brace is removed, so that the checksum becomes a key of the same object.
        text.pop();
        let sum = crc32fast::hash(text.as_bytes());
        format!("{text}{SUM}{sum:08x}\"}}\n")
    }

    /// Parses the output of [`Manifest::text`]. `name` is the name of the file in error messages.
    ///
    /// # Errors
    /// A text that is not a manifest, or a manifest that is damaged or has an unsupported version.
    /// A manifest with a file name outside the folder or too many rows is rejected, too.
    pub fn of_text(name: &str, text: &str) -> Result<Self, Diagnostic> {
        let damaged = |what: &Message| crate::damaged(name, what);
        // The last occurrence is used, since a rule file in the manifest may contain the same text.
        let (before, sum) = text
            .rsplit_once(SUM)
            .ok_or_else(|| damaged(&message!("the file is not a manifest, or it is cut off")))?;
        // The checksum is checked before parsing, so that the message distinguishes damage from
        // another version.
        if sum.trim_end() != format!("{:08x}\"}}", crc32fast::hash(before.as_bytes())) {
            return Err(damaged(&message!(
                "the file is damaged: its checksum is wrong"
            )));
        }
        let read: Versioned = serde_json::from_str(text).map_err(|error| {
            let data = error.classify() == Category::Data;
            damaged(&if data {
                message!("unsupported version of the manifest")
            } else {
                message!("invalid JSON")
            })
        })?;
        if !read.is_known() {
            return Err(damaged(&message!("unsupported version of the manifest")));
        }
        read.manifest.is_possible().map_err(|what| damaged(&what))?;
        Ok(read.manifest)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = File::create(folder.join(FILE))?;
        file.write_all(self.text().as_bytes())?;
        file.sync_all()
    }

    pub(crate) fn read(storage: &dyn Storage) -> Result<Self, Diagnostic> {
        let name = storage.name(FILE);
        let text = String::from_utf8(storage.read_all(FILE, MAX_BYTES)?).map_err(|_| {
            crate::damaged(
                &name,
                &message!("the file is not a manifest, or it is cut off"),
            )
        })?;
        Self::of_text(&name, &text)
    }

    /// Checks that no file name refers to another folder. Also checks that no column has more
    /// blocks than rows, and that the numbers of positions and rows are not too large.
    fn is_possible(&self) -> Result<(), Message> {
        let columns = self.columns.iter().map(|column| &column.name);
        let files = self.files.iter().map(|file| &file.name);
        if !columns.chain(files).all(|name| is_plain_name(name)) {
            return Err(message!("a file name leads outside of the tablebase"));
        }
        // The limit is far larger than any table, but small enough that offsets and row numbers
        // cannot overflow `u64`.
        let most = u64::from(u32::MAX) << 16;
        let possible = |column: &Column| column.blocks <= column.rows && column.rows <= most;
        if self.positions > most || !self.columns.iter().all(possible) {
            return Err(message!("the number of rows is too large"));
        }
        Ok(())
    }
}

/// Returns whether a file name refers to a file directly in the folder, on every operating system
/// and server.
pub(crate) fn is_plain_name(name: &str) -> bool {
    // The separator of folders is not allowed. A leading dot is rejected below, which also excludes
    // `..`.
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(known)
}

/// The manifest together with the name and the version of its format.
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

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(sum: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{sum:08x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = String::deserialize(from)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }

    /// Serialization of checksums that may be missing.
    pub(super) mod optional {
        use super::{Deserialize as _, Deserializer, Serializer};
        use serde::de::Error as _;

        #[expect(
            clippy::ref_option,
            clippy::trivially_copy_pass_by_ref,
            reason = "serde passes references"
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
