//! POJ 2348, Euclid's Game.
//!
//! The input has lines `a b` and ends with `0 0`. The answer to a line is the winner if Stan
//! starts.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::ruleset::euclid::Euclid;
use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    let mut solver = Solver::default();
    while let Some(a) = numbers.next()? {
        let b = numbers.expect_next("the second number")?;
        if (a, b) == (0, 0) {
            break;
        }
        if a == 0 || b == 0 {
            let message = format!("both numbers must be at least 1, found {a} and {b}");
            return Err(numbers.error(&message));
        }
        let position = Position::from(Term::new(Euclid, vec![(a, b)]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.error(&stop.to_string()))?;
        let first = outcome == Outcome::N;
        writeln!(out, "{} wins", if first { "Stan" } else { "Ollie" })?;
    }
    Ok(())
}
