//! Comparison of the library's answers with the definition.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use grundy_core::solve::{Solution as Found, Status};
use grundy_core::{Limits, Play, Position, Solver};

use super::brute::{Fate, Solution};
use super::rules::{LEFT, RIGHT};
use super::sum::Sum;

/// A winning move.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Winning {
    component: usize,
    at: Vec<i64>,
    to: String,
}

/// Keeps only the first of several moves that lead to the same position.
fn merge(moves: &mut Vec<Winning>) {
    let mut seen = HashSet::new();
    moves.retain(|winning| seen.insert(winning.to.clone()));
}

/// An outcome with the winning moves: of the player to move, or of Left and Right if either may
/// begin.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    outcome: String,
    moves: Vec<Vec<Winning>>,
}

/// Returns the answer by the definition.
fn right_answer(sum: &Sum) -> Answer {
    let solution = Solution::new(&sum.tables, sum.misere);
    let winning = |player: usize| {
        let mut moves = Vec::new();
        for (component, term) in sum.terms.iter().enumerate() {
            let options = term.rules.options(&term.start, player);
            for ((at, to), wins) in options.into_iter().zip(solution.wins(player, component)) {
                let to = sum.after(component, &to);
                moves.extend(wins.then_some(Winning { component, at, to }));
            }
        }
        merge(&mut moves);
        moves.sort();
        moves
    };
    if sum.is_partizan() {
        return Answer {
            outcome: outcome_class(solution.start(LEFT), solution.start(RIGHT)).to_owned(),
            moves: [LEFT, RIGHT].map(winning).into(),
        };
    }
    // In an impartial game the players have the same moves, so either one will do.
    let player = sum.to_move.unwrap_or(LEFT);
    let outcome = match solution.start(player) {
        Fate::Win => "N",
        Fate::Loss => "P",
        Fate::Draw => "D",
    };
    Answer {
        outcome: outcome.to_owned(),
        moves: vec![winning(player)],
    }
}

/// Returns the outcome class, given the results when Left begins and when Right begins.
fn outcome_class(left: Fate, right: Fate) -> &'static str {
    match (left, right) {
        (Fate::Win, Fate::Win) => "N",
        (Fate::Loss, Fate::Loss) => "P",
        (Fate::Win, Fate::Loss) => "L",
        (Fate::Loss, Fate::Win) => "R",
        (Fate::Draw, Fate::Draw) => "D",
        (Fate::Win, Fate::Draw) => "LD",
        (Fate::Loss, Fate::Draw) => "RD",
        (Fate::Draw, Fate::Win) => "DR",
        (Fate::Draw, Fate::Loss) => "DL",
    }
}

/// Converts the answer of the library to an [`Answer`]. Returns `None` if the answer of the library
/// is not complete.
fn read(position: &Position, found: &Found, terms: usize) -> Option<Answer> {
    if found.status != Status::Exact || !found.moves_complete {
        return None;
    }
    let moves = found.beginnings.iter().map(|beginning| {
        let moves = beginning.moves.iter().map(|winning| {
            let (component, at) = position.locate_move(winning.component, &winning.mv.at);
            let component = match (component, terms) {
                (None, 1) => 0,
                (Some(component), 2..) => component,
                _ => return None,
            };
            Some(Winning {
                component,
                at: at.iter().map(|&n| n as i64).collect(),
                to: winning.to.to_string(),
            })
        });
        let mut moves = moves.collect::<Option<Vec<_>>>()?;
        moves.sort();
        Some(moves)
    });
    Some(Answer {
        outcome: found.verdict().to_string(),
        moves: moves.collect::<Option<Vec<_>>>()?,
    })
}

/// Compares the answers of one solver for all sums with the definition. Panics with a report if any
/// answer differs. `start` makes the position of a sum. Returns the outcomes that occur.
pub(crate) fn check(sums: &[Sum], mut start: impl FnMut(&Sum) -> Position) -> BTreeSet<String> {
    let mut solver = Solver::default();
    let (mut wrong, mut report) = (0, String::new());
    let mut outcomes = BTreeSet::new();
    for sum in sums {
        let position = start(sum);
        let play = if sum.misere {
            Play::Misere
        } else {
            Play::Normal
        };
        let found = solver.solve(&position, play, &Limits::default());
        let expected = right_answer(sum);
        let got = found
            .as_ref()
            .ok()
            .and_then(|found| read(&position, found, sum.terms.len()));
        outcomes.insert(expected.outcome.clone());
        if got.as_ref() == Some(&expected) {
            continue;
        }
        wrong += 1;
        // A few examples are enough to see the error.
        if wrong <= 20 {
            let source = sum.source();
            let _ = writeln!(
                report,
                "{source}, {play} play\n  expected {expected:?}\n  got {found:?}"
            );
        }
    }
    assert!(wrong == 0, "{wrong} of {} sums:\n{report}", sums.len());
    outcomes
}
