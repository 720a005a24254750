//! The search for all winning moves, with limits on their number and size.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::solution::{Repeats, Solution, Status, WinningMove};
use crate::position::Position;
use crate::store::erased::{AnyTerm, PartFacts, VisitOption, VisitTerm};
use crate::theorem::{Goal, Theorem};
use crate::values::{Engine, Evidence, PartValue, Theory, look};
use grundy_base::limits::{Flow, Halt, Limits, Stop, ended};
use grundy_base::step::Move;
use grundy_heap::Progression;

/// Number of winning moves after which the list is cut off.
pub(super) const MOVES_LISTED: usize = 10_000;

/// Number of bytes of the positions after winning moves, beyond which the list is cut off.
pub(super) const BYTES_LISTED: usize = 64 << 20;

/// Visits some moves in part `index` of a term: those that replace it by parts whose sum has one of
/// the values `wanted`.
fn moves_with<T: Theory>(
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
            let looked = look(&mut seen, limits);
            match looked.and_then(|()| T::is_one_of(engine, left, wanted, limits)) {
                Ok(true) => visit(name, to),
                Ok(false) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        };
    let mut goals: Vec<u64> = wanted.iter().filter_map(T::goal).collect();
    goals.sort_unstable();
    goals.dedup();
    // Before any option is visited, ask whether all goals have a direct way, so that no option is
    // visited twice.
    let enough: VisitOption<'_> = &mut |_, _, _| ControlFlow::Break(Halt::Enough);
    let mut is_direct = |&goal: &u64| {
        let flow = term.options_to(index, Goal::Grundy(goal), enough);
        flow.is_some()
    };
    // If the ruleset finds options by their value, not all options need to be visited.
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
    ended(flow).map(|_| ())
}

/// Returns the moves in part `index` of a term that leave one of the values `wanted`, if the part
/// is a large heap. They form arithmetic progressions. Each entry has the first move of a
/// progression and the term after that move.
fn progressions_with<T: Theory>(
    term: &dyn AnyTerm,
    index: usize,
    wanted: &[T::Value],
    engine: &mut Engine,
    limits: &Limits<'_>,
) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop> {
    let found = T::progressions(engine, term, index, wanted, limits)?;
    let named = |progression: Progression| {
        let (name, term) = term.leave(index, &progression.left)?;
        Some((name, term, progression))
    };
    Ok(found.and_then(|found| found.into_iter().map(named).collect()))
}

/// Returns a theorem if the value of each part was given by a theorem: that of the first part.
pub(super) fn given_by<V>(values: &[Vec<PartValue<V>>]) -> Option<&'static Theorem> {
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
    held: usize,
    /// Largest number of bytes of the positions in the list.
    room: usize,
    /// `true` if the list contains every winning move found.
    complete: bool,
}

impl<'a> WinningMoves<'a> {
    /// Creates an empty list of winning moves in `position`.
    pub(super) fn new(position: &'a Position, limits: &Limits<'_>) -> Self {
        Self {
            position,
            moves: Vec::new(),
            held: 0,
            // The list is an optional part of the answer, so it may use only an eighth of the
            // memory.
            room: BYTES_LISTED.min(usize::try_from(limits.memory / 8).unwrap_or(usize::MAX)),
            complete: true,
        }
    }

    /// Adds a winning move to the list. Breaks if the list is full.
    pub(super) fn push(
        &mut self,
        component: usize,
        mv: Move,
        to: Position,
        repeats: Option<Repeats>,
    ) -> Flow {
        self.held += to.held();
        if self.moves.len() == MOVES_LISTED || self.held > self.room {
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
                // A heap can have 2^64 options, so ask for progressions before visiting any option.
                let found = progressions_with::<T>(&**term, index, &wanted, engine, limits)?;
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
                moves_with::<T>(&**term, index, &wanted, engine, limits, visit)?;
                if !self.complete {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Moves the list into a solution. If `stop` is an error, the solution is marked as partial.
    pub(super) fn finish(self, solution: &mut Solution, stop: &Result<(), Stop>) {
        // The outcome is already known, so after a limit only the list is incomplete.
        if stop.is_err() {
            solution.status = Status::Partial;
        }
        solution.moves_complete = self.complete && stop.is_ok();
        solution.beginnings[0].moves = self.moves;
    }
}
