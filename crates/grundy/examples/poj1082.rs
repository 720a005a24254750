//! POJ 1082, Calendar Game: T, then T lines `year month day`; YES if the first player wins, else NO.

mod input;

use grundy::argument::Argument;
use grundy::registry::construct;
use grundy::{Limits, Outcome, Play, Position, Solver};

fn main() {
    let mut numbers = input::numbers();
    let mut solver = Solver::default();
    for _ in 0..numbers.next().unwrap_or(0) {
        let date: Vec<_> = numbers
            .by_ref()
            .take(3)
            .map(|n| (None, Argument::Int(i128::from(n))))
            .collect();
        match construct("calendar", &date) {
            Ok(term) => {
                let outcome =
                    solver.outcome(&Position::from(term), Play::Normal, &Limits::default());
                println!(
                    "{}",
                    if outcome == Ok(Outcome::N) {
                        "YES"
                    } else {
                        "NO"
                    }
                );
            }
            Err(refusal) => eprintln!("{refusal}"),
        }
    }
}
