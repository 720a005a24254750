//! Collection of winning moves.

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

/// Number of winning moves after which a list is cut off.
pub(super) const MOVES_LISTED: usize = 10_000;

/// Number of bytes of positions after winning moves beyond which a list is cut off.
pub(super) const BYTES_LISTED: usize = 64 << 20;

/// Visits the moves in part `index` of a term that replace it by parts whose sum has one of the
/// values `wanted`.
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
    // Ask for all goals before any option is visited, so that no option is visited twice.
    let enough: VisitOption<'_> = &mut |_, _, _| ControlFlow::Break(Halt::Enough);
    let mut is_direct = |&goal: &u64| {
        let flow = term.options_to(index, Goal::Grundy(goal), enough);
        flow.is_some()
    };
    // A ruleset that finds options by their value needs no pass over all of them.
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
/// is a large heap. They are arithmetic progressions, each with its first move and the term after
/// it.
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

/// Returns the first of the theorems that give the values of all parts, if each part has one.
pub(super) fn given_by<V>(values: &[Vec<PartValue<V>>]) -> Option<&'static Theorem> {
    let mut theorems = values.iter().flatten().map(|part| match part.evidence {
        Evidence::Theorem(theorem) => Some(theorem),
        _ => None,
    });
    let first = theorems.next().flatten();
    first.filter(|_| theorems.all(|theorem| theorem.is_some()))
}

/// The winning moves found so far, within limits on their number and size.
pub(super) struct WinningMoves<'a> {
    position: &'a Position,
    pub(super) moves: Vec<WinningMove>,
    /// Number of bytes of memory of the positions listed.
    held: usize,
    /// Largest value of `held`.
    room: usize,
    /// `true` if no move has been left out.
    complete: bool,
}

impl<'a> WinningMoves<'a> {
    /// Creates an empty list.
    pub(super) fn new(position: &'a Position, limits: &Limits<'_>) -> Self {
        Self {
            position,
            moves: Vec::new(),
            held: 0,
            // A list is an extra, so it may take only an eighth of the memory.
            room: BYTES_LISTED.min(usize::try_from(limits.memory / 8).unwrap_or(usize::MAX)),
            complete: true,
        }
    }

    /// Appends a winning move. Breaks if the list is full.
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

    /// Collects the moves that give some part one of the values that `wanted` returns for it.
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
                // A heap can have 2^64 options, so ask for progressions before listing any.
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

    /// Moves the list into a solution. If `stop` is an error, the solution becomes partial.
    pub(super) fn finish(self, solution: &mut Solution, stop: &Result<(), Stop>) {
        // The outcome is known by now, so a limit only shortens the list.
        if stop.is_err() {
            solution.status = Status::Partial;
        }
        solution.moves_complete = self.complete && stop.is_ok();
        solution.beginnings[0].moves = self.moves;
    }
}
