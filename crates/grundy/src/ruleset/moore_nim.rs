//! Moore's Nim: `moore_nim(k, n, ...)`.
//!
//! Rules. A move reduces at least one and at most `k` heaps, each by a positive number of chips. Whoever cannot move
//! loses. `moore_nim(1, ...)` is Nim.
//!
//! Theorem (E. H. Moore, A generalization of the game called Nim, Annals of Math. 11 (1910), 93-94). Write the sizes in
//! binary. The position is P exactly when, in every column, the number of ones is a multiple of k + 1. In misère play
//! the same holds unless all heaps have at most one chip; then it is P exactly when the number of heaps of one leaves
//! the remainder 1 modulo k + 1.
//!
//! The theorem gives outcomes only. Grundy values for k >= 2 come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::subtraction::first;
use super::{Known, Ruleset, Theorem, Visit, call};
use crate::Refusal;
use crate::argument::{Arguments, number};
use crate::outcome::{Outcome, Play};
use crate::picture::Picture;
use crate::position::{AnyTerm, Term};
use crate::step::{Move, Step};

/// Moore's theorem.
pub const MOORE: Theorem = Theorem {
    method: "moore",
    name: "Moore's theorem",
    statement: "a position is P exactly when every binary column has a multiple of k + 1 ones",
    source: "E. H. Moore, A generalization of the game called Nim, Annals of Mathematics 11 (1910), 93-94",
};

/// The rules of Moore's Nim; a part is the list of all heaps.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct MooreNim {
    k: u64,
}

/// Reads `moore_nim(k, n, ...)`.
///
/// # Errors
/// Arguments that are not numbers, or k = 0.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let k = number(first(arguments)?, &[0], 1, u64::MAX)?;
    Ok(Term::new(MooreNim { k }, vec![arguments.numbers(1, 0)?]).into())
}

impl Ruleset for MooreNim {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "moore_nim"
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call(
            "moore_nim",
            std::iter::once(&self.k).chain(parts.iter().flatten()),
        )
    }

    fn options(&self, _: usize, heaps: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> ControlFlow<()> {
        let movable: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 0).collect();
        let most = usize::try_from(self.k)
            .unwrap_or(usize::MAX)
            .min(movable.len());
        let mut left = heaps.clone();
        for size in 1..=most {
            // Every choice of `size` heaps, and for each every way to reduce them all.
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let places: Vec<usize> = chosen.iter().map(|&i| movable[i]).collect();
                places.iter().for_each(|&place| left[place] = 0);
                loop {
                    visit(std::slice::from_ref(&left), &|| {
                        Move::new(left.clone(), Step::new("leave").with("heaps", left.clone()))
                    })?;
                    let Some(next) = places
                        .iter()
                        .rposition(|&place| left[place] + 1 < heaps[place])
                    else {
                        break;
                    };
                    left[places[next]] += 1;
                    places[next + 1..].iter().for_each(|&place| left[place] = 0);
                }
                places.iter().for_each(|&place| left[place] = heaps[place]);
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

    fn components(&self, heaps: &Vec<u64>, visit: &mut dyn FnMut(Vec<u64>)) {
        let mut sorted: Vec<u64> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        sorted.sort_unstable();
        visit(sorted);
    }

    fn outcome(&self, heaps: &Vec<u64>, play: Play) -> Option<Known<Outcome>> {
        // k + 1 or more equal bits: with k larger than the number of heaps no column can balance but by zeros.
        let modulus = u128::from(self.k) + 1;
        let ones = |bit: u32| heaps.iter().filter(|&&heap| heap >> bit & 1 == 1).count() as u128;
        let losing = if play == Play::Misere && heaps.iter().all(|&heap| heap <= 1) {
            ones(0) % modulus == 1
        } else {
            (0..64).all(|bit| ones(bit).is_multiple_of(modulus))
        };
        Some(Known {
            value: Outcome::from_win(!losing),
            theorem: &MOORE,
        })
    }

    fn longest_play(&self, heaps: &Vec<u64>) -> Option<u128> {
        Some(heaps.iter().map(|&heap| u128::from(heap)).sum())
    }

    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::Heaps(parts.concat())
    }
}
