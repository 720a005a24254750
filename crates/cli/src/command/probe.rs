//! `grundy probe`: one position in a tablebase.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use grundy::own::{Choice, Failed, Mover, Own, Place, Rules};
use grundy::solve::loopy::Loopy;
use grundy::{Kind, Outcome, Refusal, Term};
use grundy_notation::wording::phrase;
use grundy_notation::{AnyGame, Diagnostic, Expression, Game, Games, Language};
use grundy_tablebase::{Keys, Record, Tablebase};
use serde_json::{Value, json};

use super::solve::brief;
use crate::arguments::{Common, Probe, text};
use crate::failure::Failure;

pub(crate) fn run(arguments: &Probe, common: &Common) -> Result<ExitCode, Failure> {
    let mut table = Tablebase::open(&arguments.directory)?;
    let written = text(&arguments.position)?;
    let found = match table.row(written)? {
        Some(row) => Some((row, written.to_owned())),
        None => match canonical(written) {
            Some(name) => table.row(&name)?.map(|row| (row, name)),
            None => None,
        },
    };
    let Some((row, name)) = found else {
        return Err(Failure::input(unknown(written, &table), written));
    };
    let record = table.record(row)?;
    let best = record.best.map(|row| table.position(row));
    let best = best.transpose()?;
    let mut out = io::stdout().lock();
    if common.json {
        let object = object(&name, &table, &record, best.as_deref());
        writeln!(out, "{object}")?;
    } else {
        let plain = plain(&name, &record, best.as_deref(), common.language());
        out.write_all(plain.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
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
    match expression.game_with(&[], &AnyRules).ok()? {
        Game::Impartial(position) => Some(position.to_string()),
        _ => None,
    }
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

fn object(name: &str, table: &Tablebase, record: &Record, best: Option<&str>) -> Value {
    let manifest = table.manifest();
    let mut object = json!({
        "position": name,
        "play": manifest.play.to_string(),
        "outcome": record.outcome.to_string(),
    });
    if record.remoteness.is_some() || record.outcome == Outcome::D {
        object["remoteness"] = json!(record.remoteness);
    }
    match &record.value {
        Some(Loopy::Finite(value)) => object["grundy"] = json!(value),
        Some(Loopy::Infinite(set)) => object["grundy"] = json!({ "infinity": set }),
        None => {}
    }
    if manifest.column("move").is_some() {
        object["move"] = json!(best);
    }
    object
}

fn plain(name: &str, record: &Record, best: Option<&str>, language: Language) -> String {
    use std::fmt::Write as _;
    let say = |code| phrase(code, language);
    let mut out = String::new();
    let outcome = match record.outcome {
        Outcome::N => "outcome_n",
        Outcome::P => "outcome_p",
        Outcome::D => "outcome_d",
    };
    let _ = writeln!(out, "{}\n  {}", brief(name.to_owned()), say(outcome));
    if let Some(remoteness) = record.remoteness {
        let _ = writeln!(out, "  {}: {remoteness}", say("label_remoteness"));
    }
    if let Some(value) = &record.value {
        let _ = writeln!(out, "  {}: {value}", say("label_value"));
    }
    if let Some(best) = best {
        let _ = writeln!(
            out,
            "  {}: {}",
            say("label_best_move"),
            brief(best.to_owned())
        );
    }
    out
}
