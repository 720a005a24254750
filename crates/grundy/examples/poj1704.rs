//! POJ 1704, Georgia and Bob: T, then per test N and N distinct positions; who wins when Georgia starts.

mod input;

use grundy::ruleset::strip_coins::StripCoins;
use grundy::{Limits, Outcome, Play, Position, Solver, Term};

fn main() {
    let mut numbers = input::numbers();
    let mut solver = Solver::default();
    for _ in 0..numbers.next().unwrap_or(0) {
        let count = numbers.next().unwrap_or(0) as usize;
        // Squares count from 1 there and from 0 here.
        let mut coins: Vec<u64> = numbers
            .by_ref()
            .take(count)
            .map(|square| square.saturating_sub(1))
            .collect();
        coins.sort_unstable();
        let position = Position::from(Term::new(StripCoins, vec![coins]));
        let outcome = solver.outcome(&position, Play::Normal, &Limits::default());
        println!(
            "{} will win",
            if outcome == Ok(Outcome::N) {
                "Georgia"
            } else {
                "Bob"
            }
        );
    }
}
