//! Taking at most a fraction of a heap: `at_most(p, q, n, ...)`.
//!
//! Rules. A move takes at least one chip from one heap of n, and at most floor(p n / q). If p >= q,
//! the game is Nim.
//!
//! Theorem, proved in `docs/theory.md`. Let p < q, and let f(n) = floor(p n / q). If f(n) >
//! f(n - 1), then g(n) = f(n). Otherwise g(n) = g(n - 1 - f(n)). For p = 1 this is a theorem of
//! L. Levine (Fractal sequences and restricted Nim, Ars Combin. 80 (2006), 113-127).
//!
//! The heaps of value v form a chain. The first one is the least n with f(n) = v, and n is followed
//! by floor(n q / (q - p)) + 1. Each step of the chain adds f(n) + 1, where n is the larger heap.
//! The program goes through all heaps with the same f(n) in one step.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use grundy_base::{Message, message};

use super::nim::reduce;
use crate::argument::{Arguments, number};
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

/// The theorem on the values of `at_most`.
pub const AT_MOST: Theorem = Theorem {
    method: "at_most",
    name: "the values of At-Most",
    statement: "let f(n) = floor(p n / q) with p < q; if f(n) > f(n-1), then g(n) = f(n), and \
                otherwise g(n) = g(n - 1 - f(n)); if p >= q, then g(n) = n",
    source: "L. Levine, Fractal sequences and restricted Nim, Ars Combinatoria 80 (2006), 113-127, for p = 1; docs/theory.md",
};

/// Maximal number of steps in the computation of a value. They take less than 0.1 s. Only fractions
/// below about 10^-5 need more.
const MAX_STEPS: u32 = 1 << 22;

/// Maximal number of heap sizes in an explanation.
const MAX_CHAIN: usize = 40;

/// The rules, given by the fraction p/q in lowest terms.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct AtMost {
    p: u64,
    q: u64,
}

/// Reads `at_most(p, q, n, ...)`.
///
/// # Errors
/// A numerator, a denominator or a heap that is not a number, or a numerator or denominator of 0.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::at_most};
/// // From a heap of 9, at most 3 chips are taken.
/// let items = [1, 3, 9].map(|n| (None, Argument::Int(n)));
/// let position = Position::from(at_most::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let items = arguments.positional()?;
    let [(p_path, p), (q_path, q), _, ..] = &items[..] else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let read = |value, path: &[usize]| {
        number(value, path, 1, u64::MAX).map_err(|error| match error.kind {
            Kind::Range => error.help(fraction_help()),
            _ => error,
        })
    };
    let (p, q) = (read(p, p_path)?, read(q, q_path)?);
    let divisor = greatest_common_divisor(p, q);
    let rules = AtMost {
        p: p / divisor,
        q: q / divisor,
    };
    Ok(Term::new(rules, arguments.numbers(2, 0)?).into())
}

fn fraction_help() -> Message {
    message!("p and q are positive: a move takes at most floor(p n / q) chips")
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl AtMost {
    /// Returns f(n), the maximal number of chips that a move may take from a heap of n.
    fn most(&self, heap: u64) -> u64 {
        if self.p >= self.q {
            return heap;
        }
        // The quotient is less than `heap`.
        (u128::from(heap) * u128::from(self.p) / u128::from(self.q)) as u64
    }

    /// Returns the least n with f(n) >= `most`.
    fn first(&self, most: u64) -> u128 {
        (u128::from(most) * u128::from(self.q)).div_ceil(u128::from(self.p))
    }

    /// Returns the sizes to which a heap can be reduced.
    fn sizes(&self, heap: u64) -> Option<RangeInclusive<u64>> {
        let most = self.most(heap);
        (most > 0).then(|| heap - most..=heap - 1)
    }

    /// Returns the value of a heap, or `None` if the computation needs more than [`MAX_STEPS`]
    /// steps.
    fn value(&self, heap: u64) -> Option<u64> {
        if self.p >= self.q {
            return Some(heap);
        }
        let mut n = u128::from(heap);
        for _ in 0..MAX_STEPS {
            let most = self.most(n as u64);
            if most == 0 {
                return Some(0);
            }
            // All heaps from `first` to n have the same `most`, and the recursion subtracts
            // `most` + 1 as long as it stays among them.
            let above = n - self.first(most);
            let step = u128::from(most) + 1;
            if above.is_multiple_of(step) {
                return Some(most);
            }
            // The remainder is not 0, so one more step leads below `first`. The result is not
            // negative, because a move can take `most` chips from `first`.
            n = n - above + above % step - step;
        }
        None
    }

    /// Returns the option of a heap with the given value, or the size of the heap if there is no
    /// such option. Returns `None` if the computation needs more than [`MAX_STEPS`] steps.
    fn option_of_value(&self, heap: u64, value: u64) -> Option<u64> {
        let Some(sizes) = self.sizes(heap) else {
            return Some(heap);
        };
        if self.p >= self.q {
            return Some(value.min(heap));
        }
        let (start, end) = (u128::from(*sizes.start()), u128::from(*sizes.end()));
        // The chain of the heaps of this value, see the head of this file.
        let mut n = self.first(value);
        for _ in 0..MAX_STEPS {
            if n >= start {
                return Some(if n <= end { n as u64 } else { heap });
            }
            // Below `last`, all heaps have the same `most`, and each step adds `most` + 1.
            let most = self.most(n as u64);
            let last = self.first(most + 1) - 1;
            let step = u128::from(most) + 1;
            let steps = (last - n) / step;
            let needed = (start - n).div_ceil(step);
            n = if steps > 0 {
                n + step * steps.min(needed)
            } else {
                n * u128::from(self.q) / u128::from(self.q - self.p) + 1
            };
        }
        None
    }

    /// Returns the sizes of the recursion from a heap to the heap that determines the value.
    fn chain(&self, heap: u64) -> Vec<u64> {
        let next = |&n: &u64| {
            let most = self.most(n);
            (n > 0 && self.most(n - 1) == most && most > 0).then(|| n - 1 - most)
        };
        std::iter::successors(Some(heap), next)
            .take(MAX_CHAIN + 1)
            .collect()
    }
}

impl Ruleset for AtMost {
    type Part = u64;

    fn name(&self) -> &'static str {
        "at_most"
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
        call(self.name(), [&self.p, &self.q].into_iter().chain(parts))
    }
}

