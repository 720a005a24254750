//! Positions and their sums: `cargo run --example positions`.

use grundy::prelude::*;

fn main() -> Result<(), Error> {
    let sum: Position = "nim(3, 4) + kayles(7)".parse()?;
    assert_eq!(sum, games::nim([3, 4]) + games::kayles([7]));
    println!("{sum}: {}", sum.solve()?.outcome());

    let board = games::domineering(["..#", "..."])?;
    let difference = &board - &games::hackenbush("0-1:b 1-2:r")?;
    println!("{difference}: {}", difference.value()?);

    if let Err(error) = "nim(3, -1)".parse::<Position>() {
        println!("{error} (at {:?})", error.place());
    }
    Ok(())
}
