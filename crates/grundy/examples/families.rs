//! Families, graphs, matrices and quotients: `cargo run --example families`.

use grundy::prelude::*;

fn main() -> Result<(), Error> {
    let kayles: Family = "kayles(n)".parse()?;
    println!("values {:?}", kayles.values(0..=10)?);
    let period = kayles.period()?;
    println!(
        "period {} from {}: {}",
        period.period(),
        period.preperiod(),
        period.theorem()
    );
    let quotient = kayles.misere_quotient(None)?;
    println!("misère quotient of order {:?}", quotient.order());

    let labels = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).label(Play::Normal);
    println!(
        "vertex 0: {}, vertex 1: {}",
        labels.outcome(0),
        labels.outcome(1)
    );

    let game = Matrix::from_rows([[1, 0], [0, 2]])?.solve()?;
    println!("matrix game: value {}", game.value());
    Ok(())
}
