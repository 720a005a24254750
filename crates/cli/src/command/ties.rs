//! Games with ties in `grundy solve`: win, tie or lose, and the moves that keep it.

use std::fmt::Write as _;

use grundy::own::Verdict;
use grundy::own::ties::{Game, Solution, solve};
use grundy::{Kind, Limits, Play};
use grundy_notation::wording::{phrase, words};
use grundy_notation::{Diagnostic, Language, answer};
use serde_json::{Map, Value};

/// The answer object.
pub(crate) fn object(
    game: &Game,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Map<String, Value>, Diagnostic> {
    let solution = solution(game, play, limits)?;
    Ok(answer::ties_solution(game, &solution))
}

/// The answer for people.
pub(crate) fn plain(
    game: &Game,
    play: Play,
    limits: &Limits<'_>,
    language: Language,
) -> Result<String, Diagnostic> {
    let solution = solution(game, play, limits)?;
    let say = |code| phrase(code, language);
    let (value, moves) = match solution.verdict {
        Verdict::Win => ("value_win", "label_moves"),
        Verdict::Tie => ("value_tie", "label_tie_moves"),
        Verdict::Lose => ("value_lose", "every_move_loses"),
    };
    let game = super::solve::brief(game.to_string());
    let mut out = format!("{game}\n  {}: {}\n", solution.verdict.name(), say(value));
    let _ = writeln!(out, "  {}: search", say("label_method"));
    if !solution.moves.is_empty() {
        let _ = writeln!(out, "  {}:", say(moves));
    }
    for (mv, to) in &solution.moves {
        let to = super::solve::brief(to.to_string());
        let _ = writeln!(out, "    {} -> {to}", words(&mv.action, language));
    }
    Ok(out)
}

fn solution(game: &Game, play: Play, limits: &Limits<'_>) -> Result<Solution, Diagnostic> {
    if play == Play::Misere {
        let message = "the rules say who has won, so there is no mis\u{e8}re play of this game";
        return Err(Diagnostic::new(Kind::Type, message).help("leave out --misere"));
    }
    solve(game, limits).map_err(Diagnostic::stopped)
}
