//! Games that can end in a tie, in `grundy solve` and `grundy explain`.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use grundy::ties::{AnyPosition, Solution, Value};
use grundy::{Limits, Play};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Language, answer};
use serde_json::Map;

use super::solve::brief;
use crate::arguments::Common;
use crate::failure::Failure;
use crate::session::Session;

/// The answer object.
pub(crate) fn object(
    position: &dyn AnyPosition,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Map<String, serde_json::Value>, Diagnostic> {
    let solution = position.solve(play, limits).map_err(Diagnostic::stopped)?;
    Ok(answer::ties_solution(position, play, &solution))
}

/// The answer for people.
pub(crate) fn plain(
    position: &dyn AnyPosition,
    play: Play,
    limits: &Limits<'_>,
    language: Language,
) -> Result<String, Diagnostic> {
    let solution = position.solve(play, limits).map_err(Diagnostic::stopped)?;
    Ok(words_of(position, &solution, language))
}

/// The answer and the argument for it.
pub(crate) fn explain(
    position: &dyn AnyPosition,
    common: &Common,
    session: &Session,
) -> Result<(), Failure> {
    let (play, language, limits) = (common.play(), common.language(), session.limits());
    let (solution, steps) = position.explain(play, &limits)?;
    let mut out = io::stdout().lock();
    if common.json {
        let object = answer::ties_solution(position, play, &solution);
        let object = super::explain::with_steps(object, &steps, language);
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "{}", words_of(position, &solution, language))?;
    super::explain::numbered(&mut out, &steps, language)?;
    Ok(())
}

fn words_of(position: &dyn AnyPosition, solution: &Solution, language: Language) -> String {
    let say = |code| phrase(code, language);
    let (outcome, moves) = match solution.value {
        Value::Win => ("value_win", "label_moves"),
        Value::Tie => ("value_tie", "label_tie_moves"),
        Value::Lose => ("value_lose", "every_move_loses"),
    };
    let (game, value) = (brief(position.text()), solution.value);
    let mut out = format!("{game}\n  {value}: {}\n", say(outcome));
    let _ = writeln!(out, "  {}: {}", say("label_method"), solution.method);
    if !solution.keeping.is_empty() {
        let _ = writeln!(out, "  {}:", say(moves));
    }
    for keeping in &solution.keeping {
        let action = words(&keeping.mv.action, language);
        let _ = writeln!(out, "    {action} -> {}", brief(keeping.to.text()));
    }
    out
}
