//! POJ 2234, Matches Game: until end of input M, then M heaps of Nim; `Yes` if the first player wins.

mod input;

use grundy::ruleset::nim::Nim;
use grundy::{Limits, Outcome, Play, Position, Solver, Term};

fn main() {
    let mut numbers = input::numbers();
    let mut solver = Solver::default();
    while let Some(count) = numbers.next() {
        let heaps: Vec<u64> = numbers.by_ref().take(count as usize).collect();
        let position = Position::from(Term::new(Nim, heaps));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        println!(
            "{}",
            if outcome == Ok(Outcome::N) {
                "Yes"
            } else {
                "No"
            }
        );
    }
}
