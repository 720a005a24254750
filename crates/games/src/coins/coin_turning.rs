//! Coin turning: `turning_turtles`, `mock_turtles`, `ruler`, `twins` `(head, ...)`.
//!
//! Rules. A row of coins, counted from 1, shows heads and tails. The arguments are the places of
//! the coins that show heads. A move turns some coins over, of which the rightmost goes from heads
//! to tails. Turning Turtles: one coin, and optionally another one to its left. Mock Turtles: one,
//! two or three coins. Ruler: any run of consecutive coins. Twins: exactly two coins. Whoever
//! cannot move loses.
//!
//! Theorem (H. W. Lenstra, Nim multiplication, 1978; T. S. Ferguson, Game Theory, I.5.1). The value
//! of a row is the nim-sum of g(n) over all n for which coin n shows heads. Here g(n) is the value
//! of a row in which only coin n shows heads. Turning Turtles: g(n) = n. Mock Turtles: whichever of
//! 2(n - 1) and 2(n - 1) + 1 has an odd number of binary ones. Ruler: the largest power of 2 that
//! divides n. Twins: n - 1.
//!
//! The arguments are distinct and at most 2^64 - 1 (Mock Turtles: 2^63, so that values fit in 64
//! bits). No theorem covers misère play. A winning move of Ruler may turn millions of coins, and
//! its name then takes too much memory. If the winning moves turn too many coins in all, they are
//! not listed by a formula. Instead, all moves are searched one by one within the limits.

use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::Arguments;
use grundy_base::limits::Flow;
use grundy_base::outcome::Play;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems,
    Visit, call,
};

/// Maximal number of heads whose values an explanation lists.
const MAX_HEADS_EXPLAINED: usize = 40;

/// The theorem on the values of coin-turning games.
pub const COIN_TURNING: Theorem = Theorem {
    method: "coin turning",
    name: "the theorem of coin turning",
    statement: "the value is the nim-sum of the values of the heads, each taken alone",
    source: "H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game Theory, I.5.1",
};

/// The coin-turning games. They differ in the coins that a move turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoinTurning {
    /// A move turns one or two coins.
    TurningTurtles,
    /// A move turns one, two or three coins.
    MockTurtles,
    /// A move turns a run of consecutive coins.
    Ruler,
    /// A move turns exactly two coins.
    Twins,
}

