//! Moore's Nim: `moore_nim(k, n, ...)`.
//!
//! Rules. A move reduces at least one and at most `k` heaps, each by a positive number of chips.
//! Whoever cannot move loses. The game `moore_nim(1, ...)` is Nim.
//!
//! Theorem (E. H. Moore, A generalization of the game called Nim, Annals of Math. 11 (1910),
//! 93-94). Write the sizes in binary. The position is P if and only if the number of ones in every
//! column is a multiple of k + 1. The same holds in misère play, unless all heaps have at most one
//! chip. In that case the position is P if and only if the number of heaps of size 1 is congruent
//! to 1 modulo k + 1.
//!
//! The theorem gives outcomes only. Grundy values for k >= 2 come from search. The winning moves
//! are built from the columns (see `columns`).

mod columns;

use std::ops::ControlFlow;
use std::sync::Arc;

use self::columns::Columns;
use super::subtraction::first;
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

/// Moore's theorem in normal play.
pub const MOORE: Theorem = Theorem {
    method: "moore",
    name: "Moore's theorem",
    statement: "a position is P if and only if the number of 1s in every binary column is a \
                multiple of k + 1",
    source: "E. H. Moore, A generalization of the game called Nim, Annals of Mathematics 11 (1910), 93-94",
};

/// Moore's theorem in misère play.
pub const MOORE_MISERE: Theorem = Theorem {
    statement: "in misère play, a position with a heap larger than 1 is P if and only if the \
                number of 1s in every binary column is a multiple of k + 1; a position without \
                such a heap is P if and only if the number of heaps of size 1 is 1 modulo k + 1",
    ..MOORE
};

/// The rules of Moore's Nim. The list of all heaps is one component, since a move may reduce
/// several heaps.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct MooreNim {
    k: u64,
}

/// Reads `moore_nim(k, n, ...)`.
///
/// # Errors
/// Arguments that are not numbers, or k = 0.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::moore_nim};
/// // k = 2: each binary digit occurs in three heaps or in none.
/// let items = [2, 5, 5, 5].map(|n| (None, Argument::Int(n)));
/// let position = Position::from(moore_nim::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::P));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let k = number(first(arguments)?, &[0], 1, u64::MAX)?;
    Ok(Term::new(MooreNim { k }, vec![arguments.numbers(1, 0)?]).into())
}

impl MooreNim {
    /// Returns k + 1. In a P-position the number of ones in each column is a multiple of k + 1.
    fn modulus(&self) -> u128 {
        u128::from(self.k) + 1
    }

