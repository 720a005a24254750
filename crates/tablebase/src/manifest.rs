//! The manifest: what a tablebase is of, and what belongs to it.

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
/// What it says first.
const FORMAT: &str = "grundy tablebase";
/// The version of the format: of the manifest and of the blocks.
const VERSION: u64 = 3;
/// Longest manifest that is read: 64 MiB, with a rule file of at most 16 MiB in it.
const LONGEST: u64 = 1 << 26;
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
    /// By their rank, which the rules of the game say: the position of rank i has row i.
    Ranked,
}

/// What kind of game was labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// Both players have the same moves.
    #[default]
    Impartial,
    /// Left and Right have their own: each position has two entries, Left to move and Right to
    /// move.
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
}

/// What is kept of a position beside who wins and in how many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct Kept {
    /// The texts of the positions, by which they are found; else by their ranks.
    pub names: bool,
    /// Values.
    pub values: bool,
    /// Best moves.
    pub moves: bool,
    /// The moves themselves: those of a graph, which no rules tell.
    pub options: bool,
}

/// Makes the further files of a manifest that is whole but for them, or refuses it.
pub type Extras<'a> = &'a dyn Fn(&Manifest) -> Result<Vec<Extra>, Diagnostic>;

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

impl Tally {
    pub(crate) fn of(census: &Census) -> Self {
        Self {
            n: census.won.total(),
            p: census.lost.total(),
            d: census.drawn,
        }
    }
}

/// The rules that were written by the user: the whole text, so that the tablebase says by itself
/// what its positions are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// What the file was called, without its folder.
    pub file: String,
    /// What is in it.
    pub text: String,
}

/// What a tablebase is of, and how it is made again: what its writer knows before the first row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What was labelled.
    pub game: String,
    /// The rules, where they are not those of the program.
    pub rules: Option<RuleText>,
    /// The CRC-32 of the graph, where one was labelled that no rules tell: it tells apart two files
    /// of one name.
    #[serde(rename = "graph_crc32", with = "hexadecimal::optional")]
    pub graph: Option<u32>,
    /// Normal or misère play.
    #[serde(with = "PlayWord")]
    pub play: Play,
    /// Of what kind the game is.
    pub kind: GameKind,
    /// The command line that makes it again; folders stand in it as `DIR`, and a rule file by its
    /// name alone.
    pub command: String,
    /// The version of the program that wrote it.
    pub program: String,
}

impl About {
    /// Returns the CRC-32 of all that says what the rows of a column are. The checksum of each of
    /// its blocks goes on from there, so that a column of another table is not taken for it.
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

/// A further file of the folder, such as a card for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Its name, without a folder.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What the manifest says of a further file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraFile {
    /// Its name, without a folder.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// Its CRC-32.
    #[serde(rename = "crc32", with = "hexadecimal")]
    pub sum: u32,
}

/// What a tablebase is of, and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What it is of.
    #[serde(flatten)]
    pub about: About,
    /// How many positions there are.
    pub positions: u64,
    /// How many of their entries are N, P and D.
    pub outcomes: Tally,
    /// How many of these have which label, and the hardest.
    pub census: Census,
    /// The positions of the hardest.
    pub hardest: Vec<String>,
    /// How positions are found.
    pub keys: Keys,
    /// The columns.
    pub columns: Vec<Column>,
    /// Further files.
    pub files: Vec<ExtraFile>,
}

impl Manifest {
    /// Returns the column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns the manifest as it is written: one object in JSON, whose last key is the checksum of
    /// all before.
    #[must_use]
    pub fn text(&self) -> String {
        let versioned = Versioned {
            format: FORMAT.to_owned(),
            version: VERSION,
            manifest: self.clone(),
        };
        // Texts, numbers and lists of them can always be written.
        let mut text = serde_json::to_string(&versioned).unwrap_or_default();
        text.pop();
        let sum = crc32fast::hash(text.as_bytes());
        format!("{text}{SUM}{sum:08x}\"}}\n")
    }

    /// Reads what [`Manifest::text`] wrote; `name` is what errors call it.
    ///
    /// # Errors
    /// What is no manifest, or not whole, or cannot be.
    pub fn of_text(name: &str, text: &str) -> Result<Self, Diagnostic> {
        let damaged = |what: &Message| crate::damaged(name, what);
        let (before, sum) = text
            .rsplit_once(SUM)
            .ok_or_else(|| damaged(&message!("it is no manifest, or cut off")))?;
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

    /// Whether all files that it names lie in the folder itself, and no number is larger than can
    /// be.
    fn is_possible(&self) -> Result<(), Message> {
        let columns = self.columns.iter().map(|column| &column.name);
        let files = self.files.iter().map(|file| &file.name);
        if !columns.chain(files).all(|name| is_plain(name)) {
            return Err(message!("it names a file outside of the tablebase"));
        }
        let most = u64::from(u32::MAX) << 16;
        let possible = |column: &Column| column.blocks <= column.rows && column.rows <= most;
        if self.positions > most || !self.columns.iter().all(possible) {
            return Err(message!("it speaks of more rows than can be"));
        }
        Ok(())
    }
}

/// Returns whether a file of this name lies in the folder itself, on every system and on every
/// server.
pub(crate) fn is_plain(name: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(known)
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

    /// One that may be missing.
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
