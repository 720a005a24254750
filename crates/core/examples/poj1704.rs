//! POJ 1704, Georgia and Bob.
//!
//! The input has the number T of tests, then for each test N and the positions of N chessmen. The
//! answer to a test is the winner if Georgia starts.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::ruleset::strip_coins::StripCoins;
use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    let mut solver = Solver::default();
    for _ in 0..numbers.expect_next("the number of tests")? {
        let count = numbers.expect_next("the number of chessmen")?;
        let mut coins = numbers.list(count, "a chessman")?;
        coins.sort_unstable();
        if coins.first() == Some(&0) || coins.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(numbers.error("the positions must be distinct and at least 1"));
        }
        // The problem counts squares from 1, the library from 0.
        coins.iter_mut().for_each(|square| *square -= 1);
        let position = Position::from(Term::new(StripCoins, vec![coins]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.error(&stop.to_string()))?;
        let first = outcome == Outcome::N;
        writeln!(out, "{} will win", if first { "Georgia" } else { "Bob" })?;
    }
    Ok(())
}
