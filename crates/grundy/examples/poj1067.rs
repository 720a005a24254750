//! POJ 1067, Picking Stones: until end of input two heaps of Wythoff's game; 1 if the first player wins, else 0.

mod input;

use grundy::ruleset::corner_piece::CornerPiece;
use grundy::{Limits, Outcome, Play, Position, Solver, Term};

fn main() {
    let mut numbers = input::numbers();
    let mut solver = Solver::default();
    while let (Some(a), Some(b)) = (numbers.next(), numbers.next()) {
        let position = Position::from(Term::new(CornerPiece::Wythoff, vec![(a, b)]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        println!("{}", u8::from(outcome == Ok(Outcome::N)));
    }
}
