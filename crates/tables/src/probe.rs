//! Lookup of positions in tablebases.

mod labels;
mod listed;
mod moves;
mod table;

use grundy_core::{Diagnostic, Outcome, Play, Verdict};
use grundy_tablebase::Record;
use grundy_wording::answer::{DisplayText, ValueView, verdict_code};
use grundy_wording::plain::brief;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, labelled, phrase};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

pub use self::labels::TableLabels;
pub use self::listed::{TableCard, TableList, find_containing, tables};
pub use self::table::{OpenTable, TableReader};

pub(crate) use self::moves::missing_option;
use self::moves::{Category, ProbeMove};
use self::table::verdict;
use grundy_job::Job;
use grundy_job::reader::with_source;

/// The answer to a lookup of a position in a tablebase: the entries of the position. An entry is a
/// position with a player to move.
#[derive(Clone, Debug)]
pub struct ProbeResult {
    name: String,
    play: Play,
    verdict: Verdict,
    has_moves: bool,
    /// One entry for each player who may move first.
    entries: Vec<ProbeEntry>,
}

impl Report for ProbeResult {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let words = verdict_code(self.verdict);
        plain(&self.name, self.play, words, &self.entries, language)
    }
}

/// The entry of a position with one of the players to move, as found in a tablebase.
#[derive(Clone, Debug)]
struct ProbeEntry {
    record: Record,
    /// The position after a stored best move, if best moves are stored.
    best: Option<String>,
    /// The moves, best first, if the tablebase has rules.
    moves: Option<Vec<ProbeMove>>,
}

impl ProbeEntry {
    /// Returns the position that a best move leads to. Uses the stored best move if there is one,
    /// and otherwise the first of `moves`.
    fn best(&self) -> Option<&str> {
        let first = || self.moves.as_ref()?.first()?.to();
        self.best.as_deref().or_else(first)
    }
}

impl OpenTable {
    /// Looks up a position. If `moves` is set and the tablebase has rules, the positions after all
    /// moves are looked up as well.
    ///
    /// # Complexity
    /// Reads one block of each column, and one block of each level of the search tree for keys. If
    /// `moves` is set, reads as many blocks again for each move.
    ///
    /// # Errors
    /// A position that is not in the tablebase, misère play in a tablebase of normal play, or a
    /// file that cannot be read.
    pub fn probe(
        &mut self,
        written: &str,
        play: Play,
        moves: bool,
        job: &Job,
    ) -> Result<ProbeResult, Diagnostic> {
        self.check_play(play)?;
        let about_table = &self.manifest().about;
        let (table_play, kind) = (about_table.play, about_table.kind);
        let Some((number, name)) = self.find(written)? else {
            return Err(with_source(self.unknown(written), written));
        };
        let position = moves.then(|| self.position(&name)).flatten();
        let turns = self.table().turns();
        let mut entries = Vec::new();
        // In a partizan game the two entries of a position are adjacent rows, the first for Left to
        // move.
        for turn in 0..turns {
            let record = self.table().record(turns * number + turn)?;
            let best = record.best.map(|row| self.name(row / turns)).transpose()?;
            let moves = match &position {
                Some(position) => moves::of(self, position, turn, best.as_deref(), job)?,
                None => None,
            };
            entries.push(ProbeEntry {
                record,
                best,
                moves,
            });
        }
        Ok(ProbeResult {
            verdict: verdict(kind, entries.iter().map(|entry| entry.record.outcome)),
            name,
            play: table_play,
            has_moves: self.manifest().column("move").is_some(),
            entries,
        })
    }
}

/// Returns the JSON key under which the field `name` of an entry is written. If a position has two
/// entries, the player to move is appended to `name`.
fn key(name: &str, turn: usize, entries: &[ProbeEntry]) -> String {
    let player = match (entries, turn) {
        ([_], _) => "",
        (_, 0) => "_left",
        _ => "_right",
    };
    format!("{name}{player}")
}

/// The serialization is written by hand, since the keys depend on the number of entries.
impl Serialize for ProbeResult {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = &self.entries[..];
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("position", &self.name)?;
        object.serialize_entry("play", &DisplayText(self.play))?;
        object.serialize_entry("outcome", &DisplayText(self.verdict))?;
        for (turn, entry) in entries.iter().enumerate() {
            let category = Category::of(entry.record.outcome);
            object.serialize_entry(&key("category", turn, entries), &category)?;
        }
        for (turn, entry) in entries.iter().enumerate() {
            let record = &entry.record;
            // A draw has the remoteness `null`. If a won or lost entry has no remoteness, the
            // tablebase does not store it, and the key is omitted.
            if record.remoteness.is_some() || record.outcome == Outcome::D {
                object.serialize_entry(&key("remoteness", turn, entries), &record.remoteness)?;
            }
            if let Some(value) = &record.value {
                object.serialize_entry("grundy", &ValueView::from(value))?;
            }
            if self.has_moves || entry.moves.is_some() {
                object.serialize_entry(&key("move", turn, entries), &entry.best())?;
            }
            if let Some(moves) = &entry.moves {
                object.serialize_entry(&key("moves", turn, entries), moves)?;
            }
        }
        object.end()
    }
}

fn plain(
    name: &str,
    play: Play,
    verdict: &'static str,
    entries: &[ProbeEntry],
    language: Language,
) -> String {
    use std::fmt::Write as _;
    let text = |code| phrase(code, language);
    let (moves_left, best_move) = match entries {
        [_] => (&["label_remoteness"][..], &["label_best_move"][..]),
        _ => (
            &["label_remoteness_left", "label_remoteness_right"][..],
            &["label_best_move_left", "label_best_move_right"][..],
        ),
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}\n  {}", brief(name.to_owned()), text(verdict));
    if play == Play::Misere {
        let _ = writeln!(out, "  {}", text("in_misere_play"));
    }
    for (turn, entry) in entries.iter().enumerate() {
        let record = &entry.record;
        if let Some(remoteness) = record.remoteness {
            let label = text(moves_left[turn]);
            let _ = writeln!(
                out,
                "  {}",
                labelled(&label, u64::from(remoteness), language)
            );
        }
        if let Some(value) = &record.value {
            let value = labelled(&text("label_value"), value.to_string(), language);
            let _ = writeln!(out, "  {value}");
        }
        if let Some(best) = entry.best() {
            let label = text(best_move[turn]);
            let best = labelled(&label, brief(best.to_owned()), language);
            let _ = writeln!(out, "  {best}");
        }
    }
    out
}
