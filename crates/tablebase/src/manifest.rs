//! The manifest: what a tablebase is of, and what belongs to it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use grundy::{Diagnostic, Play};
use serde_json::{Value, json};

use crate::ranked::Ranks;

/// The name of the file.
const FILE: &str = "manifest.json";
/// Longest manifest that is read.
const LONGEST: u64 = 1 << 28;
/// What stands before the checksum of all before.
const SUM: &str = ",\"crc32\":\"";

/// How positions are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// By their text, in sorted blocks; how many levels there are.
    Sorted(usize),
    /// By their rank.
    Ranked(Ranks),
}

/// What kind of game was labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    const ALL: [Self; 3] = [Self::Impartial, Self::Partizan, Self::Ties];

    /// How many entries there are for each position.
    #[must_use]
    pub fn turns(self) -> u32 {
        match self {
            Self::Partizan => 2,
            Self::Impartial | Self::Ties => 1,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Impartial => "impartial",
            Self::Partizan => "partizan",
            Self::Ties => "ties",
        }
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A column: two files.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub data: u32,
    /// The CRC-32 of the index.
    pub index: u32,
}

/// What a tablebase is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// What was labelled.
    pub game: String,
    /// Of what kind it is.
    pub kind: GameKind,
    /// Normal or misère play.
    pub play: Play,
    /// How many positions there are.
    pub positions: u64,
    /// How many of their entries are N, P and D.
    pub outcomes: [u64; 3],
    /// How positions are found.
    pub keys: Keys,
    /// The columns.
    pub columns: Vec<Column>,
}

impl Manifest {
    /// The column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = self.to_json().to_string();
        text.pop();
        let sum = crc32fast::hash(text.as_bytes());
        let text = format!("{text}{SUM}{sum:08x}\"}}\n");
        let mut file = File::create(folder.join(FILE))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    pub(crate) fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let path = folder.join(FILE);
        let damaged = |what: &str| crate::damaged(&path, what);
        let mut text = String::new();
        let file = File::open(&path).map_err(|error| {
            if fs::metadata(folder).is_ok_and(|data| data.is_dir()) {
                damaged("there is no manifest: this is no tablebase, or not a whole one")
            } else {
                Diagnostic::io(folder.display(), &error)
            }
        })?;
        file.take(LONGEST)
            .read_to_string(&mut text)
            .map_err(|error| Diagnostic::io(path.display(), &error))?;
        let (before, sum) = text
            .rsplit_once(SUM)
            .ok_or_else(|| damaged("it is no manifest, or cut off"))?;
        if sum.trim_end() != format!("{:08x}\"}}", crc32fast::hash(before.as_bytes())) {
            return Err(damaged("it is damaged: its checksum is wrong"));
        }
        let value = serde_json::from_str(&text).map_err(|_| damaged("it is no JSON"))?;
        Self::from_json(&value).ok_or_else(|| damaged("it is no manifest of this version"))
    }

    /// The manifest as it is written.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let columns = self.columns.iter().map(|column| {
            json!({
                "name": column.name,
                "rows": column.rows,
                "blocks": column.blocks,
                "bytes": column.bytes,
                "crc32": format!("{:08x}", column.data),
                "index_crc32": format!("{:08x}", column.index),
            })
        });
        let [n, p, d] = self.outcomes;
        let mut value = json!({
            "format": "grundy tablebase",
            "version": 1,
            "game": self.game,
            "play": if self.play == Play::Misere { "misere" } else { "normal" },
            "positions": self.positions,
            "outcomes": {"N": n, "P": p, "D": d},
            "keys": match &self.keys {
                Keys::Sorted(levels) => json!({"form": "sorted", "levels": levels}),
                Keys::Ranked(ranks) => json!({"form": "ranked", "call": ranks.call, "sizes": ranks.sizes}),
            },
            "columns": columns.collect::<Vec<_>>(),
        });
        // The first version knew impartial games only.
        if self.kind != GameKind::Impartial {
            value["version"] = json!(2);
            value["kind"] = json!(self.kind.word());
        }
        value
    }

    fn from_json(value: &Value) -> Option<Self> {
        if value["format"] != "grundy tablebase" {
            return None;
        }
        let kind = match value["version"].as_u64()? {
            1 => GameKind::Impartial,
            2 => GameKind::of(value["kind"].as_str()?)?,
            _ => return None,
        };
        let sum = |value: &Value| u32::from_str_radix(value.as_str()?, 16).ok();
        let column = |value: &Value| {
            Some(Column {
                name: value["name"].as_str()?.to_owned(),
                rows: value["rows"].as_u64()?,
                blocks: value["blocks"].as_u64()?,
                bytes: value["bytes"].as_u64()?,
                data: sum(&value["crc32"])?,
                index: sum(&value["index_crc32"])?,
            })
        };
        let keys = &value["keys"];
        let sizes = || {
            keys["sizes"]
                .as_array()?
                .iter()
                .map(Value::as_u64)
                .collect::<Option<Vec<u64>>>()
        };
        Some(Self {
            game: value["game"].as_str()?.to_owned(),
            kind,
            play: match value["play"].as_str()? {
                "normal" => Play::Normal,
                "misere" => Play::Misere,
                _ => return None,
            },
            positions: value["positions"].as_u64()?,
            outcomes: {
                let counts = &value["outcomes"];
                [
                    counts["N"].as_u64()?,
                    counts["P"].as_u64()?,
                    counts["D"].as_u64()?,
                ]
            },
            keys: match keys["form"].as_str()? {
                "sorted" => Keys::Sorted(usize::try_from(keys["levels"].as_u64()?).ok()?),
                "ranked" => Keys::Ranked(Ranks::new(keys["call"].as_str()?, sizes()?)),
                _ => return None,
            },
            columns: value["columns"]
                .as_array()?
                .iter()
                .map(column)
                .collect::<Option<_>>()?,
        })
    }
}