impl Theorems<u64> for AtMost {
    fn grundy(&self, &heap: &u64) -> Option<ByTheorem<u64>> {
        let theorem = &AT_MOST;
        self.value(heap).map(|value| ByTheorem { value, theorem })
    }
}

impl Shortcuts<u64> for AtMost {
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
        let size = self.option_of_value(heap, value)?;
        Some(if size < heap {
            visit(&[size], &|| reduce(index, heap, size))
        } else {
            ControlFlow::Continue(())
        })
    }
}

impl Teaching<u64> for AtMost {
    fn theorem_application(&self, &heap: &u64, play: Play) -> Option<Step> {
        let value = self.value(heap)?;
        let chain = self.chain(heap);
        if play == Play::Misere || heap == 0 || self.p >= self.q || chain.len() > MAX_CHAIN {
            return None;
        }
        let last = *chain.last()?;
        let step = if self.most(last) == 0 {
            Step::new("at_most_stuck")
        } else {
            Step::new("at_most_chain")
        };
        let step = step.with("p", self.p).with("q", self.q).with("last", last);
        let step = step.with("chain", chain).with("size", heap);
        Some(step.with("value", value))
    }

    fn longest_play(&self, &heap: &u64) -> Option<u128> {
        // Each move may take one chip, until the heap is smaller than q/p.
        Some(u128::from(heap).saturating_sub(self.first(1) - 1))
    }
}

impl Pictures<u64> for AtMost {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Heaps(parts.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the values of the heaps below `count` by the definition.
    fn by_mex(p: u64, q: u64, count: u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for n in 0..count {
            let most = (n * p / q).min(n);
            let options = &values[(n - most) as usize..];
            let mex = (0..).find(|v| !options.contains(v));
            values.extend(mex);
        }
        values
    }

    #[test]
    fn values_and_options_agree_with_the_definition() {
        for p in 1..=12 {
            for q in 1..=12 {
                let divisor = greatest_common_divisor(p, q);
                let rules = AtMost {
                    p: p / divisor,
                    q: q / divisor,
                };
                let values = by_mex(p, q, 400);
                for (n, &value) in (0..).zip(&values) {
                    assert_eq!(rules.value(n), Some(value), "{p}/{q}, {n}");
                    for wanted in [
                        0,
                        1,
                        2,
                        value / 2,
                        value.saturating_sub(1),
                        value,
                        value + 1,
                    ] {
                        let most = rules.most(n);
                        let expected: Vec<u64> = (n - most..n)
                            .filter(|&size| values[size as usize] == wanted)
                            .collect();
                        let found = rules.option_of_value(n, wanted).unwrap();
                        assert_eq!(
                            Vec::from_iter(Some(found).filter(|&size| size < n)),
                            expected,
                            "{p}/{q}, {n} to {wanted}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_heaps_have_values() {
        for (p, q) in [
            (1, 2),
            (2, 3),
            (999, 1000),
            (1, 1000),
            (1, u64::MAX),
            (u64::MAX - 1, u64::MAX),
        ] {
            let rules = AtMost { p, q };
            for heap in (u64::MAX - 50)..=u64::MAX {
                let value = rules.value(heap).unwrap();
                assert!(value <= rules.most(heap), "{p}/{q}, {heap}");
                assert_eq!(
                    rules.option_of_value(heap, value),
                    Some(heap),
                    "{p}/{q}, {heap}"
                );
                let size = rules.option_of_value(heap, value / 2).unwrap();
                if size < heap {
                    assert_eq!(rules.value(size), Some(value / 2));
                    assert!(heap - size <= rules.most(heap));
                }
            }
        }
    }
}
