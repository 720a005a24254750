//! Fibonacci Nim: `fibonacci_nim(n, most=n-1)`.
//!
//! Rules. There is one heap. A move takes at least one chip and at most `most` chips. The next move
//! may take at most twice the number just taken. If `most` is not given, the position is the start
//! of a game, in which anything but the whole heap may be taken. Whoever takes the last chip wins.
//!
//! Theorem (M. J. Whinihan, Fibonacci Nim, Fibonacci Quarterly 1 (1963), 9-13). Write n as a sum of
//! Fibonacci numbers of which no two are consecutive (its Zeckendorf parts). The position is P if
//! and only if `most` is less than the smallest part.
//!
//! Winning moves. Suppose that taking k wins. Then 2k is less than the smallest Zeckendorf part z
//! of n - k. Let f <= k be the largest part of k. The Fibonacci number after f is at most 2f < z.
//! Hence the parts of n are the parts of n - k and the parts of k. It follows that k is the sum of
//! one or more of the smallest parts of n.
//!
//! No theorem covers Grundy values or misère play.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, number};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// The theorem on the P-positions of Fibonacci Nim.
pub const WHINIHAN: Theorem = Theorem {
    method: "whinihan",
    name: "Whinihan's theorem",
    statement: "write the heap size as a sum of non-consecutive Fibonacci numbers; the position \
                is P if and only if the smallest term may not be taken",
    source: "M. J. Whinihan, Fibonacci Nim, Fibonacci Quarterly 1 (1963), 9-13",
};

/// The rules of Fibonacci Nim.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FibonacciNim;

/// A heap, and the maximal number of chips that may be taken from it. This number is at most the
/// size of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heap {
    size: u64,
    most: u64,
}

/// Reads `fibonacci_nim(n, most=n-1)`.
///
/// # Errors
/// Arguments that are not numbers.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::fibonacci_nim};
/// // 13 is a Fibonacci number.
/// let items = [(None, Argument::Int(13))];
/// let position = Position::from(fibonacci_nim::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::P));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((at, size)), most] = arguments.bind(["n", "most"], 1)? else {
        return Err(Diagnostic::illegal(message!("no heap given")));
    };
    let size = number(size, &[at], 0, u64::MAX)?;
    let most = match most {
        Some((at, most)) => number(most, &[at], 0, u64::MAX)?.min(size),
        None => size.saturating_sub(1),
    };
    Ok(Term::new(FibonacciNim, vec![Heap { size, most }]).into())
}

/// Returns the Zeckendorf parts of n, the largest first.
fn zeckendorf(mut n: u64) -> Vec<u64> {
    let mut numbers = vec![1u64, 2];
    // There are only 92 Fibonacci numbers below 2^64. The overflow of the sum ends the list.
    while let Some(next) = numbers[numbers.len() - 1].checked_add(numbers[numbers.len() - 2]) {
        numbers.push(next);
    }
    numbers.retain(|&number| number <= n);
    let mut parts = Vec::new();
    for number in numbers.into_iter().rev() {
        if number <= n {
            parts.push(number);
            n -= number;
        }
    }
    parts
}

fn take(index: usize, heap: Heap, count: u64, visit: Visit<'_, Heap>) -> Flow {
    let size = heap.size - count;
    // `most` is at most the size, so that positions with the same moves are equal.
    let most = size.min(count.saturating_mul(2));
    visit(&[Heap { size, most }], &|| {
        let step = Step::new("take").with("heap", index).with("count", count);
        Move::new([size], step)
    })
}

impl Ruleset for FibonacciNim {
    type Part = Heap;

    fn name(&self) -> &'static str {
        "fibonacci_nim"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Heap> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, index: usize, heap: &Heap, visit: Visit<'_, Heap>) -> Flow {
        (1..=heap.most).try_for_each(|count| take(index, *heap, count, visit))
    }

    fn write(&self, parts: &[Heap]) -> String {
        call(
            "fibonacci_nim",
            parts.iter().flat_map(|heap| [heap.size, heap.most]),
        )
    }
}

impl Theorems<Heap> for FibonacciNim {
    fn outcome(&self, heap: &Heap, play: Play) -> Option<ByTheorem<Outcome>> {
        let lost = zeckendorf(heap.size)
            .last()
            .is_none_or(|&least| heap.most < least);
        (play == Play::Normal).then_some(ByTheorem {
            value: if lost { Outcome::P } else { Outcome::N },
            theorem: &WHINIHAN,
        })
    }
}

impl Shortcuts<Heap> for FibonacciNim {
    fn options_to(
        &self,
        index: usize,
        heap: &Heap,
        goal: Goal,
        visit: Visit<'_, Heap>,
    ) -> Option<Flow> {
        if goal != Goal::P(Play::Normal) {
            return None;
        }
        // The only candidates for a winning move are the sums of the smallest parts. They are
        // visited in increasing order.
        let mut count = 0;
        Some(
            zeckendorf(heap.size)
                .into_iter()
                .rev()
                .try_for_each(|part| {
                    count += part;
                    if count <= heap.most {
                        take(index, *heap, count, visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                }),
        )
    }
}

impl Teaching<Heap> for FibonacciNim {
    fn theorem_application(&self, heap: &Heap, play: Play) -> Option<Step> {
        let parts = zeckendorf(heap.size);
        let least = *parts.last().filter(|_| play == Play::Normal)?;
        let code = if heap.most < least {
            "zeckendorf_p"
        } else {
            "zeckendorf_n"
        };
        let sum: Vec<String> = parts.iter().map(u64::to_string).collect();
        let step = Step::new(code).with("size", heap.size).with("parts", parts);
        let step = step.with("sum", sum.join(" + "));
        Some(step.with("least", least).with("most", heap.most))
    }

    fn longest_play(&self, heap: &Heap) -> Option<u128> {
        // Taking single chips lasts longest. It is possible, since the bound after a move is at
        // least 2.
        Some(u128::from(if heap.most == 0 { 0 } else { heap.size }))
    }
}

impl Pictures<Heap> for FibonacciNim {
    fn picture(&self, parts: &[Heap]) -> Picture {
        match *parts {
            [Heap { size, most }] => Picture::Bounded { size, most },
            _ => Picture::Text(self.write(parts)),
        }
    }
}
