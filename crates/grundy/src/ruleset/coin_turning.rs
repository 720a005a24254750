//! Coin turning: `turning_turtles`, `mock_turtles`, `ruler`, `twins` `(head, ...)`.
//!
//! Rules. A row of coins, counted from 1, shows heads and tails; the position names the heads. A move turns some coins
//! over, the rightmost of them from heads to tails. Turning Turtles: one coin, and another to its left if you like. Mock
//! Turtles: one, two or three coins. Ruler: any run of consecutive coins. Twins: exactly two coins. Whoever cannot move
//! loses.
//!
//! Theorem (H. W. Lenstra, Nim multiplication, 1978; T. S. Ferguson, Game Theory, I.5.1). The value of a position is the
//! nim-sum over its heads of g(n), the value of a single head on n. Turning Turtles: g(n) = n. Mock Turtles: of 2(n - 1)
//! and 2(n - 1) + 1 the one with an odd number of binary ones. Ruler: the largest power of 2 that divides n. Twins: n - 1.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Goal, Known, Ruleset, Theorem, Visit, call};
use crate::argument::Arguments;
use crate::picture::Picture;
use crate::position::{AnyTerm, Term};
use crate::step::{Move, Step};
use crate::{Kind, Refusal};

/// The theorem of coin turning.
pub const COIN_TURNING: Theorem = Theorem {
    method: "coin turning",
    name: "the theorem of coin turning",
    statement: "the value is the nim-sum of the values of the single heads",
    source: "H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game Theory, I.5.1",
};

/// Which coins a move turns. A part is the increasing list of heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoinTurning {
    /// One or two.
    TurningTurtles,
    /// One, two or three.
    MockTurtles,
    /// A run.
    Ruler,
    /// Exactly two.
    Twins,
}

macro_rules! constructors {
    ($($name:ident = $game:ident;)*) => {$(
        #[doc = concat!("Reads `", stringify!($name), "(head, ...)`.")]
        ///
        /// # Errors
        /// Arguments that are not distinct positions from 1 on.
        pub fn $name(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
            construct(CoinTurning::$game, arguments)
        }
    )*};
}

constructors! {
    turning_turtles = TurningTurtles;
    mock_turtles = MockTurtles;
    ruler = Ruler;
    twins = Twins;
}

fn construct(game: CoinTurning, arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let mut heads = arguments.numbers(0, 1)?;
    if let Some(index) = (1..heads.len()).find(|&i| heads[..i].contains(&heads[i])) {
        return Err(
            Refusal::illegal(format!("coin {} is named twice", heads[index]))
                .at([index])
                .help("each coin that shows heads is named once"),
        );
    }
    if let Some(index) = heads
        .iter()
        .position(|&head| game == CoinTurning::MockTurtles && head > 1 << 63)
    {
        return Err(Refusal::new(
            Kind::Range,
            "values of Mock Turtles beyond coin 2^63 do not fit 64 bits",
        )
        .at([index]));
    }
    heads.sort_unstable();
    Ok(Term::new(game, vec![heads]).into())
}

impl CoinTurning {
    /// The value of a single head.
    fn head(self, n: u64) -> u64 {
        match self {
            Self::TurningTurtles => n,
            Self::MockTurtles => {
                let even = (n - 1) << 1;
                even | u64::from(even.count_ones().is_multiple_of(2))
            }
            Self::Ruler => 1 << n.trailing_zeros(),
            Self::Twins => n - 1,
        }
    }
}

/// Turns the coins `turned`, in increasing order.
fn turn(heads: &[u64], turned: &[u64], visit: Visit<'_, Vec<u64>>) -> ControlFlow<()> {
    let mut left: Vec<u64> = heads
        .iter()
        .copied()
        .filter(|head| turned.binary_search(head).is_err())
        .collect();
    left.extend(
        turned
            .iter()
            .filter(|&coin| heads.binary_search(coin).is_err()),
    );
    left.sort_unstable();
    visit(&[left], &|| {
        Move::new(
            turned.to_vec(),
            Step::new("turn").with("coins", turned.to_vec()),
        )
    })
}

/// Longest run that is turned in full: a longer one could not even be written down.
const RUN: u64 = 1 << 24;

/// The m with 1 ^ 2 ^ 1 ^ 4 ^ ... = `sum`, over the rulings of 1 .. m: the inverse of m ^ (m >> 1).
fn ruler_prefix(sum: u64) -> u64 {
    [1, 2, 4, 8, 16, 32]
        .into_iter()
        .fold(sum, |m, shift| m ^ m >> shift)
}

impl Ruleset for CoinTurning {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        match self {
            Self::TurningTurtles => "turning_turtles",
            Self::MockTurtles => "mock_turtles",
            Self::Ruler => "ruler",
            Self::Twins => "twins",
        }
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call(self.name(), parts.iter().flatten())
    }

    fn options(&self, _: usize, heads: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> ControlFlow<()> {
        heads.iter().try_for_each(|&head| match self {
            Self::Ruler => (head.saturating_sub(RUN).max(1)..=head)
                .rev()
                .try_for_each(|first| turn(heads, &(first..=head).collect::<Vec<_>>(), visit)),
            Self::Twins => (1..head).try_for_each(|other| turn(heads, &[other, head], visit)),
            Self::TurningTurtles | Self::MockTurtles => {
                turn(heads, &[head], visit)?;
                (1..head).try_for_each(|other| {
                    turn(heads, &[other, head], visit)?;
                    let third = if *self == Self::MockTurtles {
                        1..other
                    } else {
                        1..1
                    };
                    third
                        .into_iter()
                        .try_for_each(|third| turn(heads, &[third, other, head], visit))
                })
            }
        })
    }

    fn grundy(&self, heads: &Vec<u64>) -> Option<Known<u64>> {
        let value = heads.iter().fold(0, |sum, &head| sum ^ self.head(head));
        Some(Known {
            value,
            theorem: &COIN_TURNING,
        })
    }

    fn options_to(
        &self,
        _: usize,
        heads: &Vec<u64>,
        goal: Goal,
        visit: Visit<'_, Vec<u64>>,
    ) -> Option<ControlFlow<()>> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        // The coins turned must have this nim-sum of values.
        let change = heads.iter().fold(value, |sum, &head| sum ^ self.head(head));
        Some(heads.iter().try_for_each(|&head| {
            let rest = change ^ self.head(head);
            match self {
                Self::Ruler => {
                    let before = ruler_prefix(head ^ (head >> 1) ^ change);
                    if before < head && head - before <= RUN {
                        turn(heads, &(before + 1..=head).collect::<Vec<_>>(), visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                }
                Self::Twins if rest < head - 1 => turn(heads, &[rest + 1, head], visit),
                Self::Twins => ControlFlow::Continue(()),
                _ if rest == 0 => turn(heads, &[head], visit),
                Self::TurningTurtles if rest < head => turn(heads, &[rest, head], visit),
                Self::TurningTurtles => ControlFlow::Continue(()),
                // An odious rest is one coin; an evil one is two, in many ways.
                Self::MockTurtles if rest.count_ones() % 2 == 1 => {
                    let other = (rest >> 1) + 1;
                    if other < head {
                        turn(heads, &[other, head], visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                }
                Self::MockTurtles => (2..head).try_for_each(|other| {
                    let third = ((rest ^ self.head(other)) >> 1) + 1;
                    if third < other {
                        turn(heads, &[third, other, head], visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                }),
            }
        }))
    }

    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::Strip {
            first: 1,
            coins: parts.concat(),
        }
    }
}
