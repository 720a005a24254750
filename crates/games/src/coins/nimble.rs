//! Nimble: `nimble(c, ...)`.
//!
//! Rules. Coins are on squares 0, 1, 2, ... of a strip, and several may share a square. A move
//! takes one coin to any square further left, and may pass other coins. Whoever cannot move,
//! because all coins are on square 0, loses.
//!
//! Theorem. A coin on square n is a Nim heap of size n, in normal and in misère play (T. S.
//! Ferguson, Game Theory, I.2.6, exercise 3; Bouton's theorem).
//!
//! Some lecture notes use the name Nimble for another game. In it a square holds at most one coin,
//! and coins may not pass each other. That game is `strip_coins`.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};
use grundy_heap::algebra::Misere;

/// Bouton's theorem, stated for coins.
pub const COINS: Theorem = Theorem {
    method: "bouton",
    name: "Bouton's theorem",
    statement: "a coin on square n is equal to a Nim heap of size n, so the position is P if \
                and only if the nim-sum of the squares is 0",
    source: "C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901), 35-39",
};

/// Bouton's theorem for coins in misère play.
pub const COINS_MISERE: Theorem = Theorem {
    method: "bouton",
    name: "Bouton's theorem",
    statement: "in misère play, a coin on square n is also equal to a Nim heap of size n",
    source: COINS.source,
};

/// The rules of Nimble.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Nimble;

/// Reads `nimble(c, ...)`.
///
/// # Errors
/// An argument that is not the index of a square, an integer from 0 to 2^64 - 1.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::nimble};
/// // Each coin is a Nim heap: 2 xor 5.
/// let items = [2, 5].map(|square| (None, Argument::Int(square)));
/// let position = Position::from(nimble::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(7));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    Ok(Term::new(Nimble, arguments.numbers(0, 0)?).into())
}

impl Ruleset for Nimble {
    type Part = u64;

    fn name(&self) -> &'static str {
        "nimble"
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

    fn options(&self, _: Player, index: usize, &coin: &u64, visit: Visit<'_, u64>) -> Flow {
        (0..coin).try_for_each(|square| visit(&[square], &|| slide(index, coin, square)))
    }

    fn write(&self, parts: &[u64]) -> String {
        call("nimble", parts)
    }
}

impl Theorems<u64> for Nimble {
    fn grundy(&self, &coin: &u64) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: coin,
            theorem: &COINS,
        })
    }

    fn misere(&self, &coin: &u64) -> Option<ByTheorem<Misere>> {
        Some(ByTheorem {
            value: Misere::heap(coin),
            theorem: &COINS_MISERE,
        })
    }
}

impl Shortcuts<u64> for Nimble {
    fn options_to(
        &self,
        index: usize,
        &coin: &u64,
        goal: Goal,
        visit: Visit<'_, u64>,
    ) -> Option<Flow> {
        let Goal::Grundy(square) = goal else {
            return None;
        };
        Some(if square < coin {
            visit(&[square], &|| slide(index, coin, square))
        } else {
            ControlFlow::Continue(())
        })
    }
}

impl Teaching<u64> for Nimble {
    fn longest_play(&self, &coin: &u64) -> Option<u128> {
        Some(u128::from(coin))
    }
}

impl Pictures<u64> for Nimble {
    fn picture(&self, parts: &[u64]) -> Picture {
        Picture::Strip {
            first: 0,
            coins: parts.to_vec(),
        }
    }
}

fn slide(index: usize, from: u64, to: u64) -> Move {
    Move::new(
        [index as u64, to],
        Step::new("slide").with("from", from).with("to", to),
    )
}
