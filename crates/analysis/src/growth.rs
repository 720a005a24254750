//! Detection of user-defined games whose positions grow forever. Such a game is a frequent reason
//! why a limit is reached.

use std::ops::ControlFlow;

use grundy_core::limits::stopped_early;
use grundy_core::{Diagnostic, Limits, Message, Player, Position, Stop, message};
use grundy_wording::plain;

use crate::job::Job;

/// Number of moves that are played to find out whether the positions keep growing.
const MAX_MOVES: u32 = 2_000;

/// Time limit, in seconds, for the moves that are played to find out whether the positions keep
/// growing.
const SECONDS: f64 = 0.25;

/// Least number of moves from which growth can be concluded if the time limit ends the check. After
/// fewer moves, nothing is concluded about growth.
const MIN_MOVES: u32 = 100;

/// Returns the size of a position for comparisons: the length of its notation, then the notation
/// itself.
fn size(position: &Position) -> (usize, String) {
    let text = position.to_string();
    // Of two numbers with equally many digits, the larger one is lexicographically larger, too.
    (text.len(), text)
}

/// Plays moves alternately, each to the largest option. If the game does not end and its positions
/// keep growing, returns the number of moves and the last position.
///
/// The positions after 8, 16, 32, ... moves are checked. Each of them must be larger than the
/// previous checked position. The first must be larger than `start`.
fn find_growth(start: &Position, limits: &Limits<'_>) -> Result<Option<(u32, Position)>, Stop> {
    let mut player = start.first_player();
    let mut here = start.clone();
    let mut largest = size(start);
    let mut made = 0;
    while made < MAX_MOVES {
        let next = match largest_option(&here, player, limits) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(None),
            // With slow rules, few moves fit into the time, and few moves prove nothing. Hence at
            // least `MIN_MOVES` moves are required.
            Err(Stop::Time) if made >= MIN_MOVES => break,
            Err(stop) => return Err(stop),
        };
        here = next;
        made += 1;
        player = player.other();
        // In a cycle the sizes are bounded. Hence they cannot keep exceeding the previous maximum.
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

/// Number of moves below 0 from which a falling chain is concluded.
const FALLING_MOVES: usize = 500;

/// Number of positions of a chain that the error shows.
const SHOWN: usize = 4;

/// Returns the least number in a position.
fn least_number(position: &Position) -> Option<i128> {
    let text = position.to_string();
    // Digits in the name of the rules are no number of the position.
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let numbers = text.split(|letter| !is_part(letter));
    numbers.filter_map(|number| number.parse().ok()).min()
}

/// Plays moves alternately, each to the option with the least number. Returns the first positions
/// and the last one, if the least number falls with each move until long after 0.
fn find_fall(start: &Position, limits: &Limits<'_>) -> Result<Option<Vec<Position>>, Stop> {
    let (mut player, mut here) = (start.first_player(), start.clone());
    let (mut chain, mut below, mut last) = (Vec::new(), 0, None);
    for _ in 0..MAX_MOVES {
        let Some((number, next)) = least_option(&here, player, limits)? else {
            return Ok(None);
        };
        if last.is_some_and(|last| number >= last) {
            return Ok(None);
        }
        below += usize::from(number < 0);
        if chain.len() < SHOWN {
            chain.push(here);
        }
        if below == FALLING_MOVES {
            chain.push(next);
            return Ok(Some(chain));
        }
        (here, last, player) = (next, Some(number), player.other());
    }
    Ok(None)
}

fn least_option(
    position: &Position,
    player: Player,
    limits: &Limits<'_>,
) -> Result<Option<(i128, Position)>, Stop> {
    let mut least: Option<(i128, Position)> = None;
    stopped_early(position.moves(player, &mut |_, _, to| {
        if let Err(stop) = limits.poll() {
            return ControlFlow::Break(stop.into());
        }
        let to = to();
        if let Some(number) = least_number(&to)
            && least.as_ref().is_none_or(|(known, _)| number < *known)
        {
            least = Some((number, to));
        }
        ControlFlow::Continue(())
    }))?;
    Ok(least)
}

fn largest_option(
    position: &Position,
    player: Player,
    limits: &Limits<'_>,
) -> Result<Option<Position>, Stop> {
    let mut largest: Option<((usize, String), Position)> = None;
    stopped_early(position.moves(player, &mut |_, _, to| {
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

/// Returns the error for the limit `stop`. If the positions keep growing, its hint reports this
/// growth, since a higher limit would not help. Otherwise its hint is `help`, or the hint to raise
/// the limit if `help` is `None`.
///
/// To find out whether the positions grow, user-defined rules are called. These calls fail after
/// the deadline of the job, which may have passed already. Hence a new deadline is set, `SECONDS`
/// from now.
pub(crate) fn stop_error(
    stop: Stop,
    help: Option<Message>,
    position: &Position,
    job: &Job,
) -> Diagnostic {
    let limit = matches!(stop, Stop::Time | Stop::Positions(_) | Stop::Memory(_));
    // Library rulesets whose games are known to end need no such check.
    let ends = position.terms().iter().all(|term| term.known_to_end());
    let mut diagnostic = Diagnostic::from(stop);
    diagnostic.help = help.or(diagnostic.help);
    if !limit || ends {
        return diagnostic;
    }
    // The deadline of the job may have passed already.
    job.set_timeout(SECONDS);
    if let Ok(Some(chain)) = find_fall(position, &job.limits()) {
        let chain: Vec<String> = chain
            .iter()
            .map(|position| plain::brief(position.to_string()))
            .collect();
        let (last, first) = chain
            .split_last()
            .expect("the last position is in the chain");
        return diagnostic.help(message!(
            "the positions run away: {first}, ..., {last}; exclude moves that take too many, as in [n - k for k in [1, 3] if k <= n]",
            first = first.join(", "),
            last
        ));
    }
    job.set_timeout(SECONDS);
    match find_growth(position, &job.limits()) {
        // In the notation, a negative argument follows a comma and a space.
        Ok(Some((moves, last))) if last.to_string().contains(", -") => diagnostic.help(message!(
            "the numbers become negative: the position after {moves} moves is {position}; exclude moves that take too many, as in [n - k for k in [1, 3] if k <= n]",
            moves,
            position = plain::brief(last.to_string())
        )),
        Ok(Some((moves, last))) => diagnostic.help(message!(
            "the positions keep growing: the position after {moves} moves is {position}; under these rules play might go on forever",
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

    fn help_for(rules: &str, start: &str) -> String {
        let job = Job::default();
        let analyst = Analyst::default().with_rules("own.star", rules, &job);
        let position = analyst.unwrap().read(start).unwrap();
        let diagnostic = stop_error(Stop::Time, None, &position, &job);
        assert_eq!(diagnostic.message.to_string(), "the time limit was reached");
        diagnostic.help.unwrap().to_string()
    }

    #[test]
    fn falling_positions_are_reported_as_a_chain() {
        for (rules, start, chain) in [
            (
                "def moves(n): return [n - 1, n - 2] if n != 11 else []",
                "game(moves, 10)",
                "game(moves, 10), game(moves, 8), game(moves, 6), game(moves, 4), ..., game(moves, -",
            ),
            (
                "def moves(p): return [(p[0], p[1] - 3)]",
                "game(moves, (5, 4))",
                "game(moves, (5, 4)), game(moves, (5, 1)), game(moves, (5, -2)), ",
            ),
        ] {
            let help = help_for(rules, start);
            assert!(help.contains(chain), "{help}");
        }
        // A game that ends far below 0 is not reported.
        let rules = "def moves(n): return [n - 1] if n > -400 else []";
        assert_eq!(
            help_for(rules, "game(moves, 3)"),
            "`timeout` raises the limit"
        );
    }

    #[test]
    fn unbounded_growth_of_positions_is_reported() {
        // The largest option is n + 2, and 2,000 moves lead from 1 to 4,001.
        let help = help_for("def moves(n): return [n + 1, n + 2]", "game(moves, 1)");
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
            assert_eq!(
                help_for(rules, start),
                "`timeout` raises the limit",
                "{rules}"
            );
        }
    }
}
