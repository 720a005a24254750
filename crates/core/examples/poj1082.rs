//! POJ 1082, Calendar Game.
//!
//! The input has the number T of dates, then T lines `year month day`. The answer to a date is YES
//! if the first player wins, else NO.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::argument::Argument;
use grundy_core::registry::construct;
use grundy_core::{Limits, Outcome, Play, Position, Solver};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    let mut solver = Solver::default();
    for _ in 0..numbers.expect_next("the number of dates")? {
        let date = numbers.list(3, "a year, a month and a day")?;
        let date: Vec<_> = date
            .into_iter()
            .map(|n| (None, Argument::Int(i128::from(n))))
            .collect();
        let term =
            construct("calendar", &date).map_err(|refusal| numbers.error(&refusal.to_string()))?;
        let outcome = solver.outcome(&Position::from(term), Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.error(&stop.to_string()))?;
        let first = outcome == Outcome::N;
        writeln!(out, "{}", if first { "YES" } else { "NO" })?;
    }
    Ok(())
}
