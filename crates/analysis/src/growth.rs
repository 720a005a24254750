//! Detection of games without an end. A limit is often reached because the positions of a
//! user-defined game only grow.

use std::ops::ControlFlow;

use grundy::limits::ended;
use grundy::{Diagnostic, Limits, Message, Player, Position, Stop, message};
use grundy_wording::plain;

use crate::job::Job;

/// Number of moves that are played.
const MOVES: u32 = 2_000;

/// Time for the moves in seconds, if a move takes long. `ENOUGH` is the number of moves that must
/// be played in this time.
const SECONDS: f64 = 0.25;
const ENOUGH: u32 = 100;

/// Returns the size of a position for comparison: the length of its notation, then the notation.
fn size(position: &Position) -> (usize, String) {
    let text = position.to_string();
    // Of two numbers with equally many digits, the larger one is lexicographically larger, too.
    (text.len(), text)
}

/// Plays moves to the largest option, alternating the players. Returns the number of moves and the
/// last position if the game did not end and kept growing.
///
/// Growth is checked each time the number of moves doubles.
fn growing(start: &Position, limits: &Limits<'_>) -> Result<Option<(u32, Position)>, Stop> {
    let mut player = start.first_player();
    let mut here = start.clone();
    let mut largest = size(start);
    let mut made = 0;
    while made < MOVES {
        let next = match largest_option(&here, player, limits) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(None),
            // Slow rules may need the whole time for a few moves, which prove nothing. Therefore at
            // least `ENOUGH` moves are required.
            Err(Stop::Time) if made >= ENOUGH => break,
            Err(stop) => return Err(stop),
        };
        here = next;
        made += 1;
        player = player.other();
        // The sizes in a cycle are bounded, so they cannot exceed the previous maximum at each
        // power of two.
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

/// Returns the error of a stop. If the positions only grow, the hint states that, since a higher
/// limit would not help.
///
/// The job gets a little more time, since user-defined rules check its clock. `help` replaces the
/// usual hint on higher limits.
pub(crate) fn of_stop(
    stop: Stop,
    help: Option<Message>,
    position: &Position,
    job: &Job,
) -> Diagnostic {
    let limit = matches!(stop, Stop::Time | Stop::Positions(_) | Stop::Memory(_));
    // Rulesets of the library that are known to end need no such search.
    let known = position.terms().iter().all(|term| term.known_to_end());
    let mut diagnostic = Diagnostic::from(stop);
    diagnostic.help = help.or(diagnostic.help);
    if !limit || known {
        return diagnostic;
    }
    // The deadline of the job may have passed already.
    job.give(SECONDS);
    match growing(position, &job.limits()) {
        // In the notation, a negative argument follows a comma and a space.
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
        // Without a bound check, n - 1 is legal forever, but the largest option is n + 2: 1 + 2 ·
        // 2000 = 4001.
        let help = said("def moves(n): return [n - 1, n + 2]", "game(moves, 1)");
        assert!(help.contains("after 2000 moves"), "{help}");
        assert!(help.contains("game(moves, 4001)"), "{help}");
        // A long game that ends, and a cycle: neither may be reported as growth.
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
