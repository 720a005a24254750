//! POJ 1704, Georgia and Bob.
//!
//! The input has T, then for each test N and N distinct positions. The answer is the winner if
//! Georgia starts.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy::ruleset::strip_coins::StripCoins;
use grundy::{Limits, Outcome, Play, Position, Solver, Term};

use input::{Bad, Numbers};

fn main() -> ExitCode {
    input::answer(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), Bad> {
    let mut solver = Solver::default();
    for _ in 0..numbers.due("the number of tests")? {
        let count = numbers.due("the number of chessmen")?;
        let mut coins = numbers.list(count, "a chessman")?;
        coins.sort_unstable();
        if coins.first() == Some(&0) || coins.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(numbers.bad("the positions must be distinct and at least 1"));
        }
        // The problem counts squares from 1, the library from 0.
        coins.iter_mut().for_each(|square| *square -= 1);
        let position = Position::from(Term::new(StripCoins, vec![coins]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.bad(&stop.to_string()))?;
        let first = outcome == Outcome::N;
        writeln!(out, "{} will win", if first { "Georgia" } else { "Bob" })?;
    }
    Ok(())
}
