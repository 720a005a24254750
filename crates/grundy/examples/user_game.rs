//! A user-defined game in a sum with a built-in game: `cargo run --example user_game`.

use grundy::prelude::*;

/// Take a square number of chips.
struct Squares;

impl Game for Squares {
    type Position = u64;

    fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
        let squares = (1..).map(|k| k * k).take_while(move |&square| square <= n);
        squares.map(move |square| n - square)
    }

    fn describe(&self, n: &u64) -> String {
        format!("{n} chips")
    }
}

fn main() -> Result<(), Error> {
    let mut solver = Solver::new();
    for n in 0..=10 {
        let value = solver.grundy(&Position::of(Squares, n))?;
        println!("{n:2} chips: {value}");
    }
    let sum = Position::of(Squares, 100) + games::nim([3]);
    let answer = solver.solve(&sum)?;
    println!("{sum}: {}", answer.outcome());
    for mv in answer.winning_moves() {
        println!("  {mv} leaves {}", mv.position());
    }
    Ok(())
}
