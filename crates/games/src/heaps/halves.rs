//! Taking by halves: `at_least_half(n, ...)` and `at_most_half(n, ...)`.
//!
//! Rules. A move takes chips from one heap, at least one. In `at_least_half` it takes at least half
//! of the heap, in `at_most_half` at most half of it. A heap of one chip can be taken in the first
//! game, but not in the second.
//!
//! Theorems. At least half: g(n) = min{k : 2^k > n}, the number of binary digits (T. S. Ferguson,
//! Game Theory, I.3.3). The options of n are exactly 0, ..., floor(n/2), which have the values 0,
//! ..., g(n) - 1. At most half: g(2m) = m and g(2m + 1) = g(m) (L. Levine, Fractal sequences and
//! restricted Nim, Ars Combin. 80 (2006), 113-127).

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use super::nim::reduce;
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// The theorem on the values of `at_least_half`.
pub const AT_LEAST_HALF: Theorem = Theorem {
    method: "at_least_half",
    name: "the values of At-Least-Half",
    statement: "g(n) is the least k with 2^k > n, that is, the number of binary digits of n",
    source: "T. S. Ferguson, Game Theory, I.3.3, example 3",
};

/// The theorem on the values of `at_most_half`.
pub const AT_MOST_HALF: Theorem = Theorem {
    method: "at_most_half",
    name: "the values of At-Most-Half",
    statement: "g(2m) = m and g(2m + 1) = g(m)",
    source: "L. Levine, Fractal sequences and restricted Nim, Ars Combinatoria 80 (2006), 113-127",
};

/// The rules of the two games, which differ in the number of chips that a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Halves {
    /// A move takes at least half of a heap.
    AtLeast,
    /// A move takes at most half of a heap.
    AtMost,
}

/// Reads `at_least_half(n, ...)`.
///
/// # Errors
/// An argument that is not a heap size.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::halves};
/// // The value is the number of binary digits of 12.
/// let items = [(None, Argument::Int(12))];
/// let position = Position::from(halves::at_least_half(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(4));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn at_least_half(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    Ok(Term::new(Halves::AtLeast, arguments.numbers(0, 0)?).into())
}

/// Reads `at_most_half(n, ...)`.
///
/// # Errors
/// An argument that is not a heap size.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::halves};
/// let items = [(None, Argument::Int(12))];
/// let position = Position::from(halves::at_most_half(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(6));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn at_most_half(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    Ok(Term::new(Halves::AtMost, arguments.numbers(0, 0)?).into())
}

impl Halves {
    /// Returns the sizes to which a heap can be reduced, or `None` for an empty heap.
    fn sizes(self, heap: u64) -> Option<RangeInclusive<u64>> {
        let last = heap.checked_sub(1)?;
        Some(match self {
            Self::AtLeast => 0..=heap / 2,
            Self::AtMost => heap - heap / 2..=last,
        })
    }
}

impl Ruleset for Halves {
    type Part = u64;

    fn name(&self) -> &'static str {
        match self {
            Self::AtLeast => "at_least_half",
            Self::AtMost => "at_most_half",
        }
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u64> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, index: usize, &heap: &u64, visit: Visit<'_, u64>) -> Flow {
        let Some(mut sizes) = self.sizes(heap) else {
            return ControlFlow::Continue(());
        };
        sizes.try_for_each(|size| visit(&[size], &|| reduce(index, heap, size)))
    }

    fn write(&self, parts: &[u64]) -> String {
        call(self.name(), parts)
    }
}

impl Theorems<u64> for Halves {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        Some(match self {
            Self::AtLeast => ByTheorem {
                value: u64::from(64 - heap.leading_zeros()),
                theorem: &AT_LEAST_HALF,
            },
            // Each trailing 1 is a step from 2m + 1 to m. The heap 2^64 - 1 has 64 trailing 1s. The
            // shift by 64 then returns `None`, and the value is 0.
            Self::AtMost => ByTheorem {
                value: heap.checked_shr(heap.trailing_ones()).unwrap_or(0) / 2,
                theorem: &AT_MOST_HALF,
            },
        })
    }
}

impl Shortcuts<u64> for Halves {
    fn options_to(
        &self,
        index: usize,
        &heap: &u64,
        goal: Goal,
        visit: Visit<'_, u64>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        let Some(sizes) = self.sizes(heap) else {
            return Some(ControlFlow::Continue(()));
        };
        let mut step = |size: u64| visit(&[size], &|| reduce(index, heap, size));
        Some(match self {
            // No heap has more than 64 binary digits, and `1 << (value - 1)` would overflow.
            Self::AtLeast if value > 64 => ControlFlow::Continue(()),
            // The heaps of this value are those with `value` binary digits.
            Self::AtLeast => {
                let least = if value == 0 { 0 } else { 1 << (value - 1) };
                let most = if value == 0 { 0 } else { least + (least - 1) };
                (least..=most.min(*sizes.end())).try_for_each(&mut step)
            }
            // The heaps of value v are (2v + 1) 2^j - 1 for every j. They increase with j, so the
            // iterator stops before a shift overflows 128 bits.
            Self::AtMost => {
                let odd = 2 * u128::from(value) + 1;
                (0..=64)
                    .map(|j| (odd << j) - 1)
                    .take_while(|&size| size <= u128::from(*sizes.end()))
                    .map(|size| size as u64)
                    .filter(|size| sizes.contains(size))
                    .try_for_each(&mut step)
            }
        })
    }
}

impl Teaching<u64> for Halves {
    fn theorem_application(&self, &heap: &u64, play: Play) -> Option<Step> {
        let value = self.grundy(&heap)?.value;
        let step = match self {
            _ if play == Play::Misere || heap == 0 => return None,
            Self::AtLeast => Step::new("binary_digits").with("binary", format!("{heap:b}")),
            Self::AtMost => {
                let chain = std::iter::successors(Some(heap), |n| (n % 2 == 1).then_some(n / 2));
                Step::new("halving").with("chain", chain.collect::<Vec<u64>>())
            }
        };
        Some(step.with("size", heap).with("value", value))
    }

    fn longest_play(&self, &heap: &u64) -> Option<u128> {
        Some(match self {
            // Each move takes half, rounded up, and thereby removes one binary digit.
            Self::AtLeast => u128::from(64 - heap.leading_zeros()),
            Self::AtMost => u128::from(heap.saturating_sub(1)),
        })
    }
}

impl Pictures<u64> for Halves {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}
