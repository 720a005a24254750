//! POJ 1067, Picking Stones.
//!
//! Each line of the input has the sizes of two heaps of Wythoff's game. The answer is 1 if the
//! first player wins, else 0.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::ruleset::corner_piece::CornerPiece;
use grundy_core::{Limits, Outcome, Play, Position, Solver, Term};

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    let mut solver = Solver::default();
    while let Some(a) = numbers.next()? {
        let b = numbers.expect_next("the second heap")?;
        let position = Position::from(Term::new(CornerPiece::Wythoff, vec![(a, b)]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        let outcome = outcome.map_err(|stop| numbers.error(&stop.to_string()))?;
        writeln!(out, "{}", u8::from(outcome == Outcome::N))?;
    }
    Ok(())
}
