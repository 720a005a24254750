//! The tablebases of a server: descriptions of them, and the search for one that contains a
//! position.

use std::path::{Path, PathBuf};

use grundy_core::{Diagnostic, Kind, Play, message};
use grundy_tablebase::{Census, GameKind, Keys, Manifest, Tablebase, Tally};
use grundy_wording::Audience;
use grundy_wording::answer::DisplayText;
use grundy_wording::diagnostic::ErrorView;
use grundy_wording::message_text;
use grundy_wording::plain::brief;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::Serialize;

use super::table::{OpenTable, storage};
use grundy_job::Job;
use grundy_job::Reader;
use grundy_job::reader::with_source;

/// Size limit in bytes of an additional file (the README or its plot) that is included in an
/// answer.
const MAX_EXTRA_BYTES: u64 = 1 << 22;

/// The description of a tablebase.
#[derive(Clone, Debug, Serialize)]
pub struct TableCard {
    /// The name of the tablebase.
    table: String,
    game: String,
    play: DisplayText<Play>,
    kind: GameKind,
    positions: u64,
    outcomes: Tally,
    /// The greatest remoteness: the number of moves in the longest game with best play.
    longest: u64,
    /// `true` if Grundy values are stored.
    values: bool,
    /// `true` if positions are found by rank, `false` if they are found by name.
    ranked: bool,
    /// The total size of the compressed data of all columns, in bytes, without the index files.
    bytes: u64,
    /// `true` if games can be played with the tablebase. `false` for the tablebase of a graph from
    /// a file, which has no rules.
    playable: bool,
    /// Further details, if the description of a single tablebase was requested.
    #[serde(flatten)]
    more: Option<CardDetails>,
}

/// The details that are included only in the description of a single tablebase.
#[derive(Clone, Debug, Serialize)]
struct CardDetails {
    census: Census,
    /// The names of the positions with the greatest remoteness.
    hardest: Vec<String>,
    /// The command that reproduces the tablebase.
    command: String,
    /// The text of the rule file, if the rules are not built in.
    rules: Option<String>,
    /// The text of the README in the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<String>,
    /// The SVG text of the plot that the README shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
}

/// A folder that contains a damaged tablebase or no tablebase.
#[derive(Clone, Debug)]
pub struct DamagedTable {
    /// The name of the folder.
    table: String,
    error: Diagnostic,
}

/// The descriptions of all tablebases of a server, or of one tablebase.
#[derive(Clone, Debug)]
pub enum TableList {
    /// All tablebases.
    All {
        /// The tablebases that can be read, in the order of their names.
        tables: Vec<TableCard>,
        /// The folders that cannot be read as tablebases, in the order of their names.
        damaged: Vec<DamagedTable>,
    },
    /// A single tablebase.
    One(Box<TableCard>),
}

#[derive(Serialize)]
struct AllView<'a> {
    tables: &'a [TableCard],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamagedView<'a>>,
}

#[derive(Serialize)]
struct DamagedView<'a> {
    table: &'a str,
    #[serde(flatten)]
    error: ErrorView,
}

impl Report for TableList {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let audience = words.audience();
        match self {
            Self::All { tables, damaged } => {
                let damaged = damaged
                    .iter()
                    .map(|DamagedTable { table, error }| DamagedView {
                        table,
                        error: ErrorView::new(error, "", audience),
                    });
                let damaged = damaged.collect();
                Box::new(AllView { tables, damaged })
            }
            Self::One(card) => Box::new(card),
        }
    }

    fn plain(&self, audience: Audience) -> String {
        let line = |card: &TableCard| format!("{}: {}\n", card.table, brief(card.game.clone()));
        match self {
            Self::All { tables, damaged } => {
                let damaged = damaged.iter().map(|DamagedTable { table, error }| {
                    format!("{table}: {}\n", message_text(&error.message, audience))
                });
                tables.iter().map(line).chain(damaged).collect()
            }
            Self::One(card) => card
                .more
                .as_ref()
                .and_then(|more| more.card.clone())
                .unwrap_or_else(|| line(card)),
        }
    }
}

