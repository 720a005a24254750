//! Detection of user-defined games whose positions grow or fall forever. Such a game is a frequent
//! reason why a search has no result.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use grundy_core::limits::stopped_early;
use grundy_core::{Diagnostic, Kind, Limits, Message, Player, Position, Stop, message};

use crate::job::Job;

/// Time after which a search without a result is examined.
const WAIT: Duration = Duration::from_secs(1);

/// Number of moves that are played to find out whether the positions keep growing.
const MAX_MOVES: u32 = 2_000;

/// Time limit, in seconds, for the moves that are played to find out whether the positions keep
/// growing.
const SECONDS: f64 = 0.25;

/// Least number of moves from which growth can be concluded if the time limit ends the check. After
/// fewer moves, nothing is concluded about growth.
const MIN_MOVES: u32 = 100;

/// Least number of moves from which growth can be concluded if the rules fail for the last
/// position. A number that is doubled is out of range after 64 moves.
const MIN_MOVES_TO_ERROR: u32 = 32;

/// Least number of moves from which growth can be concluded if a number gets out of range. A number
/// that is squared is out of range after seven moves.
const MIN_MOVES_TO_OVERFLOW: u32 = 4;

/// Returns the size of a position for comparisons: the sizes of the parts of its sum, the largest
/// first. If moves replace a part by any number of smaller parts, play ends, and the size falls.
fn size(position: &Position) -> Vec<(usize, String)> {
    let of_part = |text: String| (text.len(), text);
    // Of two numbers with equally many digits, the larger one is lexicographically larger, too.
    let mut sizes: Vec<(usize, String)> = (position.terms().iter())
        .flat_map(|term| term.pieces())
        .map(|part| of_part(part.text()))
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// The positions of a play that seems to have no end.
struct Chain {
    /// The first positions.
    first: Vec<Position>,
    last: Position,
    /// Number of moves to the last position.
    moves: u32,
}

/// Plays moves alternately, each to the largest option. If the game does not end and its positions
/// keep growing, returns the first positions and the last one.
///
/// The positions after 8, 16, 32, ... moves are checked. Each of them must be larger than the
/// previous checked position. The first must be larger than `start`.
fn find_growth(start: &Position, limits: &Limits<'_>) -> Result<Option<Chain>, Stop> {
    let mut player = start.first_player();
    let mut here = start.clone();
    let mut largest = size(start);
    let mut first = Vec::new();
    let mut made = 0;
    while made < MAX_MOVES {
        let next = match largest_option(&here, player, limits) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(None),
            // With slow rules, few moves fit into the time, and few moves prove nothing. Hence at
            // least `MIN_MOVES` moves are required.
            Err(Stop::Time) if made >= MIN_MOVES => break,
            Err(Stop::Rules(_)) if made >= MIN_MOVES_TO_ERROR => break,
            Err(Stop::Rules(error))
                if error.kind == Kind::Overflow
                    && made >= MIN_MOVES_TO_OVERFLOW
                    && size(&here) > largest =>
            {
                break;
            }
            Err(stop) => return Err(stop),
        };
        if first.len() < SHOWN {
            first.push(here);
        }
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
    Ok(Some(Chain {
        first,
        last: here,
        moves: made,
    }))
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
fn find_fall(start: &Position, limits: &Limits<'_>) -> Result<Option<Chain>, Stop> {
    let (mut player, mut here) = (start.first_player(), start.clone());
    let (mut first, mut below, mut last) = (Vec::new(), 0, None);
    for moves in 1..=MAX_MOVES {
        let Some((number, next)) = least_option(&here, player, limits)? else {
            return Ok(None);
        };
        if last.is_some_and(|last| number >= last) {
            return Ok(None);
        }
        below += usize::from(number < 0);
        if first.len() < SHOWN {
            first.push(here);
        }
        if below == FALLING_MOVES {
            let last = next;
            return Ok(Some(Chain { first, last, moves }));
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
    let mut largest: Option<(Vec<(usize, String)>, Position)> = None;
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

/// Length limit in characters of a position in a message.
const SHOWN_CHARACTERS: usize = 60;

/// Returns the beginning of a position.
fn brief(position: &Position) -> String {
    let text = position.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Plays moves to find out whether the positions grow or fall forever. Returns the chain of
/// positions and advice.
fn diagnosis(position: &Position, limits: &Limits<'_>) -> Option<Message> {
    let fall = find_fall(position, limits);
    let (chain, falls) = match fall {
        Ok(Some(chain)) => (chain, true),
        _ => (find_growth(position, limits).ok()??, false),
    };
    let first: Vec<String> = chain.first.iter().map(brief).collect();
    let (first, last, moves) = (first.join(", "), brief(&chain.last), chain.moves);
    // In the notation, a negative argument follows a comma and a space.
    Some(if falls || last.contains(", -") {
        message!(
            "the positions run away: {first}, ..., {last}; exclude moves that take too many, as in [n - k for k in [1, 3] if k <= n]",
            first,
            last
        )
    } else {
        message!(
            "the positions keep growing: {first}, ..., and after {moves} moves {last}; play might go on forever, so exclude large positions, as in [m for m in [n + 1, n + 2] if m <= 100]",
            first,
            moves,
            last
        )
    })
}

/// An observer of the search for a position. If the search has no result after [`WAIT`], it looks
/// once for positions that grow or fall forever, and reports them. The search then continues.
pub(crate) struct Watch<'a> {
    position: &'a Position,
    job: &'a Job,
    begun: Duration,
    /// The only thread that looks, since rules may require the thread of an interpreter.
    thread: ThreadId,
    /// `true` if there is no further look.
    is_done: AtomicBool,
    /// The result of the look.
    found: Mutex<Option<Message>>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(position: &'a Position, job: &'a Job) -> Self {
        // Library rulesets whose games are known to end need no look.
        let ends = position.terms().iter().all(|term| term.known_to_end());
        Self {
            position,
            job,
            begun: job.now(),
            thread: thread::current().id(),
            is_done: AtomicBool::new(ends),
            found: Mutex::new(None),
        }
    }

    /// Returns the reason to stop the search, if there is one. The search polls this method in
    /// place of the stop callback of the job.
    pub(crate) fn poll(&self) -> Option<Stop> {
        let stop = (self.job.limits().interrupted)();
        if stop.is_none() && !self.is_done.load(Ordering::Relaxed) {
            self.look_if_due();
        }
        stop
    }

    fn look_if_due(&self) {
        let is_due = thread::current().id() == self.thread && self.job.since(self.begun) >= WAIT;
        if !is_due || self.is_done.swap(true, Ordering::Relaxed) {
            return;
        }
        let part = self.job.with_timeout(SECONDS);
        let Some(found) = diagnosis(self.position, &part.limits()) else {
            return;
        };
        self.job.warn(&found);
        let mut slot = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some(found);
    }

    /// Adds the reason that the look found to an error.
    pub(crate) fn with_reason(&self, error: Diagnostic) -> Diagnostic {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        match &*found {
            Some(found) if error.kind != Kind::Cyclic => error.help(found.clone()),
            _ => error,
        }
    }

    /// Returns the error for `stop`. If the positions grow or fall forever, its hint reports this,
    /// since a higher limit would not help. Otherwise its hint is `help`, or that of `stop` if
    /// `help` is `None`.
    ///
    /// User-defined rules fail after the deadline of the job. If it has passed, a new deadline is
    /// set for the look, `SECONDS` from now.
    pub(crate) fn stop_error(&self, stop: Stop, help: Option<Message>) -> Diagnostic {
        // Rules fail for numbers that are too large, and for positions that are nested too deeply.
        let may_grow = matches!(
            stop,
            Stop::Time | Stop::Positions(_) | Stop::Memory(_) | Stop::Rules(_)
        );
        let is_late = matches!(stop, Stop::Time);
        let mut diagnostic = Diagnostic::from(stop);
        diagnostic.help = help.or(diagnostic.help);
        // The rules themselves report that their positions run away.
        if !may_grow || diagnostic.kind == Kind::Cyclic {
            return diagnostic;
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_done.swap(true, Ordering::Relaxed) {
            let part = self.job.with_timeout(SECONDS);
            let limits = if is_late {
                self.job.set_timeout(SECONDS);
                self.job.limits()
            } else {
                part.limits()
            };
            *found = diagnosis(self.position, &limits);
        }
        match found.take() {
            Some(found) => diagnostic.help(found),
            None => diagnostic,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::Analyst;
    use crate::progress::Progress;
    use crate::question::TableQuestion;

    fn help_for(rules: &str, start: &str) -> String {
        let job = Job::default();
        let analyst = Analyst::default().with_rules("own.star", rules, &job);
        let position = analyst.unwrap().read(start).unwrap();
        let diagnostic = Watch::new(&position, &job).stop_error(Stop::Time, None);
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
        for (rules, start, chain) in [
            // The largest option is n + 2, and 2,000 moves lead from 1 to 4,001.
            (
                "def moves(n): return [n + 1, n + 2]",
                "game(moves, 1)",
                "game(moves, 1), game(moves, 3), game(moves, 5), game(moves, 7), ..., and after 2000 moves game(moves, 4001);",
            ),
            // 2^64 is out of range, and 2^63 is reached after 63 moves.
            (
                "def moves(n): return [2 * n]",
                "game(moves, 1)",
                "game(moves, 1), game(moves, 2), game(moves, 4), game(moves, 8), ..., and after 63 moves game(moves, 9223372036854775808);",
            ),
            // The square of 3^32 is out of range.
            (
                "def moves(n): return [n * n]",
                "game(moves, 3)",
                "game(moves, 3), game(moves, 9), game(moves, 81), game(moves, 6561), ..., and after 5 moves game(moves, 1853020188851841);",
            ),
            (
                "def moves(p): return [(p[0], p[1] + 1)]",
                "game(moves, (3, 1))",
                "game(moves, (3, 1)), game(moves, (3, 2)), game(moves, (3, 3)), game(moves, (3, 4)), ..., and after 2000 moves game(moves, (3, 2001));",
            ),
            (
                "def moves(s): return [s + 'a']",
                "game(moves, 'x')",
                "game(moves, \"x\"), game(moves, \"xa\"), game(moves, \"xaa\"), game(moves, \"xaaa\"), ..., and after ",
            ),
            (
                "def moves(n): return [sum_of([n, n])] if n else []",
                "game(moves, 1)",
                "game(moves, 1), game(moves, 1) + game(moves, 1), ",
            ),
            (
                "def moves(p): return [(p, 1)]",
                "game(moves, 1)",
                "game(moves, 1), game(moves, (1, 1)), game(moves, ((1, 1), 1)), ",
            ),
        ] {
            let help = help_for(rules, start);
            assert!(help.contains(chain), "{help}");
        }
        // A long game that ends, a cycle, and an error: none may be reported as growth. Neither may
        // sums of more and more terms that become smaller.
        for (rules, start) in [
            (
                "def moves(n): return [sum_of([n // 2, n // 2])] if n > 0 else []",
                "game(moves, 1000000000)",
            ),
            (
                "def moves(n): return [n - 1] if n > 0 else []",
                "game(moves, 100000)",
            ),
            ("def moves(n): return [(n + 1) % 7]", "game(moves, 3)"),
            (
                "def moves(n): return [n + 1] if n < 20 else [1 // 0]",
                "game(moves, 0)",
            ),
        ] {
            assert_eq!(
                help_for(rules, start),
                "`timeout` raises the limit",
                "{rules}"
            );
        }
    }

    #[test]
    fn the_look_after_an_error_sets_no_deadline() {
        let seconds = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&seconds);
        let clock = move || Duration::from_secs(shown.load(Ordering::Relaxed));
        let job = Job::with_clock(20_000, 1 << 30, clock);
        let rules = "def moves(n): return [n + 1, n + 2]";
        let analyst = Analyst::default().with_rules("own.star", rules, &job);
        let position = analyst.unwrap().read("game(moves, 1)").unwrap();
        let error = Watch::new(&position, &job).stop_error(Stop::Positions(20_000), None);
        let help = error.help.unwrap().to_string();
        assert!(help.contains("the positions keep growing"), "{help}");
        // A batch answers its next questions under the same job.
        seconds.store(1_000, Ordering::Relaxed);
        assert_eq!(job.limits().poll(), Ok(()));
    }

    /// Creates a job whose clock shows 0 first, and then `seconds`. Returns its notes, too.
    fn job_with_notes(seconds: u64) -> (Job, Arc<Mutex<Vec<String>>>) {
        let reads = AtomicU64::new(0);
        let clock = move || match reads.fetch_add(1, Ordering::Relaxed) {
            0 => Duration::ZERO,
            _ => Duration::from_secs(seconds),
        };
        let notes = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&notes);
        let job = Job::with_clock(20_000, 1 << 30, clock).with_progress(move |progress| {
            if let Progress::Note(note) = progress {
                seen.lock().unwrap().push(note.to_string());
            }
        });
        (job, notes)
    }

    /// Solves a position with a clock that shows 0 first, and then `seconds`. Returns the notes and
    /// the hint of the error.
    fn notes(rules: &str, start: &str, seconds: u64) -> (Vec<String>, Option<String>) {
        let (job, notes) = job_with_notes(seconds);
        let analyst = Analyst::default()
            .with_rules("own.star", rules, &job)
            .unwrap();
        let position = analyst.read(start).unwrap();
        let watch = Watch::new(&position, &job);
        let interrupted = || watch.poll();
        let limits = Limits {
            interrupted: &interrupted,
            ..job.limits()
        };
        let solved = grundy_core::Solver::default().grundy(&position, &limits);
        let help = solved.err().map(|stop| watch.stop_error(stop, None).help);
        let notes = notes.lock().unwrap().clone();
        (notes, help.flatten().map(|help| help.to_string()))
    }

    #[test]
    fn a_long_search_reports_growth_once_and_goes_on() {
        let rules = "def moves(p): return [(p[0], p[1] + 1), (p[0] + 1, p[1])]";
        let (found, help) = notes(rules, "game(moves, (1, 1))", 2);
        let help = help.unwrap();
        assert!(
            help.contains("the positions keep growing: game(moves, (1, 1)), "),
            "{help}"
        );
        assert_eq!(found, [format!("warning: {help}")]);
        // A short search reports nothing, but the error at the limit has the same hint.
        let (found, again) = notes(rules, "game(moves, (1, 1))", 0);
        assert_eq!((found, again), (Vec::new(), Some(help)));
        // A long game that ends has no warning.
        let rules = "def moves(n): return [n - 1, n - 2] if n > 1 else []";
        assert_eq!(notes(rules, "game(moves, 5000)", 2), (Vec::new(), None));
    }

    #[test]
    fn a_table_reports_growth() {
        let rules = "def moves(p): return [(p[0] + 1, p[1])] if p[1] > 0 else []";
        for of in ["\"outcome\"", "\"remoteness\"", "null"] {
            let (job, notes) = job_with_notes(2);
            let analyst = Analyst::default()
                .with_rules("own.star", rules, &job)
                .unwrap();
            let question =
                format!(r#"{{"game": "game(moves, (n, 1))", "ranges": ["n=1..3"], "of": {of}}}"#);
            let question: TableQuestion = serde_json::from_str(&question).unwrap();
            analyst.answer(&question, &job).unwrap();
            let notes = notes.lock().unwrap();
            let growth = "the positions keep growing: game(moves, (";
            assert!(
                notes.iter().any(|note| note.contains(growth)),
                "{of}: {notes:?}"
            );
        }
    }
}
