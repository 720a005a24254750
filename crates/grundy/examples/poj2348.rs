//! POJ 2348, Euclid's Game: lines `a b`, ended by `0 0`; who wins when Stan starts.

mod input;

use grundy::ruleset::euclid::Euclid;
use grundy::{Limits, Outcome, Play, Position, Solver, Term};

fn main() {
    let mut numbers = input::numbers();
    let mut solver = Solver::default();
    while let (Some(a), Some(b)) = (numbers.next(), numbers.next()) {
        if (a, b) == (0, 0) {
            break;
        }
        let position = Position::from(Term::new(Euclid, vec![(a, b)]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        println!(
            "{} wins",
            if outcome == Ok(Outcome::N) {
                "Stan"
            } else {
                "Ollie"
            }
        );
    }
}
