//! Winning moves, as they are found.

use std::ops::ControlFlow;

use super::search::Search;
use super::solution::{Beginning, Repeats, Solution, Status, WinningMove};
use crate::heap::Progression;
use crate::limits::{Flow, Halt, Limits, Stop, ended};
use crate::outcome::Worth;
use crate::player::Player;
use crate::position::{AnyTerm, Position, Valued, VisitTerm};
use crate::rules::Theorem;
use crate::step::Move;
use crate::values::{Evidence, PartValue, Theory, Valuation};

/// Winning moves beyond this number are counted out.
pub(super) const MOVES_LISTED: usize = 10_000;

/// Positions after winning moves that hold more than this many bytes together are counted out likewise.
pub(super) const BYTES_LISTED: usize = 64 << 20;

/// Bytes of notation of positions after a move that are looked at for one list of winning moves by search.
const LOOKED_AT: usize = 1 << 26;

/// Appends the moves of `player` that keep the worth of a position, and says whether all moves were looked at.
pub(super) fn keeping_moves(
    position: &Position,
    player: Player,
    worth: Worth,
    search: &mut Search<'_>,
    beginning: &mut Beginning,
) -> Result<bool, Stop> {
    let most = LOOKED_AT / position.to_string().len().max(1);
    let mut seen = 0;
    let enough = ended(position.moves(player, &mut |component, name, to| {
        seen += 1;
        if seen > most {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        let after = search
            .check()
            .and_then(|()| search.sum(&to))
            .and_then(|sum| search.worth(sum, player.other()));
        match after {
            Ok(after) if after.reversed() == worth => {
                let mv = name();
                beginning.moves.push(WinningMove::new(component, mv, to));
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))?;
    Ok(!enough)
}

/// The values of the parts of each term.
pub(super) fn part_values<T: Theory>(
    position: &Position,
    valuation: &mut Valuation<T>,
    limits: &Limits<'_>,
) -> Result<Vec<Vec<PartValue<T::Value>>>, Stop>
where
    dyn AnyTerm: Valued<T>,
{
    position
        .terms()
        .iter()
        .map(|term| Valued::<T>::values(&**term, valuation, limits))
        .collect()
}

/// The first of the theorems that give the values of all parts, where each part has one.
pub(super) fn given_by<V>(values: &[Vec<PartValue<V>>]) -> Option<&'static Theorem> {
    let mut theorems = values.iter().flatten().map(|part| match part.evidence {
        Evidence::Theorem(theorem) => Some(theorem),
        _ => None,
    });
    let first = theorems.next().flatten();
    first.filter(|_| theorems.all(|theorem| theorem.is_some()))
}

/// Winning moves as they are found.
pub(super) struct Found<'a> {
    position: &'a Position,
    pub(super) moves: Vec<WinningMove>,
    /// Bytes that the positions listed hold in memory.
    held: usize,
    complete: bool,
}

impl<'a> Found<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        Self {
            position,
            moves: Vec::new(),
            held: 0,
            complete: true,
        }
    }

    pub(super) fn push(
        &mut self,
        component: usize,
        mv: Move,
        to: Position,
        repeats: Option<Repeats>,
    ) -> Flow {
        self.held += to.terms().iter().map(|term| term.held()).sum::<usize>();
        if self.moves.len() == MOVES_LISTED || self.held > BYTES_LISTED {
            self.complete = false;
            return ControlFlow::Break(Halt::Enough);
        }
        self.moves.push(WinningMove {
            repeats,
            ..WinningMove::new(component, mv, to)
        });
        ControlFlow::Continue(())
    }

    /// The moves that give some part one of the values wanted of it.
    pub(super) fn collect<T: Theory>(
        &mut self,
        values: &[Vec<PartValue<T::Value>>],
        wanted: impl Fn(&PartValue<T::Value>) -> Vec<T::Value>,
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>
    where
        dyn AnyTerm: Valued<T>,
    {
        for (component, (term, parts)) in self.position.terms().iter().zip(values).enumerate() {
            for (index, part) in parts.iter().enumerate() {
                let position = self.position;
                let wanted = wanted(part);
                let found =
                    Valued::<T>::progressions_with(&**term, index, &wanted, valuation, limits)?;
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
                Valued::<T>::moves_with(&**term, index, &wanted, valuation, limits, visit)?;
                if !self.complete {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    pub(super) fn finish(self, solution: &mut Solution, stop: &Result<(), Stop>) {
        if stop.is_err() {
            solution.status = Status::Partial;
        }
        solution.moves_complete = self.complete && stop.is_ok();
        solution.beginnings[0].moves = self.moves;
    }
}
