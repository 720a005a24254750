//! Nim with forbidden moves: `nim_except(forbidden, n, ...)`.
//!
//! Rules. A move takes one or more chips from one heap, as in Nim. For each pair `[heap, amount]`
//! of the list `forbidden`, it is not allowed to take `amount` chips from a heap of size `heap`.
//!
//! Theorem, proved in `docs/theory.md`. The values of the heaps below n are 0, ..., M(n) - 1, where
//! each value can occur several times. Let F(n) be the set of the sizes to which the forbidden
//! moves from n would lead. Then g(n) is the least v < M(n) such that F(n) contains all heaps
//! below n of value v, or M(n) if there is none.
//!
//! A heap without forbidden moves has a value that no smaller heap has. Hence the program stores
//! only the heaps that repeat a value, at most one for each pair of the list.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use super::nim::reduce;
use super::subtraction::first;
use crate::argument::{Arguments, list, number};
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// The theorem on the values of `nim_except`.
pub const FORBIDDEN: Theorem = Theorem {
    method: "forbidden moves",
    name: "the values of Nim with forbidden moves",
    statement: "g(n) is the least v such that a forbidden move leads from n to each smaller heap \
                of value v",
    source: "by the rule of the mex, see docs/theory.md",
};

/// Maximal number of forbidden pairs.
const MAX_PAIRS: usize = 1_000_000;

/// Reads `nim_except(forbidden, n, ...)`.
///
/// # Errors
/// A list that does not consist of pairs of positive numbers, or a heap that is not a number.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::nim_except};
/// // The only move in a heap of 1 is forbidden, so a heap of n has the value n - 1.
/// let pair = Argument::List(vec![Argument::Int(1), Argument::Int(1)]);
/// let items = [(None, Argument::List(vec![pair])), (None, Argument::Int(9))];
/// let position = Position::from(nim_except::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(8));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let pairs = list(first(arguments)?, &[0])?;
    if pairs.len() > MAX_PAIRS {
        let message = message!("the list has more than {most} pairs", most = MAX_PAIRS);
        return Err(Diagnostic::new(Kind::Range, message).at([0]));
    }
    let mut forbidden = Vec::with_capacity(pairs.len());
    for (path, pair) in pairs {
        let help = message!("write each forbidden move as a pair of numbers [heap, amount]");
        let items = list(pair, &path).map_err(|error| error.help(help.clone()))?;
        let [(heap_path, heap), (amount_path, amount)] = &items[..] else {
            let message = message!("a forbidden move must consist of two numbers");
            return Err(Diagnostic::new(Kind::Type, message).at(path).help(help));
        };
        let heap = number(heap, heap_path, 1, u64::MAX)?;
        // An amount larger than the heap is no move anyway, so such a pair is left out.
        let amount = number(amount, amount_path, 1, u64::MAX)?;
        forbidden.extend(heap.checked_sub(amount).map(|size| (heap, size)));
    }
    let rules = NimExcept::new(forbidden);
    Ok(Term::new(rules, arguments.numbers(1, 0)?).into())
}

/// The rules, given by the forbidden moves.
#[derive(Debug)]
pub struct NimExcept {
    /// The forbidden moves, each as a heap and the size to which it would be reduced. They are in
    /// increasing order of the heap and decreasing order of the size.
    forbidden: Vec<(u64, u64)>,
    /// The heaps that have the value of a smaller heap, in increasing order.
    repeats: Vec<Repeat>,
    /// The heaps of `repeats` by value, each list in increasing order.
    heaps_of_value: HashMap<u64, Vec<u64>>,
}

/// A heap with the value of a smaller heap.
#[derive(Clone, Copy, Debug)]
struct Repeat {
    heap: u64,
    value: u64,
}

// The other fields follow from the forbidden moves.
impl PartialEq for NimExcept {
    fn eq(&self, other: &Self) -> bool {
        self.forbidden == other.forbidden
    }
}

impl Eq for NimExcept {}

impl Hash for NimExcept {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.forbidden.hash(state);
    }
}

impl NimExcept {
    fn new(mut forbidden: Vec<(u64, u64)>) -> Self {
        forbidden.sort_unstable_by_key(|&(heap, size)| (heap, u64::MAX - size));
        forbidden.dedup();
        let mut rules = Self {
            forbidden: Vec::new(),
            repeats: Vec::new(),
            heaps_of_value: HashMap::new(),
        };
        let mut excluded: Vec<u64> = Vec::new();
        for moves in forbidden.chunk_by(|a, b| a.0 == b.0) {
            let heap = moves[0].0;
            excluded.clear();
            excluded.extend(moves.iter().map(|&(_, size)| rules.value(size)));
            excluded.sort_unstable();
            let missing = excluded.chunk_by(|a, b| a == b).find(|values| {
                let repeats = rules.heaps_of_value.get(&values[0]);
                values.len() == 1 + repeats.map_or(0, Vec::len)
            });
            if let Some(&[value, ..]) = missing {
                rules.repeats.push(Repeat { heap, value });
                rules.heaps_of_value.entry(value).or_default().push(heap);
            }
        }
        rules.forbidden = forbidden;
        rules
    }

    /// Returns the value of a heap.
    fn value(&self, heap: u64) -> u64 {
        let before = self.repeats.partition_point(|repeat| repeat.heap < heap);
        match self.repeats.get(before) {
            Some(repeat) if repeat.heap == heap => repeat.value,
            // The values of the smaller heaps are 0, 1, 2, ... without gaps, apart from repeats.
            _ => heap - before as u64,
        }
    }

