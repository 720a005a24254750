//! Staircase Nim: `staircase_nim(c1, c2, ...)`.
//!
//! Rules. There are c_i coins on step i of a staircase. Steps are numbered from 1, and step 0 is
//! the floor. A move carries any number of coins from one step to the step below. Whoever cannot
//! move, because all coins are on the floor, loses.
//!
//! Theorem. The value is the nim-sum of the numbers of coins on the odd steps. A move changes
//! exactly one of these numbers: it removes coins from an odd step, or adds coins from the step
//! above. Hence every smaller value can be reached, and the same value cannot. (T. S. Ferguson,
//! Game Theory, I.2.6, exercise 6, for the P-positions.)

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

/// The theorem on the values of Staircase Nim.
pub const ODD_STEPS: Theorem = Theorem {
    method: "staircase",
    name: "the theorem of Staircase Nim",
    statement: "the value is the nim-sum of the numbers of coins on the odd steps",
    source: "T. S. Ferguson, Game Theory, I.2.6, exercise 6",
};

/// The rules of Staircase Nim. A position is a sum of staircases.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StaircaseNim;

/// Reads `staircase_nim(c1, c2, ...)`.
///
/// # Errors
/// An argument that is not a number of coins, or a total that does not fit 64 bits.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::staircase_nim};
/// // Only the coins on odd steps count: 2 xor 5.
/// let items = [2, 9, 5].map(|coins| (None, Argument::Int(coins)));
/// let position = Position::from(staircase_nim::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(7));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let steps = arguments.numbers(0, 0)?;
    // All coins may gather on one step, so their total must fit.
    if steps
        .iter()
        .try_fold(0u64, |sum, &coins| sum.checked_add(coins))
        .is_none()
    {
        return Err(Diagnostic::new(
            Kind::Overflow,
            message!("there are more than 2^64 - 1 coins in all"),
        ));
    }
    Ok(Term::new(StaircaseNim, vec![steps]).into())
}

fn sum(steps: &[u64]) -> u64 {
    steps.iter().step_by(2).fold(0, |sum, coins| sum ^ coins)
}

/// Visits the staircase after `count` coins have moved down from step `index` + 1.
fn down(steps: &[u64], index: usize, count: u64, visit: Visit<'_, Vec<u64>>) -> Flow {
    let mut left = steps.to_vec();
    left[index] -= count;
    if index > 0 {
        left[index - 1] += count;
    }
    let step = index as u64 + 1;
    visit(&[left], &|| {
        Move::new(
            [step, count],
            Step::new("step_down")
                .with("count", count)
                .with("step", step),
        )
    })
}

impl Ruleset for StaircaseNim {
    type Part = Vec<u64>;

    fn name(&self) -> &'static str {
        "staircase_nim"
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

    fn options(&self, _: Player, _: usize, steps: &Vec<u64>, visit: Visit<'_, Vec<u64>>) -> Flow {
        (0..steps.len()).try_for_each(|index| {
            (1..=steps[index]).try_for_each(|count| down(steps, index, count, visit))
        })
    }

    fn write(&self, parts: &[Vec<u64>]) -> String {
        call("staircase_nim", parts.iter().flatten())
    }
}

impl Theorems<Vec<u64>> for StaircaseNim {
    fn grundy(&self, steps: &Vec<u64>) -> Option<ByTheorem<u64>> {
        Some(ByTheorem {
            value: sum(steps),
            theorem: &ODD_STEPS,
        })
    }
}

impl Shortcuts<Vec<u64>> for StaircaseNim {
    fn options_to(
        &self,
        _: usize,
        steps: &Vec<u64>,
        goal: Goal,
        visit: Visit<'_, Vec<u64>>,
    ) -> Option<Flow> {
        let Goal::Grundy(value) = goal else {
            return None;
        };
        // The nim-sum must change by `change`, and a move changes one odd step. The move takes
        // coins from that step, or adds coins to it from the step above.
        let change = sum(steps) ^ value;
        Some((0..steps.len()).step_by(2).try_for_each(|odd| {
            let (now, wanted) = (steps[odd], steps[odd] ^ change);
            if wanted < now {
                down(steps, odd, now - wanted, visit)
            } else if wanted > now
                && steps
                    .get(odd + 1)
                    .is_some_and(|&above| above >= wanted - now)
            {
                down(steps, odd + 1, wanted - now, visit)
            } else {
                ControlFlow::Continue(())
            }
        }))
    }
}

impl Teaching<Vec<u64>> for StaircaseNim {
    fn theorem_application(&self, steps: &Vec<u64>, play: Play) -> Option<Step> {
        let odd = || (1u64..).zip(steps).step_by(2);
        let coins: Vec<u64> = odd().map(|(_, &coins)| coins).collect();
        (play == Play::Normal && !coins.is_empty()).then(|| {
            let odd: Vec<u64> = odd().map(|(step, _)| step).collect();
            let step = Step::new("odd_steps").with("steps", odd);
            step.with("coins", coins).with("value", sum(steps))
        })
    }

    fn longest_play(&self, steps: &Vec<u64>) -> Option<u128> {
        // A coin on step i makes at most i moves.
        (1u128..).zip(steps).try_fold(0u128, |sum, (step, &coins)| {
            sum.checked_add(step * u128::from(coins))
        })
    }
}

impl Pictures<Vec<u64>> for StaircaseNim {
    fn picture(&self, parts: &[Vec<u64>]) -> Picture {
        Picture::Stairs(parts.concat())
    }
}
