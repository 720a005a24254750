//! A whole program: a user-defined game with a table of values, a solver, and a picture of its
//! temperatures as text: `cargo run --example own_game`.
//!
//! Left and Right remove blocks from a row of red and blue blocks. Left removes a blue block and
//! everything to its right, Right a red block and everything to its right.

use grundy::prelude::*;

struct Blocks;

fn cuts(row: &[u8], colour: u8) -> Vec<Vec<u8>> {
    let places = (0..row.len()).filter(|&place| row[place] == colour);
    places.map(|place| row[..place].to_vec()).collect()
}

impl PartizanGame for Blocks {
    type Position = Vec<u8>;

    fn left(&self, row: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
        cuts(row, b'b')
    }

    fn right(&self, row: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
        cuts(row, b'r')
    }

    fn describe(&self, row: &Vec<u8>) -> String {
        String::from_utf8_lossy(row).into_owned()
    }

    fn name_move(&self, from: &Vec<u8>, to: &Vec<u8>) -> Option<String> {
        Some(format!("remove block {} of {}", to.len() + 1, from.len()))
    }
}

fn main() -> Result<(), Error> {
    let mut solver = Solver::new();
    println!("| row | value |\n|---|---|");
    for row in ["b", "br", "brb", "bbr", "rbb", "brbr"] {
        let value = solver.value(&Position::of_partizan(Blocks, row.into()))?;
        println!("| {row} | {value} |");
    }
    // A row is a stalk of Hackenbush, so the values are numbers (E. R. Berlekamp, 1974).
    let row = Position::of_partizan(Blocks, b"brb".to_vec());
    let stalk = games::hackenbush("0-1:b 1-2:r 2-3:b")?;
    assert_eq!(solver.value(&(&row - &stalk))?, Value::zero());

    let sum = row + games::nim([2]);
    let answer = solver.solve(&sum)?;
    print!("\n{}", sum.picture()?.to_text());
    print!("\n{}", answer.explain(Language::English));

    let mut game = Playing::new(sum);
    while !game.is_over()? {
        let best = game.best()?;
        println!("{:?}: {best}", game.mover());
        game.make(best)?;
    }
    println!("{:?} wins", game.mover().other());
    Ok(())
}
