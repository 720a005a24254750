//! Plays that never end: where a limit was reached because positions of a game of one's own only
//! grow.

use std::ops::ControlFlow;

use grundy::limits::ended;
use grundy::{Diagnostic, Limits, Message, Player, Position, Stop, message};
use grundy_wording::plain;

use crate::job::Job;

/// Moves of the play that is looked at.
const MOVES: u32 = 2_000;

/// Seconds for it, where a move takes long, and the moves that have to be seen in them.
const SECONDS: f64 = 0.25;
const ENOUGH: u32 = 100;

/// How large a position is: by its notation, of numbers of one length the larger.
fn size(position: &Position) -> (usize, String) {
    let text = position.to_string();
    (text.len(), text)
}

/// Returns a play in which every move leads to the largest position that it can: how many moves
/// were made and where it stands, where it has not ended and each doubling of its length has found
/// it larger.
fn growing(start: &Position, limits: &Limits<'_>) -> Result<Option<(u32, Position)>, Stop> {
    let mut player = start.first_player();
    let mut here = start.clone();
    let mut largest = size(start);
    let mut made = 0;
    while made < MOVES {
        let next = match largest_option(&here, player, limits) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(None),
            Err(Stop::Time) if made >= ENOUGH => break,
            Err(stop) => return Err(stop),
        };
        here = next;
        made += 1;
        player = player.other();
        if made.is_power_of_two() && made > 4 {
            let now = size(&here);
            if now <= largest {
                return Ok(None);
            }
            largest = now;
        }
    }
    Ok(Some((made, here)))
}

fn largest_option(
    position: &Position,
    player: Player,
    limits: &Limits<'_>,
) -> Result<Option<Position>, Stop> {
    let mut largest: Option<((usize, String), Position)> = None;
    ended(position.moves(player, &mut |_, _, to| {
        if let Err(stop) = limits.poll() {
            return ControlFlow::Break(stop.into());
        }
        let to = to();
        let size = size(&to);
        if largest.as_ref().is_none_or(|(known, _)| size > *known) {
            largest = Some((size, to));
        }
        ControlFlow::Continue(())
    }))?;
    Ok(largest.map(|(_, option)| option))
}

/// What ended the work, with what is seen of positions that only grow: more room would not help
/// them. The rules look at the clock of the job, which gets a little more time. There may be better
/// help than the option that gives more room.
pub(crate) fn of_stop(
    stop: Stop,
    help: Option<Message>,
    position: &Position,
    job: &Job,
) -> Diagnostic {
    let limit = matches!(stop, Stop::Time | Stop::Positions(_) | Stop::Memory(_));
    let known = position.terms().iter().all(|term| term.known_to_end());
    let mut diagnostic = Diagnostic::from(stop);
    diagnostic.help = help.or(diagnostic.help);
    if !limit || known {
        return diagnostic;
    }
    job.give(SECONDS);
    match growing(position, &job.limits()) {
        Ok(Some((moves, last))) if last.to_string().contains(", -") => diagnostic.help(message!(
            "the numbers go below 0: after {moves} moves a play stands at {position}; leave out moves that take too many, as in [n - k for k in [1, 3] if k <= n]",
            moves,
            position = plain::brief(last.to_string())
        )),
        Ok(Some((moves, last))) => diagnostic.help(message!(
            "the positions keep growing: after {moves} moves a play stands at {position} and has not ended; the rules may have no end",
            moves,
            position = plain::brief(last.to_string())
        )),
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyst;

    fn said(rules: &str, start: &str) -> String {
        let job = Job::default();
        let analyst = Analyst::default().with_rules("own.star", rules, &job);
        let position = analyst.unwrap().read(start).unwrap();
        let diagnostic = of_stop(Stop::Time, None, &position, &job);
        assert_eq!(diagnostic.message.to_string(), "the time limit was reached");
        diagnostic.help.unwrap().to_string()
    }

    #[test]
    fn positions_that_only_grow_are_told_of() {
        let help = said("def moves(n): return [n - 1, n + 2]", "game(moves, 1)");
        assert!(help.contains("after 2000 moves"), "{help}");
        assert!(help.contains("game(moves, 4001)"), "{help}");
        for (rules, start) in [
            (
                "def moves(n): return [n - 1] if n > 0 else []",
                "game(moves, 100000)",
            ),
            ("def moves(n): return [(n + 1) % 7]", "game(moves, 3)"),
        ] {
            assert_eq!(said(rules, start), "`timeout` raises the limit", "{rules}");
        }
    }
}
