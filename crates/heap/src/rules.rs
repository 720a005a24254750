//! The rules of games on heaps: what may be taken from a heap, and into what it may be split.

use std::ops::ControlFlow;

use grundy_base::limits::Flow;

use super::code::Code;
use super::take_set::TakeSet;

/// Receives the heaps left by a move.
pub type VisitHeaps<'a> = &'a mut dyn FnMut(&[u64]) -> Flow;

/// The rules of one heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HeapRules {
    /// An octal or hexadecimal code.
    TakeAndBreak(Code),
    /// Remove a number of chips that is in the set.
    Subtraction(TakeSet),
    /// Remove any number of chips, from 1 on, that is not in the list (sorted, without repeats).
    AllBut(Vec<u64>),
    /// Split into two heaps of different sizes.
    UnequalSplit,
}

/// On how many earlier values a value depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// On the last `u` values only, always in the same way.
    Window(u64),
    /// On all values, through sums of at most `s` heaps that together have at most `k` chips fewer.
    Splits {
        /// The most heaps a move can leave.
        s: u64,
        /// The most chips a move can take.
        k: u64,
    },
    /// On the last `u` values and on the set of all values so far.
    AllBut(u64),
    /// On everything.
    Everything,
}

impl HeapRules {
    /// Visits every option of a heap of `n`, as the heaps left: non-empty for codes, one heap
    /// (perhaps 0) for rules that only take. Options are visited once each, larger takes first for
    /// rules that only take.
    ///
    /// # Complexity
    /// Nothing but the options visited, each in O(1) except for sets tested number by number.
    pub fn options(&self, n: u64, visit: VisitHeaps<'_>) -> Flow {
        match self {
            Self::TakeAndBreak(code) => code_options(code, n, visit),
            Self::Subtraction(set) => set.takes(n, &mut |take| visit(&[n - take])),
            Self::AllBut(excluded) => (0..n).try_for_each(|left| {
                if excluded.binary_search(&(n - left)).is_ok() {
                    ControlFlow::Continue(())
                } else {
                    visit(&[left])
                }
            }),
            Self::UnequalSplit => (1..n.div_ceil(2)).try_for_each(|a| visit(&[a, n - a])),
        }
    }

    /// Rules with the same games on heaps `times` smaller: see [`TakeSet::divided`].
    #[must_use]
    pub fn divided(&self, large: u64) -> Option<(Self, u64)> {
        let Self::Subtraction(set) = self else {
            return None;
        };
        let (set, times) = set.divided(large)?;
        Some((Self::Subtraction(set), times))
    }

    /// On how much of the sequence a value depends: what a proof of a period may use.
    #[must_use]
    pub fn memory(&self) -> Memory {
        match self {
            Self::TakeAndBreak(code) => match code.last() {
                Some(k) => Memory::Splits {
                    s: code.most_heaps(),
                    k,
                },
                None => Memory::Everything,
            },
            Self::Subtraction(set) => set.largest().map_or(Memory::Everything, Memory::Window),
            Self::AllBut(excluded) => Memory::AllBut(excluded.last().copied().unwrap_or(0)),
            Self::UnequalSplit => Memory::Everything,
        }
    }
}

fn code_options(code: &Code, n: u64, visit: VisitHeaps<'_>) -> Flow {
    let most = code.last().unwrap_or(n).min(n);
    for take in 0..=most {
        let digit = code.digit(take);
        let rest = n - take;
        if digit & 1 != 0 && rest == 0 {
            visit(&[])?;
        }
        if digit & 2 != 0 && rest > 0 {
            visit(&[rest])?;
        }
        if digit & 4 != 0 {
            (1..=rest / 2).try_for_each(|a| visit(&[a, rest - a]))?;
        }
        if digit & 8 != 0 {
            for a in 1..=rest / 3 {
                (a..=(rest - a) / 2).try_for_each(|b| visit(&[a, b, rest - a - b]))?;
            }
        }
    }
    ControlFlow::Continue(())
}