/// Returns the descriptions of all tablebases, or of the tablebase `name` in detail.
///
/// # Errors
/// A name without a tablebase, or a file that cannot be read.
pub fn tables(name: Option<&Path>, reader: &Reader, job: &Job) -> Result<TableList, Diagnostic> {
    if let Some(name) = name {
        let table = Tablebase::at(storage(name, reader.files(), job)?)?;
        let card = TableCard {
            more: Some(details(&table)?),
            ..card(name, table.manifest())
        };
        return Ok(TableList::One(Box::new(card)));
    }
    let (mut tables, mut damaged) = (Vec::new(), Vec::new());
    for name in reader.files().tables()? {
        // A damaged tablebase is listed with its error, since the other tablebases are still to be
        // listed.
        match storage(&name, reader.files(), job).and_then(Tablebase::at) {
            Ok(table) => tables.push(card(&name, table.manifest())),
            Err(error) => damaged.push(DamagedTable {
                table: name.display().to_string(),
                error,
            }),
        }
    }
    Ok(TableList::All { tables, damaged })
}

fn card(name: &Path, manifest: &Manifest) -> TableCard {
    let about = &manifest.about;
    TableCard {
        table: name.display().to_string(),
        game: about.game.clone(),
        play: DisplayText(about.play),
        kind: about.kind,
        positions: manifest.positions,
        outcomes: manifest.outcomes,
        longest: manifest.census.longest,
        values: manifest.column("grundy").is_some(),
        ranked: manifest.keys == Keys::Ranked,
        bytes: manifest.columns.iter().map(|column| column.bytes).sum(),
        playable: about.graph.is_none(),
        more: None,
    }
}

fn details(table: &Tablebase) -> Result<CardDetails, Diagnostic> {
    let manifest = table.manifest();
    let text = |ending: &str| {
        let mut files = manifest.files.iter();
        let file = files.find(|file| file.name.ends_with(ending) && file.bytes <= MAX_EXTRA_BYTES);
        let bytes = file.map(|file| table.extra(file)).transpose()?;
        Ok::<_, Diagnostic>(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    };
    Ok(CardDetails {
        census: manifest.census.clone(),
        hardest: manifest.hardest.clone(),
        command: manifest.about.command.clone(),
        rules: manifest
            .about
            .rules
            .as_ref()
            .map(|rules| rules.text.clone()),
        card: text(".md")?,
        svg: text(".svg")?,
    })
}

/// Returns the first tablebase that contains a position and was written for the kind of play
/// `play`. If a tablebase cannot be read, the search continues with the next tablebase. If no
/// tablebase contains the position, the error of the unreadable tablebase is returned.
///
/// # Errors
/// A position that no tablebase contains, a tablebase that could not be read, or the limit that was
/// reached.
pub fn find_containing(
    position: &str,
    play: Play,
    reader: &Reader,
    job: &Job,
) -> Result<OpenTable, Diagnostic> {
    let names: Vec<PathBuf> = reader.files().tables()?;
    let mut unread = None;
    for name in &names {
        let found = OpenTable::open(name, reader, job).and_then(|mut table| {
            let has = table.manifest().about.play == play && table.contains(position)?;
            Ok(has.then_some(table))
        });
        match found {
            Ok(Some(table)) => return Ok(table),
            Ok(None) => {}
            // The same limit would stop the search of every further tablebase, too.
            Err(error) if error.kind == Kind::Limit => return Err(error),
            Err(error) => {
                unread.get_or_insert(error);
            }
        }
    }
    // If a tablebase could not be read, it may contain the position. So "not found" could be a
    // false answer.
    if let Some(error) = unread {
        return Err(error);
    }
    let message = message!("no available tablebase contains this position");
    let names: Vec<String> = names
        .iter()
        .map(|name| name.display().to_string())
        .collect();
    let error = Diagnostic::new(Kind::UnknownName, message)
        .at(0..position.len())
        .help(message!(
            "available tablebases: {names}",
            names = names.join(", ")
        ));
    Err(with_source(error, position))
}
