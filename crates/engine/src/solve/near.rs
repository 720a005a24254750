//! A search of the positions that can be reached in few moves.
//!
//! Under rules given at run time, infinitely many positions may be reachable, and a search that
//! visits all of them does not end. A position may still be won in few moves. So two searches
//! alternate, each with a growing number of positions: the methods that visit every position, and
//! retrograde analysis of the nearest positions. In the second, a position that was not explored
//! has an unknown label. A win needs one move to a lost position, and a loss needs moves to won
//! positions only. So unknown labels can hide a win or a loss, but cannot produce one. A draw is
//! proved by bounds: the unknown positions are all taken as best for one player, and then as worst.

use std::sync::Arc;

use super::game_value::GameValue;
use super::method::MethodInput;
use super::reachable_sums::{Nearest, ReachableSums, leaves_unknown};
use super::solution::{Beginning, Detail, Grounds, Solution, Status};
use super::{Solver, Work};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};

/// The number of positions that are searched first if only the outcome is wanted.
const FIRST: usize = 1 << 9;

/// The numbers of positions in the first rounds of both searches. In the last round the first
/// search has only the limits of the question.
const ROUNDS: [u64; 2] = [1 << 16, 1 << 20];

/// Answers a question under rules given at run time.
pub(super) fn answer(solver: &mut Solver, question: &MethodInput<'_>) -> Result<Solution, Stop> {
    let limits = question.limits;
    let mut decided = None;
    if question.wanted == Detail::Outcome {
        let stop = Stop::Positions(FIRST as u64);
        if let Some(found) = nearest(solver, question, FIRST, &stop)? {
            return Ok(found);
        }
    }
    for most in ROUNDS {
        if most >= limits.positions {
            break;
        }
        let round = MethodInput {
            limits: &Limits {
                positions: most,
                ..*limits
            },
            ..*question
        };
        let stop = match solver.try_methods(&round) {
            Err(stop) if leaves_unknown(&stop) => stop,
            Err(_) if decided.is_some() => break,
            // Only the limit of this round stopped the list of moves.
            Ok(Solution {
                stopped: Some(Stop::Positions(_)),
                ..
            }) => continue,
            answer => return answer,
        };
        // If the list of moves is not complete, the next round may complete it.
        if decided.is_some() {
            break;
        }
        decided = nearest(solver, question, most as usize, &stop)?;
        match (&decided, stop) {
            (Some(found), _) if found.status == Status::Exact => break,
            (None, stop @ Stop::Rules(_)) => return Err(stop),
            (Some(_), Stop::Rules(_)) => break,
            _ => {}
        }
    }
    match decided {
        Some(found) => Ok(found),
        None => solver.try_methods(question),
    }
}

/// Answers a question by the positions nearest to it, at most about `most` of them. Returns `None`
/// if they do not decide who wins. If the answer is not complete, it contains `stop` as the reason.
fn nearest(
    solver: &mut Solver,
    question: &MethodInput<'_>,
    most: usize,
    stop: &Stop,
) -> Result<Option<Solution>, Stop> {
    let (position, limits) = (question.position, question.limits);
    let Nearest {
        labels,
        radius,
        is_draw,
    } = match ReachableSums::nearest(position, question.play, most, limits) {
        Ok(nearest) => nearest,
        // The error of the first search is reported.
        Err(Stop::Positions(_) | Stop::Memory(_)) => return Ok(None),
        Err(stop) => return Err(stop),
    };
    solver.searched += Work {
        positions: labels.sums() as u64,
        hits: 0,
    };
    let labels = Arc::new(labels);
    let solution = Solution::from_labels(position, &labels, question.wanted, limits)?;
    let Some(mut solution) = solution else {
        return Ok(None);
    };
    let is_unknown = |one: &Beginning| one.outcome == Outcome::D && !is_draw;
    if solution.beginnings.iter().any(is_unknown) {
        return Ok(None);
    }
    solution.wanted = question.wanted;
    solution.method = "breadth-first search";
    // The labels contain unknown ones, so no other module may use them.
    solution.grounds = Grounds::Nearest;
    for beginning in &mut solution.beginnings {
        // A shorter play could lead through unexplored positions, but not before `radius` moves.
        let certain = |moves: &Option<u32>| radius.is_none_or(|radius| *moves <= Some(radius));
        beginning.remoteness = beginning.remoteness.filter(certain);
    }
    if question.wanted == Detail::Outcome {
        return Ok(Some(solution));
    }
    let is_impartial = solution.nature.is_impartial();
    if is_impartial && solution.outcome() != Outcome::N {
        // No move wins. In normal play the P-positions are those of value 0.
        let is_zero = question.play == Play::Normal && solution.outcome() == Outcome::P;
        solution.value = is_zero.then_some(GameValue::Nimber(0));
        return Ok(Some(solution));
    }
    // A move to an unknown position may keep the result, too. The value is not computed at all.
    for beginning in &mut solution.beginnings {
        if beginning.outcome == Outcome::D {
            beginning.moves.clear();
        }
    }
    solution.status = Status::Partial;
    solution.moves_complete = question.wanted != Detail::Moves;
    solution.stopped = Some(stop.clone());
    Ok(Some(solution))
}