macro_rules! constructors {
    ($($name:ident = $game:ident;)*) => {$(
        #[doc = concat!("Reads `", stringify!($name), "(head, ...)`.")]
        ///
        /// # Errors
        /// Arguments that are not distinct positive numbers.
        pub fn $name(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
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

fn construct(game: CoinTurning, arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let heads = arguments.numbers(0, 1)?;
    let mut order: Vec<usize> = (0..heads.len()).collect();
    // Sorts by coin, then by index, so that the error names the second occurrence of a coin.
    order.sort_by_key(|&index| (heads[index], index));
    let duplicates = order
        .windows(2)
        .filter(|two| heads[two[0]] == heads[two[1]]);
    if let Some(index) = duplicates.map(|two| two[1]).min() {
        return Err(Diagnostic::illegal(message!(
            "coin {index} is named twice",
            index = heads[index]
        ))
        .at([index])
        .help(message!(
            "remove the repeated entry: the list must contain each heads-up coin only once"
        )));
    }
    if let Some(index) = heads
        .iter()
        .position(|&head| game == CoinTurning::MockTurtles && head > 1 << 63)
    {
        return Err(Diagnostic::new(
            Kind::Overflow,
            message!("the Grundy value of a Mock Turtles coin with a number above 2^63 does not fit in 64 bits"),
        )
        .at([index])
        .help(message!(
            "coins of Mock Turtles are numbered up to 9223372036854775808"
        )));
    }
    let heads = order.into_iter().map(|index| heads[index]).collect();
    Ok(Term::new(game, vec![heads]).into())
}

impl CoinTurning {
    /// Returns the value of a position whose only head is coin `n`.
    fn head(self, n: u64) -> u64 {
        match self {
            Self::TurningTurtles => n,
            Self::MockTurtles => {
                // Returns the one of 2(n - 1) and 2(n - 1) + 1 that has an odd number of binary
                // ones. For n = 2^63 it still fits 64 bits.
                let even = (n - 1) << 1;
                even | u64::from(even.count_ones().is_multiple_of(2))
            }
            Self::Ruler => 1 << n.trailing_zeros(),
            Self::Twins => n - 1,
        }
    }
}

/// The coins that show heads, stored as the increasing list of the boundaries of runs of heads.
///
/// The first run extends from the first number up to, but not including, the second. The next run
/// begins at the third number, and so on. If the last number has no partner, its run ends at
/// coin 2^64 - 1. Hence a long run takes no more memory than a single head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heads(Vec<u64>);

impl FromIterator<u64> for Heads {
    /// Creates a row in which these coins show heads. The coins must be distinct.
    fn from_iter<I: IntoIterator<Item = u64>>(coins: I) -> Self {
        let mut heads = Self::default();
        for coin in coins {
            heads.turn(coin, coin);
        }
        heads
    }
}

impl Heads {
    /// Turns over the coins from `first` to `last`, both included.
    fn turn(&mut self, first: u64, last: u64) {
        // Turning a run toggles its two boundaries, as the symmetric difference of sets does. A
        // boundary that occurs twice cancels. The run up to 2^64 - 1 has no upper boundary.
        for boundary in [Some(first), last.checked_add(1)].into_iter().flatten() {
            match self.0.binary_search(&boundary) {
                Ok(index) => {
                    self.0.remove(index);
                }
                Err(index) => self.0.insert(index, boundary),
            }
        }
    }

    /// Returns the runs of heads as pairs of the first and the last coin.
    fn runs(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0
            .chunks(2)
            .map(|run| (run[0], run.get(1).map_or(u64::MAX, |end| end - 1)))
    }

    /// Returns the coins that show heads.
    ///
    /// ```
    /// use grundy_core::ruleset::coin_turning::Heads;
    /// let heads = Heads::from_iter([6, 2, 5]);
    /// assert_eq!(heads.coins().collect::<Vec<u64>>(), [2, 5, 6]);
    /// ```
    pub fn coins(&self) -> impl Iterator<Item = u64> {
        self.runs().flat_map(|(first, last)| first..=last)
    }
}

/// Visits the position that results if the runs of coins `turned` are turned over. The runs are
/// ordered from left to right.
fn turn(heads: &Heads, turned: &[(u64, u64)], visit: Visit<'_, Heads>) -> Flow {
    let mut left = heads.clone();
    for &(first, last) in turned {
        left.turn(first, last);
    }
    visit(&[left], &|| {
        // The coins are listed only if the visitor asks for the name, since a run may be long.
        let coins: Vec<u64> = turned
            .iter()
            .flat_map(|&(first, last)| first..=last)
            .collect();
        Move::new(coins.clone(), Step::new("turn").with("coins", coins))
    })
}

/// Visits the position that results if the coins `coins` are turned over.
fn turn_coins<const N: usize>(heads: &Heads, coins: [u64; N], visit: Visit<'_, Heads>) -> Flow {
    turn(heads, &coins.map(|coin| (coin, coin)), visit)
}

/// Limit on the total number of coins that all winning moves of Ruler turn. Beyond it, no formula
/// lists the winning moves, and the engine enumerates all moves.
const MAX_NAMED_COINS: u64 = 1 << 22;

/// Returns the nim-sum of the Ruler values of the coins 1, ..., m, which is 1 ^ 2 ^ 1 ^ 4 ^ ...
///
/// Bit k is 1 if an odd number of the coins have the value 2^k. The nim-sum is the Gray code of m.
fn prefix_sum(m: u64) -> u64 {
    m ^ m >> 1
}

/// Returns the number m with `prefix_sum(m) == sum`, by inverting the Gray code.
fn end_of_prefix(sum: u64) -> u64 {
    [1, 2, 4, 8, 16, 32]
        .into_iter()
        .fold(sum, |m, shift| m ^ m >> shift)
}

/// Returns the numbers below `end` in which the bit `bit` is set, in increasing order. `bit` is a
/// power of 2.
fn numbers_with_bit(bit: u64, end: u64) -> impl Iterator<Item = u64> {
    // Adding 1 may clear the bit by a carry; setting it again gives the next number with it.
    let next = move |n: &u64| n.checked_add(1).map(|n| n | bit);
    std::iter::successors(Some(bit), next).take_while(move |&n| n < end)
}

impl Ruleset for CoinTurning {
    type Part = Heads;

    fn name(&self) -> &'static str {
        match self {
            Self::TurningTurtles => "turning_turtles",
            Self::MockTurtles => "mock_turtles",
            Self::Ruler => "ruler",
            Self::Twins => "twins",
        }
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Heads> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, heads: &Heads, visit: Visit<'_, Heads>) -> Flow {
        heads.coins().try_for_each(|head| match self {
            Self::Ruler => (1..=head)
                .rev()
                .try_for_each(|first| turn(heads, &[(first, head)], visit)),
            Self::Twins => (1..head).try_for_each(|other| turn_coins(heads, [other, head], visit)),
            Self::TurningTurtles | Self::MockTurtles => {
                turn_coins(heads, [head], visit)?;
                (1..head).try_for_each(|other| {
                    turn_coins(heads, [other, head], visit)?;
                    let thirds = if *self == Self::MockTurtles { other } else { 1 };
                    (1..thirds).try_for_each(|third| turn_coins(heads, [third, other, head], visit))
                })
            }
        })
    }

    fn write(&self, parts: &[Heads]) -> String {
        call(self.name(), parts.iter().flat_map(Heads::coins))
    }
}

impl Theorems<Heads> for CoinTurning {
    fn grundy(&self, heads: &Heads) -> Option<ByTheorem<u64>> {
        let value = match self {
            // A run may contain many coins, so the nim-sum of their values is computed in one step.
            Self::Ruler => heads.runs().fold(0, |sum, (first, last)| {
                sum ^ prefix_sum(first - 1) ^ prefix_sum(last)
            }),
            _ => heads.coins().fold(0, |sum, head| sum ^ self.head(head)),
        };
        Some(ByTheorem {
            value,
            theorem: &COIN_TURNING,
        })
    }
}

impl Shortcuts<Heads> for CoinTurning {
    fn options_to(
        &self,
        _: usize,
        heads: &Heads,
        goal: Goal,
        visit: Visit<'_, Heads>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        // The nim-sum that the values of the turned coins must have.
        let change = value ^ self.grundy(heads)?.value;
        if *self == Self::Ruler {
            // The run must satisfy rulings(head) ^ rulings(first - 1) = change, so each head has at
            // most one first coin.
            let first = |head| end_of_prefix(prefix_sum(head) ^ change).saturating_add(1);
            let runs = || heads.coins().map(|head| (first(head), head));
            let mut named = 0u64;
            for (first, head) in runs().filter(|(first, head)| first <= head) {
                named = named.saturating_add(head - first + 1);
                // Beyond the bound the engine enumerates the moves within the limits.
                if named > MAX_NAMED_COINS {
                    return None;
                }
            }
            return Some(
                runs()
                    .filter(|(first, head)| first <= head)
                    .try_for_each(|run| turn(heads, &[run], visit)),
            );
        }
        Some(heads.coins().try_for_each(|head| {
            let rest = change ^ self.head(head);
            match self {
                Self::Twins if rest < head - 1 => turn_coins(heads, [rest + 1, head], visit),
                Self::TurningTurtles | Self::MockTurtles if rest == 0 => {
                    turn_coins(heads, [head], visit)
                }
                Self::TurningTurtles if rest < head => turn_coins(heads, [rest, head], visit),
                // A rest with an odd number of binary ones is the value of exactly one coin.
                Self::MockTurtles if rest.count_ones() % 2 == 1 => {
                    let other = (rest >> 1) + 1;
                    if other < head {
                        turn_coins(heads, [other, head], visit)
                    } else {
                        ControlFlow::Continue(())
                    }
                }
                // Any other rest is the nim-sum of the values of two coins, in many ways. Counted
                // from 0, the two differ in the bits of rest / 2. The larger one contains the
                // highest of these bits.
                Self::MockTurtles => {
                    let difference = rest >> 1;
                    let bit = 1u64 << difference.ilog2();
                    numbers_with_bit(bit, head - 1).try_for_each(|other| {
                        let third = other ^ difference;
                        turn_coins(heads, [third + 1, other + 1, head], visit)
                    })
                }
                _ => ControlFlow::Continue(()),
            }
        }))
    }
}

impl Teaching<Heads> for CoinTurning {
    fn theorem_application(&self, heads: &Heads, play: Play) -> Option<Step> {
        let coins: Vec<u64> = heads.coins().take(MAX_HEADS_EXPLAINED + 1).collect();
        if play == Play::Misere || coins.is_empty() || coins.len() > MAX_HEADS_EXPLAINED {
            return None;
        }
        let code = match self {
            Self::TurningTurtles => "heads_turtles",
            Self::MockTurtles => "heads_mock",
            Self::Ruler => "heads_ruler",
            Self::Twins => "heads_twins",
        };
        let values: Vec<u64> = coins.iter().map(|&head| self.head(head)).collect();
        let value = self.grundy(heads)?.value;
        let step = Step::new(code).with("heads", coins);
        Some(step.with("values", values).with("value", value))
    }
}

impl Pictures<Heads> for CoinTurning {
    fn picture(&self, parts: &[Heads]) -> Picture {
        // A move may have turned more coins than a picture can show.
        Picture::Heads(parts.iter().flat_map(Heads::coins).take(1000).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use grundy_base::limits::Halt;
    use grundy_base::mex;

    const GAMES: [CoinTurning; 4] = [
        CoinTurning::TurningTurtles,
        CoinTurning::MockTurtles,
        CoinTurning::Ruler,
        CoinTurning::Twins,
    ];

    fn collect(visit_all: impl FnOnce(Visit<'_, Heads>) -> Flow) -> Vec<(Vec<u64>, Heads)> {
        let mut found = Vec::new();
        let _ = visit_all(&mut |left, name| {
            found.push((name().at, left[0].clone()));
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn values_and_moves_follow_the_definition() {
        for game in GAMES {
            // Positions are sets of bits. Every move leads to a smaller number, so options come
            // first.
            let mut values: Vec<u64> = Vec::new();
            for set in 0..512u64 {
                let heads: Heads = (1..=9).filter(|n| set >> (n - 1) & 1 == 1).collect();
                let options = collect(|visit| game.options(Player::Left, 0, &heads, visit));
                let value_of = |heads: &Heads| {
                    values[heads.coins().fold(0, |set, n| set | 1 << (n - 1)) as usize]
                };
                let value = mex(options.iter().map(|(_, left)| value_of(left)));
                assert_eq!(
                    game.grundy(&heads).unwrap().value,
                    value,
                    "{game:?} {heads:?}"
                );
                // Some goals are larger than the largest value. For these there must be no move.
                for goal in 0..20 {
                    let mut direct = collect(|visit| {
                        game.options_to(0, &heads, Goal::Grundy(goal), visit)
                            .unwrap()
                    });
                    let meets = |(_, left): &(Vec<u64>, Heads)| value_of(left) == goal;
                    direct.retain(meets);
                    let slow: Vec<_> = options.iter().filter(|o| meets(o)).cloned().collect();
                    if goal != value {
                        assert_eq!(direct, slow, "{game:?} {heads:?} to {goal}");
                    }
                }
                values.push(value);
            }
        }
    }

    #[test]
    fn far_coins_have_values_and_direct_moves() {
        let far: Heads = [1 << 62].into_iter().collect();
        for game in GAMES {
            let moves = collect(|visit| game.options_to(0, &far, Goal::Grundy(0), visit).unwrap());
            assert_eq!(moves.len(), 1, "{game:?}");
            // No pair of coins reaches a value that is far too large. The search must notice it at
            // once.
            let goal = Goal::Grundy(0b11 << 62);
            let _ = game.options_to(0, &far, goal, &mut |_, _| ControlFlow::Break(Halt::Enough));
        }
        let last: Heads = [u64::MAX].into_iter().collect();
        assert_eq!(last.coins().collect::<Vec<_>>(), [u64::MAX]);
        assert_eq!(CoinTurning::Ruler.grundy(&last).unwrap().value, 1);
        // The winning move turns at least 2^61 coins, so `options_to` must return `None`.
        let goal = Goal::Grundy(1 << 61);
        let named =
            CoinTurning::Ruler.options_to(0, &far, goal, &mut |_, _| ControlFlow::Continue(()));
        assert_eq!(named, None);
    }

    #[test]
    fn a_duplicate_coin_is_rejected_with_its_place() {
        let items: Vec<_> = [5, 7, 5, 7].map(|n| (None, Argument::Int(n))).into();
        let arguments = Arguments { items: &items };
        let refusal = twins(&arguments).unwrap_err();
        assert_eq!(
            (refusal.kind, refusal.path),
            (Kind::IllegalPosition, vec![2])
        );
    }
}
