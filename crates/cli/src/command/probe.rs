//! `grundy probe`: one position in a tablebase.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use grundy::own::{Choice, Failed, Mover, Own, Place, Rules};
use grundy::partizan::LoopyClass;
use grundy::solve::loopy::Loopy;
use grundy::{Kind, Outcome, Play, Refusal, Term, ties};
use grundy_notation::answer;
use grundy_notation::wording::phrase;
use grundy_notation::{AnyGame, Diagnostic, Expression, Games, Language};
use grundy_tablebase::{Error, GameKind, Keys, Record, Tablebase};
use serde_json::{Value, json};

use super::solve::brief;
use crate::arguments::{Common, Probe, text};
use crate::failure::Failure;

pub(crate) fn run(arguments: &Probe, common: &Common) -> Result<ExitCode, Failure> {
    let mut table = Tablebase::open(&arguments.directory)?;
    let play = table.manifest().play;
    if common.play() == Play::Misere && play == Play::Normal {
        let message = "the tablebase is of normal play";
        return Err(Diagnostic::new(Kind::Range, message)
            .help("`grundy label --misere --tablebase DIR` writes one of misère play")
            .into());
    }
    let written = text(&arguments.position)?;
    let found = match table.number_of(written)? {
        Some(number) => Some((number, written.to_owned())),
        None => match canonical(written) {
            Some(name) => table.number_of(&name)?.map(|number| (number, name)),
            None => None,
        },
    };
    let Some((number, name)) = found else {
        return Err(Failure::input(unknown(written, &table), written));
    };
    let entries = (0..table.turns())
        .map(|turn| entry(&mut table, number, turn))
        .collect::<Result<Vec<Entry>, _>>()?;
    let verdict = verdict(&table, &entries);
    let mut out = io::stdout().lock();
    if common.json {
        let object = object(&name, &table, &verdict.outcome, &entries);
        writeln!(out, "{object}")?;
    } else {
        let plain = plain(&name, play, verdict.words, &entries, common.language());
        out.write_all(plain.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is known of a position, with the player to move whose turn it is.
struct Entry {
    record: Record,
    /// The position that a best move leads to.
    best: Option<String>,
}

fn entry(table: &mut Tablebase, number: u64, turn: u64) -> Result<Entry, Error> {
    let turns = table.turns();
    let record = table.record(turns * number + turn)?;
    let best = record.best.map(|row| table.position(row / turns));
    Ok(Entry {
        record,
        best: best.transpose()?,
    })
}

/// Who wins, as it stands in JSON and as the code of the words.
struct Said {
    outcome: String,
    words: &'static str,
}

fn verdict(table: &Tablebase, entries: &[Entry]) -> Said {
    let outcome = |entry: &Entry| entry.record.outcome;
    if let [left, right] = entries {
        let class = LoopyClass::from_outcomes([left, right].map(outcome));
        let words = answer::class_code(class);
        let outcome = class.to_string();
        return Said { outcome, words };
    }
    let outcome = entries.first().map_or(Outcome::D, outcome);
    if table.manifest().kind == GameKind::Ties {
        let value = ties::Value::from(outcome);
        let words = match value {
            ties::Value::Win => "value_win",
            ties::Value::Tie => "value_tie",
            ties::Value::Lose => "value_lose",
        };
        let outcome = value.to_string();
        return Said { outcome, words };
    }
    let words = match outcome {
        Outcome::N => "outcome_n",
        Outcome::P => "outcome_p",
        Outcome::D => "outcome_d",
    };
    let outcome = outcome.to_string();
    Said { outcome, words }
}

fn unknown(written: &str, table: &Tablebase) -> Diagnostic {
    let manifest = table.manifest();
    let diagnostic = Diagnostic::new(Kind::UnknownName, "this position is not in the tablebase")
        .at(0..written.len());
    match &manifest.keys {
        Keys::Ranked(keys) => diagnostic.help(format!(
            "it holds {} up to {}",
            keys.position(0),
            brief(manifest.game.clone())
        )),
        Keys::Sorted(_) => diagnostic.help(format!(
            "it holds what can be reached from {}",
            brief(manifest.game.clone())
        )),
    }
}

/// The position as it is printed back, if it is one of the notation.
fn canonical(written: &str) -> Option<String> {
    let expression = Expression::parse(written).ok()?;
    let game = expression.game_with(&[], &AnyRules).ok()?;
    Some(game.to_string())
}

/// Rules of any name, for positions that are only printed.
#[derive(Debug)]
struct AnyRules;

#[derive(Debug)]
struct Nameless(String);

impl Games for AnyRules {
    fn game(&self, rules: &str, start: Place) -> Result<AnyGame, Refusal> {
        let rules = Own(Arc::new(Nameless(rules.to_owned())));
        Ok(AnyGame::Impartial(Arc::new(Term::new(rules, vec![start]))))
    }
}

impl Rules for Nameless {
    fn name(&self) -> &str {
        &self.0
    }

    fn options(&self, _: Mover, _: &Place, _: &mut Vec<Choice>) -> Result<(), Failed> {
        Err(Failed)
    }
}

/// What a key is called that there is for each player where there are two entries.
fn key(name: &str, turn: usize, entries: &[Entry]) -> String {
    let player = match (entries, turn) {
        ([_], _) => "",
        (_, 0) => "_left",
        _ => "_right",
    };
    format!("{name}{player}")
}

fn object(name: &str, table: &Tablebase, outcome: &str, entries: &[Entry]) -> Value {
    let manifest = table.manifest();
    let mut object = json!({
        "position": name,
        "play": manifest.play.to_string(),
        "outcome": outcome,
    });
    for (turn, Entry { record, best }) in entries.iter().enumerate() {
        if record.remoteness.is_some() || record.outcome == Outcome::D {
            object[key("remoteness", turn, entries)] = json!(record.remoteness);
        }
        match &record.value {
            Some(Loopy::Finite(value)) => object["grundy"] = json!(value),
            Some(Loopy::Infinite(set)) => object["grundy"] = json!({ "infinity": set }),
            None => {}
        }
        if manifest.column("move").is_some() {
            object[key("move", turn, entries)] = json!(best);
        }
    }
    object
}

fn plain(
    name: &str,
    play: Play,
    verdict: &'static str,
    entries: &[Entry],
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
    for (turn, Entry { record, best }) in entries.iter().enumerate() {
        if let Some(remoteness) = record.remoteness {
            let label = say(moves_left[turn]);
            let _ = writeln!(out, "  {label}: {remoteness}");
        }
        if let Some(value) = &record.value {
            let _ = writeln!(out, "  {}: {value}", say("label_value"));
        }
        if let Some(best) = best {
            let label = say(best_move[turn]);
            let _ = writeln!(out, "  {label}: {}", brief(best.to_owned()));
        }
    }
    out
}
