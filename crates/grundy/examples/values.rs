//! Values of partizan games: `cargo run --example values`.

use grundy::prelude::*;

fn main() -> Result<(), Error> {
    let board = games::domineering(["...", "..."])?.value()?;
    println!(
        "value {board}, mean {}, temperature {}",
        board.mean(),
        board.temperature()
    );
    let switch: Value = "{1|*}".parse()?;
    println!(
        "{board} compared with {switch}: {:?}",
        board.partial_cmp(&switch)
    );
    println!("sum: {}", &board + &switch);
    for (t, x) in board.thermograph().wall(Player::Left).points() {
        println!("left wall: {x} at {t}");
    }
    let misere = games::kayles([5]).misere_value()?;
    println!("misère value {misere}, genus {}", misere.genus());
    Ok(())
}
