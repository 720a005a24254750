//! The list of all winning moves, with limits on the number of moves and on their size.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::solution::{Repeats, Solution, Status, WinningMove};
use crate::position::Position;
use crate::store::erased::{AnyTerm, PartFacts, VisitOption, VisitTerm};
use crate::theorem::{Goal, Theorem};
use crate::values::{Engine, Evidence, PartValue, Theory, count_visit};
use grundy_base::limits::{Flow, Halt, Limits, Stop, stopped_early};
use grundy_base::step::Move;
use grundy_heap::Progression;

/// Number of winning moves after which the list is cut off.
pub(super) const MOVES_LISTED: usize = 10_000;

/// Largest total size, in bytes, of the positions that result from the listed winning moves. The
/// list is cut off before the first move that would exceed this size.
pub(super) const BYTES_LISTED: usize = 64 << 20;

/// Visits the moves that replace part `index` of a term by parts whose sum has one of the values
/// `wanted`.
fn visit_moves_to_values<T: Theory>(
    term: &dyn AnyTerm,
    index: usize,
    wanted: &[T::Value],
    engine: &mut Engine,
    limits: &Limits<'_>,
    visit: VisitTerm<'_>,
) -> Result<(), Stop> {
    let mut seen = 0;
    let mut keep =
        |left: &dyn PartFacts, name: &dyn Fn() -> Move, to: &dyn Fn() -> Arc<dyn AnyTerm>| {
            let counted = count_visit(&mut seen, limits);
            match counted.and_then(|()| T::is_one_of(engine, left, wanted, limits)) {
                Ok(true) => visit(name, to),
                Ok(false) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        };
    let mut goals: Vec<u64> = wanted.iter().filter_map(T::goal).collect();
    goals.sort_unstable();
    goals.dedup();
    // The ruleset may be able to list the options with a given Grundy value. Use this only if it
    // can do so for all goals, so that no option is visited twice.
    let stop: VisitOption<'_> = &mut |_, _, _| ControlFlow::Break(Halt::Enough);
    let mut is_direct = |&goal: &u64| {
        let flow = term.options_to(index, Goal::Grundy(goal), stop);
        flow.is_some()
    };
    // If the ruleset lists the options by their value, the other options need not be visited.
    let flow = if !goals.is_empty() && goals.iter().all(&mut is_direct) {
        goals.iter().try_for_each(|&goal| {
            let flow = term.options_to(index, Goal::Grundy(goal), &mut keep);
            flow.unwrap_or(ControlFlow::Continue(()))
        })
    } else if wanted.is_empty() {
        ControlFlow::Continue(())
    } else {
        term.options(index, &mut keep)
    };
    stopped_early(flow).map(|_| ())
}

/// Returns the moves in part `index` of a term that change its value to one of the values `wanted`,
/// as arithmetic progressions. Returns `None` unless the part is a large heap. Each entry has the
/// first move of a progression and the term after this move.
fn progressions_to_values<T: Theory>(
    term: &dyn AnyTerm,
    index: usize,
    wanted: &[T::Value],
    engine: &mut Engine,
    limits: &Limits<'_>,
) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop> {
    let found = T::progressions(engine, term, index, wanted, limits)?;
    let named = |progression: Progression| {
        let (name, term) = term.move_to_heaps(index, &progression.left)?;
        Some((name, term, progression))
    };
    Ok(found.and_then(|found| found.into_iter().map(named).collect()))
}

/// Returns the theorem that gives the value of the first part, if a theorem gives the value of
/// every part.
pub(super) fn common_theorem<V>(values: &[Vec<PartValue<V>>]) -> Option<&'static Theorem> {
    let mut theorems = values.iter().flatten().map(|part| match part.evidence {
        Evidence::Theorem(theorem) => Some(theorem),
        _ => None,
    });
    let first = theorems.next().flatten();
    first.filter(|_| theorems.all(|theorem| theorem.is_some()))
}

/// The winning moves found so far. Their number and size are limited.
pub(super) struct WinningMoves<'a> {
    position: &'a Position,
    pub(super) moves: Vec<WinningMove>,
    /// Number of bytes of the positions in the list.
    bytes: usize,
    /// Largest number of bytes of the positions in the list.
    max_bytes: usize,
    /// `true` unless the list is full and a winning move was left out.
    complete: bool,
}

impl<'a> WinningMoves<'a> {
    /// Creates an empty list of winning moves in `position`.
    pub(super) fn new(position: &'a Position, limits: &Limits<'_>) -> Self {
        Self {
            position,
            moves: Vec::new(),
            bytes: 0,
            // The list is an optional part of the answer, so allow it only an eighth of the memory.
            max_bytes: BYTES_LISTED.min(usize::try_from(limits.memory / 8).unwrap_or(usize::MAX)),
            complete: true,
        }
    }

    /// Adds a winning move to the list. If the list is full, returns `Break` and does not add the
    /// move.
    pub(super) fn push(
        &mut self,
        component: usize,
        mv: Move,
        to: Position,
        repeats: Option<Repeats>,
    ) -> Flow {
        self.bytes += to.bytes();
        if self.moves.len() == MOVES_LISTED || self.bytes > self.max_bytes {
            self.complete = false;
            return ControlFlow::Break(Halt::Enough);
        }
        self.moves.push(WinningMove {
            repeats,
            ..WinningMove::new(component, mv, to)
        });
        ControlFlow::Continue(())
    }

    /// Collects the moves that change the value of a part to one of the values that `wanted`
    /// returns for this part.
    pub(super) fn collect<T: Theory>(
        &mut self,
        values: &[Vec<PartValue<T::Value>>],
        wanted: impl Fn(&PartValue<T::Value>) -> Vec<T::Value>,
        engine: &mut Engine,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        for (component, (term, parts)) in self.position.terms().iter().zip(values).enumerate() {
            for (index, part) in parts.iter().enumerate() {
                let position = self.position;
                let wanted = wanted(part);
                // A heap can have 2^64 options, so look for progressions before visiting any
                // option.
                let found = progressions_to_values::<T>(&**term, index, &wanted, engine, limits)?;
                if let Some(found) = found {
                    for (mv, to, Progression { step, count, .. }) in found {
                        let repeats = (count > 1).then_some(Repeats { step, count });
                        let to = position.after(component, to);
                        if self.push(component, mv, to, repeats).is_break() {
                            return Ok(());
                        }
                    }
                    continue;
                }
                let visit: VisitTerm<'_> = &mut |name, to| {
                    self.push(component, name(), position.after(component, to()), None)
                };
                visit_moves_to_values::<T>(&**term, index, &wanted, engine, limits, visit)?;
                if !self.complete {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Moves the list into a solution. `stop` is the result of collecting the moves. If it is an
    /// error, marks the solution as partial.
    pub(super) fn finish(self, solution: &mut Solution, stop: &Result<(), Stop>) {
        // If a limit was reached, only the list is incomplete, since the outcome is already known.
        solution.stopped = stop.as_ref().err().cloned();
        if stop.is_err() {
            solution.status = Status::Partial;
        }
        solution.moves_complete = self.complete && stop.is_ok();
        solution.beginnings[0].moves = self.moves;
    }
}
