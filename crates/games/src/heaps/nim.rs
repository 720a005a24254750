//! Nim: `nim(n, ...)`.
//!
//! Rules. There are heaps of chips. A move takes one or more chips from one heap. In normal play
//! whoever takes the last chip wins.
//!
//! Theorem (C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3
//! (1901), 35-39). The position is P if and only if the nim-sum of the sizes is 0. The same holds
//! in misère play, unless all heaps have at most one chip. In that case the position is P if and
//! only if the number of heaps of size 1 is odd.
//!
//! A heap may have size 0, and there may be no heap at all. If there are no chips, the player to
//! move has no move.

mod ranked;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use crate::kit::ranked::RetrogradeAdapter;
use grundy_base::Diagnostic;
use grundy_base::limits::{Flow, Stop};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::RankedGame;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    BOUTON, ByTheorem, Capabilities, Goal, Pictures, Ranking, Ruleset, Shortcuts, Teaching,
    Theorems, Visit, call,
};
use grundy_heap::algebra::Misere;

/// The rules of Nim.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Nim;

/// Reads `nim(n, ...)`.
///
/// # Errors
/// An argument that is not a heap size.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::nim};
/// let items = [3, 4, 5].map(|heap| (None, Argument::Int(heap)));
/// let position = Position::from(nim::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    Ok(Term::new(Nim, arguments.numbers(0, 0)?).into())
}

impl Ruleset for Nim {
    type Part = u64;

    fn name(&self) -> &'static str {
        "nim"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u64> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            ranks: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, index: usize, &heap: &u64, visit: Visit<'_, u64>) -> Flow {
        (0..heap).try_for_each(|size| visit(&[size], &|| reduce(index, heap, size)))
    }

    fn write(&self, parts: &[u64]) -> String {
        call("nim", parts)
    }
}

impl Theorems<u64> for Nim {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: heap,
            theorem: &BOUTON,
        })
    }

    fn misere(&self, &heap: &u64) -> Option<ByTheorem<Misere>> {
        Some(ByTheorem {
            value: Misere::heap(heap),
            theorem: &BOUTON,
        })
    }
}

impl Shortcuts<u64> for Nim {
    fn options_to(
        &self,
        index: usize,
        &heap: &u64,
        goal: Goal,
        visit: Visit<'_, u64>,
    ) -> Option<Flow> {
        let Goal::Grundy(size) = goal else {
            return None;
        };
        Some(if size < heap {
            visit(&[size], &|| reduce(index, heap, size))
        } else {
            ControlFlow::Continue(())
        })
    }
}

impl Ranking<u64> for Nim {
    fn ranked(&self, heaps: &[u64]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        Ok(ranked::Heaps::new(heaps)
            .map(|heaps| Arc::new(RetrogradeAdapter(heaps)) as Arc<dyn RankedGame>))
    }
}

impl Teaching<u64> for Nim {
    fn longest_play(&self, &heap: &u64) -> Option<u128> {
        Some(u128::from(heap))
    }
}

impl Pictures<u64> for Nim {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}

/// Creates the move that reduces a heap. The `at` field of the move is `[heap, new size]`.
///
/// ```
/// use grundy_core::ruleset::nim::reduce;
/// let taken = reduce(1, 5, 2);
/// assert_eq!(taken.at, [1, 2]);
/// assert_eq!(taken.action.args, [("count", 3u64.into()), ("heap", 1u64.into())]);
/// ```
#[must_use]
pub fn reduce(index: usize, from: u64, to: u64) -> Move {
    let action = Step::new("take")
        .with("count", from - to)
        .with("heap", index);
    Move::new([index as u64, to], action)
}
