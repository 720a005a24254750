//! POJ 2234, Matches Game.
//!
//! The input has M and then the sizes of M heaps of Nim. The next position follows, until the input
//! ends. The answer is `Yes` if the first player wins, else `No`.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::ruleset::nim::Nim;
use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    let mut solver = Solver::default();
    while let Some(count) = numbers.next()? {
        let heaps = numbers.list(count, "a heap")?;
        let position = Position::from(Term::new(Nim, heaps));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.error(&stop.to_string()))?;
        let first = outcome == Outcome::N;
        writeln!(out, "{}", if first { "Yes" } else { "No" })?;
    }
    Ok(())
}
