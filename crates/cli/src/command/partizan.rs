//! Partizan positions in `grundy solve` and `grundy explain`: the outcome class, the winning moves of both players, why.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use grundy::partizan::{Position, Solution, solve};
use grundy::step::Step;
use grundy::{Limits, Play};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Language, answer};
use serde_json::{Map, Value};

use crate::arguments::Common;
use crate::failure::Failure;
use crate::session::Session;

/// The answer object.
pub(crate) fn object(
    position: &Position,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Map<String, Value>, Diagnostic> {
    let solution = solve(position, play, limits).map_err(Diagnostic::stopped)?;
    Ok(answer::partizan_solution(position, play, &solution))
}

/// The answer for people.
pub(crate) fn plain(
    position: &Position,
    play: Play,
    limits: &Limits<'_>,
    language: Language,
) -> Result<String, Diagnostic> {
    let solution = solve(position, play, limits).map_err(Diagnostic::stopped)?;
    Ok(words_of(position, &solution, language))
}

/// The answer and the argument for it.
pub(crate) fn explain(
    position: &Position,
    common: &Common,
    session: &Session,
) -> Result<(), Failure> {
    let (play, language, limits) = (common.play(), common.language(), session.limits());
    let solution = solve(position, play, &limits)?;
    let steps = grundy::partizan::explain(position, play, &solution, &limits)?;
    let mut out = io::stdout().lock();
    if common.json {
        let object = answer::partizan_solution(position, play, &solution);
        let object = super::explain::with_steps(object, &steps, language);
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "{}", words_of(position, &solution, language))?;
    super::explain::numbered(&mut out, &steps, language)?;
    Ok(())
}

fn words_of(position: &Position, solution: &Solution, language: Language) -> String {
    let say = |code| phrase(code, language);
    let game = super::solve::brief(position.to_string());
    let mut out = format!("{game}\n  {}\n", say(answer::class_code(solution.class)));
    if let Some(value) = solution.value {
        let _ = writeln!(out, "  {}: {value}", say("label_number"));
    }
    for remark in position.terms.iter().flat_map(|term| term.remarks()) {
        let _ = writeln!(out, "  {}", words(&remark, language));
    }
    let _ = writeln!(out, "  {}: {}", say("label_method"), solution.method);
    for (label, moves) in [
        ("label_left_moves", &solution.left),
        ("label_right_moves", &solution.right),
    ] {
        if moves.is_empty() {
            continue;
        }
        let _ = writeln!(out, "  {}:", say(label));
        for winning in moves {
            let mut action = words(&winning.mv.action, language);
            if position.terms.len() > 1 {
                let place = Step::new("label_component").with("index", winning.component);
                action = format!("{}: {action}", words(&place, language));
            }
            let to = super::solve::brief(winning.to.to_string());
            let _ = writeln!(out, "    {action} -> {to}");
        }
    }
    if !solution.moves_complete {
        let _ = writeln!(out, "    {}", say("label_more"));
    }
    out
}
