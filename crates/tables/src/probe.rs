//! Lookup of positions in tablebases.

mod labels;
mod listed;
mod moves;
mod table;

use grundy::{Diagnostic, Outcome, Play, Verdict};
use grundy_tablebase::Record;
use grundy_wording::answer::{Printed, ValueView, verdict_code};
use grundy_wording::plain::brief;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, labelled, phrase};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

pub use self::labels::TableLabels;
pub use self::listed::{TableCard, TablesHeld, tables, with};
pub use self::table::{OpenTable, TableReader};

pub(crate) use self::moves::lacking;
use self::moves::{Category, ProbedMove};
use self::table::verdict;
use grundy_job::Job;
use grundy_job::reader::about;

/// The entries of a position in a tablebase.
#[derive(Clone, Debug)]
pub struct Probed {
    name: String,
    play: Play,
    verdict: Verdict,
    has_moves: bool,
    /// One entry for each player who may move first.
    entries: Vec<ProbedEntry>,
}

impl Report for Probed {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let words = verdict_code(self.verdict);
        plain(&self.name, self.play, words, &self.entries, language)
    }
}

/// An entry of a position, for one player to move.
#[derive(Clone, Debug)]
struct ProbedEntry {
    record: Record,
    /// The position after a best move, if best moves are stored.
    best: Option<String>,
    /// The moves, best first, if the rules are known.
    moves: Option<Vec<ProbedMove>>,
}

impl ProbedEntry {
    /// Returns the position after a best move: the stored one, or else the first of the moves.
    fn best(&self) -> Option<&str> {
        let first = || self.moves.as_ref()?.first()?.to();
        self.best.as_deref().or_else(first)
    }
}

impl OpenTable {
    /// Looks up a position. With `moves` it also looks up every position one move away, if the
    /// rules are known.
    ///
    /// # Complexity
    /// A block for each column and level of keys; the same for each move.
    ///
    /// # Errors
    /// A position that the tablebase lacks, misère play in a tablebase of normal play, and a file
    /// that cannot be read or is damaged.
    pub fn probe(
        &mut self,
        written: &str,
        play: Play,
        moves: bool,
        job: &Job,
    ) -> Result<Probed, Diagnostic> {
        self.check_play(play)?;
        let about_table = &self.manifest().about;
        let (kept, kind) = (about_table.play, about_table.kind);
        let Some((number, name)) = self.find(written)? else {
            return Err(about(self.unknown(written), written));
        };
        let position = moves.then(|| self.position(&name)).flatten();
        let turns = self.table().turns();
        let mut entries = Vec::new();
        // In a partizan game the two entries of a position are adjacent rows, Left to move first.
        for turn in 0..turns {
            let record = self.table().record(turns * number + turn)?;
            let best = record.best.map(|row| self.name(row / turns)).transpose()?;
            let moves = match &position {
                Some(position) => moves::of(self, position, turn, best.as_deref(), job)?,
                None => None,
            };
            entries.push(ProbedEntry {
                record,
                best,
                moves,
            });
        }
        Ok(Probed {
            verdict: verdict(kind, entries.iter().map(|entry| entry.record.outcome)),
            name,
            play: kept,
            has_moves: self.manifest().column("move").is_some(),
            entries,
        })
    }
}

/// Returns a key of the JSON object. A position with two entries has one key for each player.
fn key(name: &str, turn: usize, entries: &[ProbedEntry]) -> String {
    let player = match (entries, turn) {
        ([_], _) => "",
        (_, 0) => "_left",
        _ => "_right",
    };
    format!("{name}{player}")
}

/// A manual implementation, since the keys depend on the number of entries.
impl Serialize for Probed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = &self.entries[..];
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("position", &self.name)?;
        object.serialize_entry("play", &Printed(self.play))?;
        object.serialize_entry("outcome", &Printed(self.verdict))?;
        for (turn, entry) in entries.iter().enumerate() {
            let category = Category::of(entry.record.outcome);
            object.serialize_entry(&key("category", turn, entries), &category)?;
        }
        for (turn, entry) in entries.iter().enumerate() {
            let record = &entry.record;
            // A draw has a remoteness of `null`. A won or lost entry without one belongs to a
            // tablebase that stores no remoteness, and gets no key.
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
    entries: &[ProbedEntry],
    language: Language,
) -> String {
    use std::fmt::Write as _;
    let say = |code| phrase(code, language);
    let (moves_left, best_move) = match entries {
        [_] => (&["label_remoteness"][..], &["label_best_move"][..]),
        _ => (
            &["label_remoteness_left", "label_remoteness_right"][..],
            &["label_best_move_left", "label_best_move_right"][..],
        ),
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}\n  {}", brief(name.to_owned()), say(verdict));
    if play == Play::Misere {
        let _ = writeln!(out, "  {}", say("in_misere_play"));
    }
    for (turn, entry) in entries.iter().enumerate() {
        let record = &entry.record;
        if let Some(remoteness) = record.remoteness {
            let label = say(moves_left[turn]);
            let _ = writeln!(
                out,
                "  {}",
                labelled(&label, u64::from(remoteness), language)
            );
        }
        if let Some(value) = &record.value {
            let value = labelled(&say("label_value"), value.to_string(), language);
            let _ = writeln!(out, "  {value}");
        }
        if let Some(best) = entry.best() {
            let label = say(best_move[turn]);
            let best = labelled(&label, brief(best.to_owned()), language);
            let _ = writeln!(out, "  {best}");
        }
    }
    out
}
