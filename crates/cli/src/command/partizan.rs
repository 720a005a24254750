//! Partizan positions in `grundy solve`: the outcome class, and the winning moves of both players.

use std::fmt::Write as _;

use grundy::partizan::{Class, Position, Solution, solve};
use grundy::{Limits, Play};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Language, answer};
use serde_json::{Map, Value};

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
    let say = |code| phrase(code, language);
    let game = super::solve::brief(position.to_string());
    let mut out = format!("{game}\n  {}\n", say(class_code(&solution)));
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
            let action = words(&winning.mv.action, language);
            let to = super::solve::brief(winning.to.to_string());
            let _ = writeln!(out, "    {action} -> {to}");
        }
    }
    if !solution.moves_complete {
        let _ = writeln!(out, "    {}", say("label_more"));
    }
    Ok(out)
}

fn class_code(solution: &Solution) -> &'static str {
    match solution.class {
        Class::L => "class_l",
        Class::R => "class_r",
        Class::N => "class_n",
        Class::P => "class_p",
    }
}
