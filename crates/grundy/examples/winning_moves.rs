//! Prints the winner, the reason and the winning moves: `cargo run --example winning_moves`.

use std::time::Duration;

use grundy::prelude::*;

fn main() -> Result<(), Error> {
    let answer = games::nim([3, 4, 5]).solve()?;
    println!(
        "outcome {}, Grundy value {:?}",
        answer.outcome(),
        answer.grundy()
    );
    for mv in answer.winning_moves() {
        println!("winning move: {mv}, to {}", mv.position());
    }
    print!("{}", answer.explain(Language::English));

    let mut solver = Solver::new()
        .timeout(Duration::from_secs(5))
        .max_memory(1 << 30);
    let lost: Result<Vec<u64>, Error> = (0..100)
        .filter_map(|n| match solver.solve(&games::dawsons_chess([n])) {
            Ok(answer) => (answer.outcome() == Outcome::P).then_some(Ok(n)),
            Err(error) => Some(Err(error)),
        })
        .collect();
    println!(
        "Dawson's Chess is lost for the first player on {:?} files",
        lost?
    );
    Ok(())
}