    /// Visits every set of at least `least` heaps that one move may reduce, smaller sets first. A
    /// set is given by the indices of its heaps.
    fn choices(
        &self,
        heaps: &[u64],
        least: usize,
        visit: &mut dyn FnMut(&[usize]) -> Flow,
    ) -> Flow {
        let movable: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 0).collect();
        let most = usize::try_from(self.k)
            .unwrap_or(usize::MAX)
            .min(movable.len());
        for size in least.max(1)..=most {
            // Combinations in lexicographic order: the last index that can grow is increased, and
            // the later indices are reset to their smallest values.
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let indices: Vec<usize> = chosen.iter().map(|&i| movable[i]).collect();
                visit(&indices)?;
                let Some(next) = (0..size)
                    .rev()
                    .find(|&i| chosen[i] < movable.len() - size + i)
                else {
                    break;
                };
                chosen[next] += 1;
                for i in next + 1..size {
                    chosen[i] = chosen[i - 1] + 1;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn leave(left: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> Flow {
    visit(std::slice::from_ref(left), &|| {
        Move::new(left.clone(), Step::new("leave").with("heaps", left.clone()))
    })
}

impl Ruleset for MooreNim {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "moore_nim"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<u64>> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, heaps: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> Flow {
        let mut left = heaps.clone();
        self.choices(heaps, 1, &mut |indices| {
            // All ways to reduce every chosen heap, enumerated by a counter in mixed radix.
            indices.iter().for_each(|&index| left[index] = 0);
            loop {
                leave(&left, visit)?;
                let Some(next) = indices
                    .iter()
                    .rposition(|&index| left[index] + 1 < heaps[index])
                else {
                    break;
                };
                left[indices[next]] += 1;
                indices[next + 1..]
                    .iter()
                    .for_each(|&index| left[index] = 0);
            }
            indices.iter().for_each(|&index| left[index] = heaps[index]);
            ControlFlow::Continue(())
        })
    }

    fn components(&self, heaps: &Vec<u64>, visit: &mut dyn FnMut(Vec<u64>)) {
        // Heaps do not form a sum, because a move may change several of them. The whole list is one
        // component, and its order does not matter.
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        sorted.sort_unstable();
        visit(sorted);
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call(
            "moore_nim",
            std::iter::once(&self.k).chain(parts.iter().flatten()),
        )
    }
}

impl Theorems<Vec<u64>> for MooreNim {
    fn outcome(&self, heaps: &Vec<u64>, play: Play) -> Option<ByTheorem<Outcome>> {
        // The modulus is a `u128`, because k may be 2^64 - 1. If k is at least the number of heaps,
        // a column is balanced only if it contains no ones.
        let modulus = self.modulus();
        let ones = |bit: u32| heaps.iter().filter(|&&heap| heap >> bit & 1 == 1).count() as u128;
        let losing = if play == Play::Misere && heaps.iter().all(|&heap| heap <= 1) {
            ones(0) % modulus == 1
        } else {
            (0..64).all(|bit| ones(bit).is_multiple_of(modulus))
        };
        Some(ByTheorem {
            value: Outcome::from_win(!losing),
            theorem: match play {
                Play::Normal => &MOORE,
                Play::Misere => &MOORE_MISERE,
            },
        })
    }
}

impl Shortcuts<Vec<u64>> for MooreNim {
    /// Visits the moves to P-positions, in the order of the options, if `goal` is `Goal::P`.
    /// Returns `None` for any other goal.
    ///
    /// Some other moves are visited, too. If no move in a set of heaps leads to a P-position, the
    /// move that empties these heaps is visited. A caller that counts the visits can therefore stop
    /// a long search.
    fn options_to(
        &self,
        _: usize,
        heaps: &Vec<u64>,
        goal: Goal,
        visit: Visit<'_, Vec<u64>>,
    ) -> Option<Flow> {
        let Goal::P(play) = goal else { return None };
        let modulus = self.modulus();
        let mut left = heaps.clone();
        // Fewer heaps cannot balance the columns. Skipping such sets matters if there are many
        // heaps.
        let least = columns::least_heaps(heaps, modulus, play);
        Some(self.choices(heaps, least, &mut |indices| {
            indices.iter().for_each(|&index| left[index] = 0);
            if let Some(mut columns) = Columns::balancing(heaps, indices, modulus, play) {
                loop {
                    for (&index, &size) in indices.iter().zip(columns.sizes()) {
                        left[index] = size;
                    }
                    leave(&left, visit)?;
                    if !columns.advance() {
                        break;
                    }
                }
            } else {
                leave(&left, visit)?;
            }
            indices.iter().for_each(|&index| left[index] = heaps[index]);
            ControlFlow::Continue(())
        }))
    }
}

impl Teaching<Vec<u64>> for MooreNim {
    fn theorem_application(&self, heaps: &Vec<u64>, play: Play) -> Option<Step> {
        let most = *heaps.iter().max().filter(|&&most| most > 0)?;
        // Misère play differs only if no heap has two chips.
        if play == Play::Misere && most == 1 {
            let ones = heaps.iter().filter(|&&heap| heap == 1).count();
            let step = Step::new("moore_ones").with("ones", ones);
            let modulus = u64::try_from(self.modulus()).ok()?;
            let rest = ones as u64 % modulus;
            return Some(step.with("modulus", modulus).with("rest", rest));
        }
        let width = (64 - most.leading_zeros()) as usize;
        let binary: Vec<String> = heaps
            .iter()
            .map(|heap| format!("{heap:0width$b}"))
            .collect();
        let ones = |bit: usize| heaps.iter().filter(|&&heap| heap >> bit & 1 == 1).count() as u64;
        let modulus = u64::try_from(self.modulus()).ok()?;
        let columns: Vec<u64> = (0..width).rev().map(ones).collect();
        let rests: Vec<u64> = columns.iter().map(|ones| ones % modulus).collect();
        let balanced = rests.iter().all(|&rest| rest == 0);
        let step = Step::new(if balanced { "moore_p" } else { "moore_n" });
        let step = step.with("binary", binary).with("columns", columns);
        Some(step.with("modulus", modulus).with("rests", rests))
    }

    fn longest_play(&self, heaps: &Vec<u64>) -> Option<u128> {
        Some(heaps.iter().map(|&heap| u128::from(heap)).sum())
    }
}

impl Pictures<Vec<u64>> for MooreNim {
    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::HeapsTogether(parts.concat())
    }
}
