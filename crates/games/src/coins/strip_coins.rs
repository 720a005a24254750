//! Strip coins: `strip_coins(c, ...)`. The game is also known as Georgia and Bob, and as "Nimble"
//! in some lecture notes.
//!
//! Rules. Coins are on distinct squares 0, 1, 2, ... of a strip. A move takes one coin any distance
//! to the left, without jumping over or landing on another coin. Whoever cannot move loses.
//!
//! Theorem. Pair the coins from the right. If one coin remains, pair it with the left end. The gap
//! of a pair is the number of free squares between its two coins. The value is the nim-sum of the
//! gaps. Every move changes exactly one gap. Moving the right coin of a pair shrinks the gap to any
//! smaller size, and moving the left coin enlarges it. Hence every smaller value can be reached and
//! the same value cannot, so the mex is the nim-sum. (J. H. Conway, On Numbers and Games, 1976,
//! chapter 11, for the P-positions.)

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// The theorem on the values, which are given by the gaps between coins.
pub const GAPS: Theorem = Theorem {
    method: "gaps",
    name: "the theorem of the gaps",
    statement: "pair the coins from the right; the value is the nim-sum of the gaps inside the pairs",
    source: "J. H. Conway, On Numbers and Games, 1976, chapter 11",
};

/// The rules of strip coins. A part is a whole strip, given by its coins in increasing order.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StripCoins;

/// Reads `strip_coins(c, ...)`.
///
/// # Errors
/// An argument that is not the index of a square (an integer from 0 to 2^64 - 1), or two coins on
/// the same square.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::strip_coins};
/// // The gaps are 3, between 5 and 9, and 2, to the left of 2.
/// let items = [2, 5, 9].map(|square| (None, Argument::Int(square)));
/// let position = Position::from(strip_coins::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(1));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let named = arguments.numbers(0, 0)?;
    let mut coins = named.clone();
    coins.sort_unstable();
    if let Some(pair) = coins.windows(2).find(|pair| pair[0] == pair[1]) {
        let square = pair[0];
        let second = named.iter().rposition(|&coin| coin == square).unwrap_or(0);
        return Err(
            Diagnostic::illegal(message!("two coins on square {square}", square))
                .at([second])
                .help(message!(
                    "coins must be on distinct squares; in nimble(...) several coins may share a square"
                )),
        );
    }
    Ok(Term::new(StripCoins, vec![coins]).into())
}

/// Returns the pairs of coins from right to left, each as its gap and the index of its right coin.
fn gaps(coins: &[u64]) -> impl Iterator<Item = (u64, usize)> {
    (0..coins.len()).rev().step_by(2).map(|right| {
        let gap = if right == 0 {
            coins[0]
        } else {
            coins[right] - coins[right - 1] - 1
        };
        (gap, right)
    })
}

/// Visits the strip that results if the coin with the index `coin` moves to the square `to`.
fn slide(coins: &[u64], coin: usize, to: u64, visit: Visit<'_, Vec<u64>>) -> Flow {
    let mut left = coins.to_vec();
    left[coin] = to;
    let from = coins[coin];
    visit(&[left], &|| {
        Move::new(
            [from, to],
            Step::new("slide").with("from", from).with("to", to),
        )
    })
}

impl Ruleset for StripCoins {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "strip_coins"
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

    fn options(&self, _: Player, _: usize, coins: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> Flow {
        (0..coins.len()).try_for_each(|coin| {
            let least = if coin == 0 { 0 } else { coins[coin - 1] + 1 };
            (least..coins[coin]).try_for_each(|to| slide(coins, coin, to, visit))
        })
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call("strip_coins", parts.iter().flatten())
    }
}

impl Theorems<Vec<u64>> for StripCoins {
    fn grundy(&self, coins: &Vec<u64>) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: gaps(coins).fold(0, |sum, (gap, _)| sum ^ gap),
            theorem: &GAPS,
        })
    }
}

impl Shortcuts<Vec<u64>> for StripCoins {
    fn options_to(
        &self,
        _: usize,
        coins: &Vec<u64>,
        goal: Goal,
        visit: Visit<'_, Vec<u64>>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        let sum = gaps(coins).fold(0, |sum, (gap, _)| sum ^ gap);
        let mut pairs: Vec<_> = gaps(coins).collect();
        // From left to right, as in `options`.
        pairs.reverse();
        Some(pairs.into_iter().try_for_each(|(gap, right)| {
            let wanted = gap ^ sum ^ value;
            if wanted < gap {
                return slide(coins, right, coins[right] - (gap - wanted), visit);
            }
            // The left coin of the pair can enlarge the gap, if it has room.
            let Some(left) = right.checked_sub(1).filter(|_| wanted > gap) else {
                return ControlFlow::Continue(());
            };
            let least = if left == 0 { 0 } else { coins[left - 1] + 1 };
            match coins[left].checked_sub(wanted - gap) {
                Some(to) if to >= least => slide(coins, left, to, visit),
                _ => ControlFlow::Continue(()),
            }
        }))
    }
}

impl Teaching<Vec<u64>> for StripCoins {
    fn theorem_application(&self, coins: &Vec<u64>, play: Play) -> Option<Step> {
        if play == Play::Misere || coins.is_empty() {
            return None;
        }
        let pair = |right: usize| format!("{}-{}", coins[right - 1], coins[right]);
        let pairs = gaps(coins).filter(|&(_, right)| right > 0);
        let pairs: Vec<String> = pairs.map(|(_, right)| pair(right)).collect();
        let gaps: Vec<u64> = gaps(coins).map(|(gap, _)| gap).collect();
        let value = gaps.iter().fold(0, |sum, gap| sum ^ gap);
        let code = match coins.len() {
            1 => "gap_of_the_only_coin",
            odd if odd % 2 == 1 => "gaps_with_a_coin_alone",
            _ => "gaps_in_pairs",
        };
        let step = Step::new(code).with("pairs", pairs).with("gaps", gaps);
        Some(step.with("alone", coins[0]).with("value", value))
    }

    fn longest_play(&self, coins: &Vec<u64>) -> Option<u128> {
        Some(
            (0u128..)
                // After the longest game the coins are on squares 0, 1, 2, ..., so coin i makes at
                // most c_i - i single steps.
                .zip(coins)
                .map(|(rank, &coin)| u128::from(coin) - rank)
                .sum(),
        )
    }
}

impl Pictures<Vec<u64>> for StripCoins {
    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::Coins(parts.concat())
    }
}
