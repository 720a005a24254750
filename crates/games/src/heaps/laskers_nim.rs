//! Lasker's Nim: `laskers_nim(n, ...)`.
//!
//! Rules. A move takes one or more chips from one heap, or splits one heap into two non-empty heaps
//! without taking any.
//!
//! Theorem (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4; T. S. Ferguson,
//! Game Theory, I.4.2). g(4k + 1) = 4k + 1, g(4k + 2) = 4k + 2, g(4k + 3) = 4k + 4 and
//! g(4k + 4) = 4k + 3.
//!
//! Hence the heap of 2^64 - 1 chips has value 2^64, which does not fit 64 bits. This heap is
//! rejected. It is the largest heap, so no other heap leads to it.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use super::heap_game::HeapGame;
use crate::argument::Arguments;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Heaps, Pictures, Ruleset, Shortcuts, Teaching, Theorem,
    Theorems, Visit,
};
use grundy_heap::{Code, HeapRules};

/// The theorem on the values of Lasker's Nim.
pub const LASKER: Theorem = Theorem {
    method: "lasker",
    name: "the values of Lasker's Nim",
    statement: "g(4k+1) = 4k+1, g(4k+2) = 4k+2, g(4k+3) = 4k+4, g(4k+4) = 4k+3",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4",
};

/// The rules of Lasker's Nim, which are those of the take-and-break code 4.333...
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LaskersNim(HeapGame);

/// Reads `laskers_nim(n, ...)`.
///
/// # Errors
/// An argument that is not a heap size, or is 2^64 - 1.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::laskers_nim};
/// // The heaps have the values 4 and 3.
/// let items = [3, 4].map(|heap| (None, Argument::Int(heap)));
/// let position = Position::from(laskers_nim::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(7));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let rules = HeapRules::TakeAndBreak(Code::repeating(vec![4], 3));
    let game = LaskersNim(HeapGame {
        name: "laskers_nim",
        argument: None,
        rules,
    });
    let heaps = arguments.numbers(0, 0)?;
    if let Some(index) = heaps.iter().position(|&heap| heap == u64::MAX) {
        return Err(Diagnostic::new(
            Kind::Overflow,
            message!("the value of this heap is 2^64, larger than 2^64 - 1"),
        )
        .at([index])
        .help(message!(
            "the largest heap of Lasker's Nim is 18446744073709551614"
        )));
    }
    Ok(Term::new(game, heaps).into())
}

impl Ruleset for LaskersNim {
    type Part = u64;

    fn name(&self) -> &'static str {
        "laskers_nim"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u64> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            heaps: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, player: Player, index: usize, heap: &u64, visit: Visit<'_, u64>) -> Flow {
        self.0.options(player, index, heap, visit)
    }

    fn write(&self, parts: &[u64]) -> String {
        self.0.write(parts)
    }
}

impl Heaps<u64> for LaskersNim {
    fn heap(&self, heap: &u64) -> (&HeapRules, u64) {
        self.0.heap(heap)
    }
}

impl Theorems<u64> for LaskersNim {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        let value = match heap % 4 {
            3 => heap.checked_add(1)?,
            0 if heap > 0 => heap - 1,
            _ => heap,
        };
        Some(ByTheorem {
            value,
            theorem: &LASKER,
        })
    }
}

impl Shortcuts<u64> for LaskersNim {
    /// Visits the options of Grundy value 0 if `goal` asks for them. For any other goal, returns
    /// `None` unless the heap is empty.
    ///
    /// No two heaps of different sizes have the same value. Hence a split has value 0 only if its
    /// two heaps are equal.
    fn options_to(
        &self,
        index: usize,
        &heap: &u64,
        goal: Goal,
        visit: Visit<'_, u64>,
    ) -> Option<Flow> {
        // Other goals are left to the general enumeration of the options.
        if goal != Goal::Grundy(0) || heap == 0 {
            return (heap == 0).then_some(ControlFlow::Continue(()));
        }
        let half = [heap / 2; 2];
        let ways = [(heap.is_multiple_of(2), &half[..]), (true, &[])];
        let mut left = ways.iter().filter(|(possible, _)| *possible);
        Some(left.try_for_each(|&(_, left)| {
            let parts = self.0.move_to_heaps(index, &heap, left);
            parts.map_or(ControlFlow::Continue(()), |(left, name)| {
                visit(&left, &|| name.clone())
            })
        }))
    }
}

impl Teaching<u64> for LaskersNim {
    fn theorem_application(&self, &heap: &u64, play: Play) -> Option<Step> {
        let value = self.grundy(&heap)?.value;
        let before = heap.checked_sub(1).filter(|_| play == Play::Normal)?;
        let step = Step::new("lasker_rule").with("size", heap);
        let step = step.with("k", before / 4).with("rest", before % 4 + 1);
        Some(step.with("value", value))
    }
}

impl Pictures<u64> for LaskersNim {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}
