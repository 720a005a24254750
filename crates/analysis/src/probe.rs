//! `probe`: one position in a tablebase.

use std::io::{self, Write};
use std::sync::Arc;

use grundy::own::{Own, OwnMove, Place, Rules};
use grundy::position::AnyTerm;
use grundy::{Diagnostic, Kind, Outcome, Play, Player, Stop, Term, Verdict, message};
use grundy_notation::answer::{Printed, ValueView, json_line, verdict_code};
use grundy_notation::plain::brief;
use grundy_notation::wording::{labelled, phrase};
use grundy_notation::{Expression, Games, Language};
use grundy_tablebase::{GameKind, Record, Tablebase};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::analyst::{Analyst, about};
use crate::question::Probe;
use crate::report::Report;

/// What a tablebase knows of a position.
#[derive(Debug)]
pub struct Probed {
    name: String,
    play: Play,
    verdict: Verdict,
    has_moves: bool,
    /// One for each player who may begin.
    entries: Vec<ProbedEntry>,
}

impl Report for Probed {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        json_line(out, self)
    }

    fn plain(&self, language: Language) -> String {
        let words = verdict_code(self.verdict);
        plain(&self.name, self.play, words, &self.entries, language)
    }
}

pub(crate) fn answer(asked: &Probe, analyst: &Analyst) -> Result<Probed, Diagnostic> {
    let directory = analyst.files.table(&asked.directory)?;
    let mut table = Tablebase::open(&directory)?;
    let play = table.manifest().about.play;
    if asked.play == Play::Misere && play == Play::Normal {
        let message = message!("the tablebase is of normal play");
        return Err(Diagnostic::new(Kind::Range, message).help(message!(
            "`grundy label --misere --tablebase DIR` writes one of misère play"
        )));
    }
    let written = &asked.position;
    let found = match table.number_of(written)? {
        Some(number) => Some((number, written.clone())),
        None => match canonical(written) {
            Some(name) => table.number_of(&name)?.map(|number| (number, name)),
            None => None,
        },
    };
    let Some((number, name)) = found else {
        return Err(about(unknown(written, &table), written));
    };
    let entries = (0..table.turns())
        .map(|turn| entry(&mut table, number, turn))
        .collect::<Result<Vec<ProbedEntry>, _>>()?;
    Ok(Probed {
        name,
        play,
        verdict: verdict(&table, &entries),
        has_moves: table.manifest().column("move").is_some(),
        entries,
    })
}

/// What is known of a position, with the player to move whose turn it is.
#[derive(Debug)]
struct ProbedEntry {
    record: Record,
    /// The position that a best move leads to.
    best: Option<String>,
}

fn entry(table: &mut Tablebase, number: u64, turn: u64) -> Result<ProbedEntry, Diagnostic> {
    let turns = table.turns();
    let record = table.record(turns * number + turn)?;
    let best = record.best.map(|row| table.position(row / turns));
    Ok(ProbedEntry {
        record,
        best: best.transpose()?,
    })
}

/// Who wins.
fn verdict(table: &Tablebase, entries: &[ProbedEntry]) -> Verdict {
    let outcomes: Vec<Outcome> = entries.iter().map(|entry| entry.record.outcome).collect();
    Verdict::of(table.manifest().about.kind == GameKind::Ties, &outcomes)
}

fn unknown(written: &str, table: &Tablebase) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        Kind::UnknownName,
        message!("this position is not in the tablebase"),
    )
    .at(0..written.len());
    diagnostic.help(message!(
        "it holds what can be reached from {game}",
        game = brief(table.manifest().about.game.clone())
    ))
}

/// The position as it is printed back, if it is one of the notation.
fn canonical(written: &str) -> Option<String> {
    let expression = Expression::parse(written).ok()?;
    let position = expression.position_with(&[], &AnyRules).ok()?;
    Some(position.to_string())
}

/// Rules of any name, for positions that are only printed.
#[derive(Debug)]
struct AnyRules;

#[derive(Debug)]
struct Nameless(String);

impl Games for AnyRules {
    fn game(&self, rules: &str, start: Place) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let rules = Own(Arc::new(Nameless(rules.to_owned())));
        Ok(Arc::new(Term::new(rules, vec![start])))
    }
}

impl Rules for Nameless {
    fn name(&self) -> &str {
        &self.0
    }

    fn options(&self, _: Player, _: &Place, _: &mut Vec<OwnMove>) -> Result<(), Stop> {
        let why = Diagnostic::new(Kind::UnknownName, message!("no rule file is open"));
        Err(Stop::Rules(Arc::new(why)))
    }
}

/// What a key is called that there is for each player where there are two entries.
fn key(name: &str, turn: usize, entries: &[ProbedEntry]) -> String {
    let player = match (entries, turn) {
        ([_], _) => "",
        (_, 0) => "_left",
        _ => "_right",
    };
    format!("{name}{player}")
}

/// Written by hand, for the keys have the names of the players in them.
impl Serialize for Probed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = &self.entries[..];
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("position", &self.name)?;
        object.serialize_entry("play", &Printed(self.play))?;
        object.serialize_entry("outcome", &Printed(self.verdict))?;
        for (turn, ProbedEntry { record, best }) in entries.iter().enumerate() {
            if record.remoteness.is_some() || record.outcome == Outcome::D {
                object.serialize_entry(&key("remoteness", turn, entries), &record.remoteness)?;
            }
            if let Some(value) = &record.value {
                object.serialize_entry("grundy", &ValueView::from(value))?;
            }
            if self.has_moves {
                object.serialize_entry(&key("move", turn, entries), best)?;
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
    for (turn, ProbedEntry { record, best }) in entries.iter().enumerate() {
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
        if let Some(best) = best {
            let label = say(best_move[turn]);
            let best = labelled(&label, brief(best.to_owned()), language);
            let _ = writeln!(out, "  {best}");
        }
    }
    out
}
