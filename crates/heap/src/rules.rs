//! The rules of games on heaps: the numbers of chips that a move may take, and the splits of a
//! heap.

use std::ops::ControlFlow;

use grundy_base::limits::Flow;

use super::code::Code;
use super::take_set::TakeSet;

/// A callback that receives the sizes of the heaps that a move leaves.
pub type VisitHeaps<'a> = &'a mut dyn FnMut(&[u64]) -> Flow;

/// The rules for a move in one heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HeapRules {
    /// An octal or hexadecimal code.
    TakeAndBreak(Code),
    /// A move removes a number of chips that is in the set.
    Subtraction(TakeSet),
    /// A move removes any positive number of chips that is not in the list. The list is sorted,
    /// without duplicates.
    AllBut(Vec<u64>),
    /// A move splits the heap into two heaps of different sizes.
    UnequalSplit,
}

/// The set of earlier values on which the value of a heap depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The last `u` values. The value is a function of these, and the function is the same for all
    /// heaps.
    Window(u64),
    /// All earlier values. A move takes at most `k` chips and leaves at most `s` heaps.
    Splits {
        /// The most heaps that a move can leave.
        s: u64,
        /// The most chips that a move can take.
        k: u64,
    },
    /// The last `u` values, and the set of all earlier values.
    AllBut(u64),
    /// All earlier values, for rules to which none of the cases above applies.
    Everything,
}

impl HeapRules {
    /// Visits each option of a heap of `n` once, as the list of heaps that it leaves. With a code,
    /// all heaps in the list are non-empty. With other rules that only take chips, the list has one
    /// heap, which may be 0. A subtraction set visits smaller takes first, and an all-but game
    /// larger takes first.
    ///
    /// # Complexity
    /// O(1) for each option. Some named sets test all numbers up to `n`.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::{Code, HeapRules};
    /// use std::ops::ControlFlow;
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let mut options = Vec::new();
    /// let _ = kayles.options(4, &mut |heaps| {
    ///     options.push(heaps.to_vec());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(options, [vec![3], vec![1, 2], vec![2], vec![1, 1]]);
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
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

    /// Returns the rules of a subtraction game with all numbers divided by their greatest common
    /// divisor d, and d. A heap of n corresponds to a heap of floor(n / d). Returns `None` for
    /// other rules, and whenever [`TakeSet::divided`] does.
    ///
    /// ```
    /// use grundy_heap::{HeapRules, TakeSet};
    /// let subtraction = |takes| HeapRules::Subtraction(TakeSet::Finite(takes));
    /// assert_eq!(subtraction(vec![20, 30]).divided(1), Some((subtraction(vec![2, 3]), 10)));
    /// assert_eq!(HeapRules::UnequalSplit.divided(1), None);
    /// ```
    #[must_use]
    pub fn divided(&self, large: u64) -> Option<(Self, u64)> {
        let Self::Subtraction(set) = self else {
            return None;
        };
        let (set, times) = set.divided(large)?;
        Some((Self::Subtraction(set), times))
    }

    /// Returns the set of earlier values on which a value depends. It determines which theorem can
    /// prove a period.
    ///
    /// ```
    /// use grundy_heap::{Code, HeapRules, Memory, TakeSet};
    /// let subtraction = HeapRules::Subtraction(TakeSet::Finite(vec![1, 3, 4]));
    /// assert_eq!(subtraction.memory(), Memory::Window(4));
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// assert_eq!(kayles.memory(), Memory::Splits { s: 2, k: 2 });
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn memory(&self) -> Memory {
        match self {
            Self::TakeAndBreak(code) => match (code.last(), code.most_heaps()) {
                (None, _) | (_, u64::MAX) => Memory::Everything,
                (Some(k), s) => Memory::Splits { s, k },
            },
            Self::Subtraction(set) => set.largest().map_or(Memory::Everything, Memory::Window),
            Self::AllBut(excluded) => Memory::AllBut(excluded.last().copied().unwrap_or(0)),
            Self::UnequalSplit => Memory::Everything,
        }
    }

    /// Returns the largest number of chips that the rules name. Returns 0 if they name none, as for
    /// an infinite set.
    ///
    /// ```
    /// use grundy_heap::{HeapRules, TakeSet};
    /// let subtraction = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2, 300]));
    /// assert_eq!(subtraction.largest_take(), 300);
    /// ```
    #[must_use]
    pub fn largest_take(&self) -> u64 {
        match self.memory() {
            Memory::Window(largest)
            | Memory::AllBut(largest)
            | Memory::Splits { k: largest, .. } => largest,
            Memory::Everything => 0,
        }
    }

    /// Returns the number of values that an observation of these rules needs. In fewer values than
    /// twice the largest number that a move takes, a part of the rules has had little effect.
    ///
    /// ```
    /// use grundy_heap::{HeapRules, TakeSet};
    /// let subtraction = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2, 300]));
    /// assert_eq!(subtraction.least_observed(), 600);
    /// ```
    #[must_use]
    pub fn least_observed(&self) -> u64 {
        self.largest_take().saturating_mul(2)
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
        // Bit 63 allows 63 heaps or more.
        let many = (4..63).filter(|&k| digit >> k & 1 == 1);
        let most = if digit >> 63 == 1 { rest } else { 62 };
        for heaps in many.chain(63..=most).take_while(|&k| k <= rest) {
            partitions(rest, heaps as usize, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Visits the partitions of `total` into `count` positive parts. The parts of each partition are in
/// ascending order, and the partitions are in lexicographic order.
fn partitions(total: u64, count: usize, visit: VisitHeaps<'_>) -> Flow {
    let mut parts = vec![1; count];
    parts[count - 1] = total - (count as u64 - 1);
    loop {
        visit(&parts)?;
        // Find the last part, other than the final one, that can grow by one. The parts after it
        // must be at least as large.
        let mut rest = parts[count - 1];
        let grown = (0..count - 1).rev().find(|&i| {
            rest += parts[i];
            (parts[i] + 1).saturating_mul((count - i) as u64) <= rest
        });
        let Some(i) = grown else {
            return ControlFlow::Continue(());
        };
        let part = parts[i] + 1;
        parts[i..count - 1].fill(part);
        parts[count - 1] = rest - part * (count - 1 - i) as u64;
    }
}