    /// Returns the heaps of this value in increasing order.
    fn heaps_of(&self, value: u64) -> impl Iterator<Item = u64> {
        // The number of heaps that repeat no value, among those below the repeat with the index i,
        // is `heap` - i.
        let mut indices = 0..self.repeats.len();
        while !indices.is_empty() {
            let middle = indices.start + indices.len() / 2;
            if self.repeats[middle].heap - middle as u64 <= value {
                indices.start = middle + 1;
            } else {
                indices.end = middle;
            }
        }
        let least = value.checked_add(indices.start as u64);
        let others = self.heaps_of_value.get(&value);
        least
            .into_iter()
            .chain(others.into_iter().flatten().copied())
    }

    /// Returns the sizes to which a heap must not be reduced, in decreasing order.
    fn forbidden_sizes(&self, heap: u64) -> impl DoubleEndedIterator<Item = u64> {
        let start = self.forbidden.partition_point(|pair| pair.0 < heap);
        let rest = &self.forbidden[start..];
        let end = rest.partition_point(|pair| pair.0 == heap);
        rest[..end].iter().map(|&(_, size)| size)
    }
}

impl Ruleset for NimExcept {
    type Part = u64;

    fn name(&self) -> &'static str {
        "nim_except"
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
        let mut forbidden = self.forbidden_sizes(heap).rev().peekable();
        (0..heap).try_for_each(|size| {
            if forbidden.next_if_eq(&size).is_some() {
                return ControlFlow::Continue(());
            }
            visit(&[size], &|| reduce(index, heap, size))
        })
    }

    fn write(&self, parts: &[u64]) -> String {
        let pairs = self
            .forbidden
            .iter()
            .map(|&(heap, size)| format!("[{heap}, {}]", heap - size));
        let list = format!("[{}]", pairs.collect::<Vec<_>>().join(", "));
        let heaps = parts.iter().map(u64::to_string);
        call(self.name(), [list].into_iter().chain(heaps))
    }
}

impl Theorems<u64> for NimExcept {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: self.value(heap),
            theorem: &FORBIDDEN,
        })
    }
}

impl Shortcuts<u64> for NimExcept {
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
        let forbidden: HashSet<u64> = self.forbidden_sizes(heap).collect();
        let mut sizes = self
            .heaps_of(value)
            .take_while(|&size| size < heap)
            .filter(|size| !forbidden.contains(size));
        Some(sizes.try_for_each(|size| visit(&[size], &|| reduce(index, heap, size))))
    }
}

impl Teaching<u64> for NimExcept {
    fn theorem_application(&self, &heap: &u64, play: Play) -> Option<Step> {
        if play == Play::Misere || heap == 0 {
            return None;
        }
        let value = self.value(heap);
        let smaller: Vec<u64> = self
            .heaps_of(value)
            .take_while(|&size| size < heap)
            .collect();
        let step = if smaller.is_empty() {
            let repeats = self.repeats.partition_point(|repeat| repeat.heap < heap);
            Step::new("forbidden_new").with("repeats", repeats as u64)
        } else {
            Step::new("forbidden_missing").with("smaller", smaller)
        };
        Some(step.with("size", heap).with("value", value))
    }

    fn longest_play(&self, &heap: &u64) -> Option<u128> {
        // Taking one chip at a time gives the longest play, unless such a move is forbidden.
        self.forbidden.is_empty().then_some(u128::from(heap))
    }
}

impl Pictures<u64> for NimExcept {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares values and options with the definition, for all heaps below `count`.
    fn check(forbidden: &[(u64, u64)], count: u64) {
        let rules = NimExcept::new(forbidden.to_vec());
        let mut values: Vec<u64> = Vec::new();
        for n in 0..count {
            let may = |&size: &u64| size < n && !forbidden.contains(&(n, size));
            let options: Vec<u64> = (0..n).filter(may).collect();
            let mex = (0..).find(|v| options.iter().all(|&size| values[size as usize] != *v));
            let value = mex.unwrap();
            assert_eq!(rules.value(n), value, "{forbidden:?}, {n}");
            for wanted in 0..=value + 2 {
                let expected: Vec<u64> = options
                    .iter()
                    .copied()
                    .filter(|&size| values[size as usize] == wanted)
                    .collect();
                let mut found = Vec::new();
                let flow = rules.options_to(0, &n, Goal::Grundy(wanted), &mut |left, _| {
                    found.extend_from_slice(left);
                    ControlFlow::Continue(())
                });
                assert!(flow.is_some());
                assert_eq!(found, expected, "{forbidden:?}, {n} to {wanted}");
            }
            values.push(value);
        }
    }

    #[test]
    fn values_agree_with_the_definition() {
        check(&[], 10);
        check(&[(2, 1), (3, 0), (3, 2), (1, 0)], 30);
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for round in 0..300 {
            let pairs = (0..random(120)).map(|_| {
                let heap = 1 + random(5 + round % 25);
                (heap, random(heap))
            });
            let pairs: Vec<_> = pairs.collect();
            check(&pairs, 40);
        }
    }

    #[test]
    fn heaps_of_the_largest_size_have_values() {
        let most = u64::MAX;
        let rules = NimExcept::new(vec![(1, 0), (most, 0), (most, 1), (most, most - 1)]);
        assert_eq!(rules.value(most), 0);
        assert_eq!(rules.value(most - 1), most - 2);
        assert_eq!(rules.heaps_of(most).count(), 0);
    }
}
